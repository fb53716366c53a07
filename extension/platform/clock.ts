import type { Clock } from '../../src/ports.ts'

export const systemClock: Clock = { now: () => Date.now() }
