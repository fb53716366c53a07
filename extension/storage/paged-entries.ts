import { bigEndian32, compareBytes } from '../../src/bytes.ts'
import type { EntryLength } from '../../src/lists/hash-list.ts'
import { pageCount, PAGE_BYTES } from './page.ts'

export interface PagedEntries {
  readonly entryLength: EntryLength
  readonly entryCount: number
  /** The bytes of page number `index`, which are whole entries, ascending over all pages. */
  readonly page: (index: number) => Promise<Uint8Array>
}

/** Guesses by value before halves are taken: entries are hashes, spread evenly, and the first or second guess is right; a feed could spread them otherwise. */
const MOST_GUESSES = 4

/** Whether the first `entryLength` bytes of `hash` are an entry, by reading the page where it would be. */
export async function hasEntry(hash: Uint8Array, { entryLength, entryCount, page }: PagedEntries): Promise<boolean> {
  const entry = hash.subarray(0, entryLength)
  const entriesAPage = PAGE_BYTES / entryLength
  let low = 0
  let high = pageCount(entryCount * entryLength) - 1
  let guess = Math.floor(((bigEndian32(entry, 0) >>> 0) / 2 ** 32) * (high + 1))
  for (let reads = 1; low <= high; reads++) {
    const bytes = await page(guess)
    const first = bytes.subarray(0, entryLength)
    if (compareBytes(entry, first) < 0) high = guess - 1
    else if (compareBytes(entry, bytes.subarray(bytes.length - entryLength)) > 0) low = guess + 1
    else return isAmong(entry, bytes)
    const distance = ((bigEndian32(entry, 0) >>> 0) - (bigEndian32(first, 0) >>> 0)) / 2 ** 32
    const next = reads < MOST_GUESSES ? guess + Math.trunc((distance * entryCount) / entriesAPage) : (low + high) >> 1
    guess = Math.min(Math.max(next, low), high)
  }
  return false
}

/** Binary search in packed, ascending entries. */
function isAmong(entry: Uint8Array, entries: Uint8Array): boolean {
  let low = 0
  let high = entries.length / entry.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = compareBytes(entry, entries.subarray(middle * entry.length, (middle + 1) * entry.length))
    if (order === 0) return true
    if (order < 0) high = middle
    else low = middle + 1
  }
  return false
}
