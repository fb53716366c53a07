import type { Random } from '../../src/ports.ts'

export const systemRandom: Random = { next: () => Math.random() }

export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** An identifier that a page cannot guess. */
export function uniqueId(): string {
  return crypto.randomUUID()
}
