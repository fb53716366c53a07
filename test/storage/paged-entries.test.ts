import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasEntry } from '../../extension/storage/paged-entries.ts'
import { type EntryLength, sortEntries } from '../../src/lists/hash-list.ts'

const PAGE = 4096

function pagesOf(entries: Uint8Array, entryLength: EntryLength) {
  const reads: number[] = []
  const page = async (index: number) => {
    reads.push(index)
    expect(index * PAGE).toBeLessThan(entries.length)
    return entries.subarray(index * PAGE, (index + 1) * PAGE)
  }
  return { reads, entries: { entryLength, entryCount: entries.length / entryLength, page } }
}

/** Deterministic bytes. */
function bytes(count: number, seed: number): Uint8Array {
  let state = seed
  return Uint8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return state >>> 24
  })
}

it.each([4, 8, 16, 32] as const)('finds every entry of %i bytes and no other, in a page or two', async (length) => {
  const sorted = sortEntries(bytes(40_000 * length, length), length)
  let reads = 0
  for (let at = 0; at < sorted.length; at += 97 * length) {
    const entry = sorted.slice(at, at + length)
    const paged = pagesOf(sorted, length)
    expect(await hasEntry(entry, paged.entries)).toBe(true)
    reads += paged.reads.length
    entry[length - 1] = (entry[length - 1] as number) ^ 1
    const listed = sorted.findIndex((_, i) => i % length === 0 && entry.every((byte, j) => sorted[i + j] === byte)) >= 0
    if (at % (97 * 20) === 0) expect(await hasEntry(entry, pagesOf(sorted, length).entries)).toBe(listed)
  }
  expect(reads / Math.ceil(sorted.length / length / 97)).toBeLessThan(2)
})

it('finds entries however they are spread, in at most as many reads as halving takes and a few', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 1, max: 9000 }), fc.integer(), async (first, count, seed) => {
      const raw = bytes(count * 8, seed)
      // All of them in one 65,536th of the space.
      for (let at = 0; at < raw.length; at += 8) raw.set([first, first], at)
      const sorted = sortEntries(raw, 8)
      const at = (Math.abs(seed) % (sorted.length / 8)) * 8
      const paged = pagesOf(sorted, 8)
      expect(await hasEntry(sorted.subarray(at, at + 8), paged.entries)).toBe(true)
      expect(paged.reads.length).toBeLessThan(12)
      expect(await hasEntry(Uint8Array.of(first ^ 1, 0, 0, 0, 0, 0, 0, 0), pagesOf(sorted, 8).entries)).toBe(false)
    }),
    { numRuns: 200 },
  )
})

it('an empty list has no entry', async () => {
  expect(await hasEntry(bytes(32, 1), pagesOf(new Uint8Array(0), 4).entries)).toBe(false)
})
