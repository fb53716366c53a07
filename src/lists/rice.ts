import { WaryError } from '../errors.ts'
import type { EntryLength } from './hash-list.ts'

/** A sorted list as its first value and Rice-Golomb coded differences (v5, "Decoding hash prefixes and hashes"). */
export interface RiceEncoded {
  /** The first entry, big-endian, `entryLength` bytes. */
  readonly firstValue: Uint8Array
  readonly riceParameter: number
  /** Differences that follow the first value. */
  readonly entriesCount: number
  /** Bits from the least significant one of each byte on: a unary quotient, ended by a zero bit, then the remainder, lowest bit first. */
  readonly encodedData: Uint8Array
}

/**
 * The v5 text allows the parameters 3 to 30 for 4 bytes, 35 to 62 for 8, 99 to 126 for 16 and 227 to 254 for 32: always 3 to 30 above the
 * bits of all 32-bit words but the top one. So the lower words of a difference are remainder as they stand, quotient and the rest of the
 * remainder share the top word, and no number here is wider than a double holds.
 */
export const LEAST_SHIFT = 3
export const MOST_SHIFT = 30

export function lowerBits(entryLength: EntryLength): number {
  return 8 * entryLength - 32
}

export function refuseCoding(message: string): never {
  throw new WaryError('list-format', message)
}

/** Laid over a signed number, so that the order is that of unsigned ones. */
export const SIGN = 1 << 31
