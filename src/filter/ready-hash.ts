import { bigEndian32 } from '../bytes.ts'
import type { Insertable } from './membership-filter.ts'
import { avalanche } from './murmur3-128.ts'

/**
 * The entries of hash lists are hashes already, so filters of them take their first bytes for the ready hash (`addHash`,
 * `mightContainHash`): four bytes, big-endian, are the high half, the next four the low half. Of an entry of four bytes the low half is made.
 */
export function highHalf(hash: Uint8Array): number {
  return bigEndian32(hash, 0)
}

/** @param length bytes of the list's entries: a hash longer than they are is looked up by no more than they have */
export function lowHalf(hash: Uint8Array, length = hash.length): number {
  return length < 8 ? lowHalfOf4(bigEndian32(hash, 0)) : bigEndian32(hash, 4)
}

/** The low half that goes with the high half of a four-byte entry. */
export function lowHalfOf4(high: number): number {
  return avalanche(high)
}

/** Adds packed entries of `entryLength` bytes (4 or more) to `filter`. */
export function addEntries(filter: Insertable, entries: Uint8Array, entryLength: number): void {
  for (let at = 0; at < entries.length; at += entryLength) {
    const high = bigEndian32(entries, at)
    filter.addHash(high, entryLength < 8 ? lowHalfOf4(high) : bigEndian32(entries, at + 4))
  }
}

interface Probed {
  mightContainHash(high: number, low: number): boolean
}

/** Index of the first of the packed entries that `filter` denies; undefined where it denies none, as a filter of these entries must. */
export function firstDenied(filter: Probed, entries: Uint8Array, entryLength: number): number | undefined {
  for (let at = 0; at < entries.length; at += entryLength) {
    const high = bigEndian32(entries, at)
    if (!filter.mightContainHash(high, entryLength < 8 ? lowHalfOf4(high) : bigEndian32(entries, at + 4))) return at / entryLength
  }
  return undefined
}
