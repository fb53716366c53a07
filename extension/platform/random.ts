import type { Random } from '../../src/ports.ts'

export const systemRandom: Random = { next: () => Math.random() }

/** An identifier that a page cannot guess. */
export function uniqueId(): string {
  return crypto.randomUUID()
}
