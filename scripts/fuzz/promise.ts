import { type ErrorCode, WaryError } from '../../src/errors.ts'

/** Fails a target where the code does not keep a promise. */
export function promise(kept: boolean, what: string): asserts kept {
  if (!kept) throw new Error(`broken promise: ${what}`)
}

/** What `make` makes, or undefined where it refuses by one of `codes`. Any other error goes on: it is a finding. */
export function unlessRefused<T>(codes: readonly ErrorCode[], make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof WaryError && codes.includes(error.code)) return undefined
    throw error
  }
}

/** Equal by value; typed arrays by their bytes. */
export function same(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return a.length === b.length && a.every((byte, i) => byte === b[i])
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b)
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))]
  return left.length === right.size && left.every(([name, value]) => right.has(name) && same(value, right.get(name)))
}
