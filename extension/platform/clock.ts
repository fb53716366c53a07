import type { Clock } from '../../src/ports.ts'

export const systemClock: Clock = { now: () => Date.now() }

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
