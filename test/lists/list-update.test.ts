import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, toHex } from '../../src/bytes.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import { applyUpdate, type ListUpdate } from '../../src/lists/list-update.ts'
import { decodeHashList, encodeHashList } from '../../src/protocol/hash-list-message.ts'

function listOf(entryLength: EntryLength, entries: readonly Uint8Array[], version: number): HashList {
  const parts = { name: `se-${entryLength}b`, version: new Uint8Array([version]), entryLength }
  return HashList.fromUnsorted({ ...parts, entries: concatBytes(entries) })
}

function entriesOf({ entries, entryLength, count }: HashList): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => entries.subarray(i * entryLength, (i + 1) * entryLength))
}

/** The delta from `a` to `b`, by sets. */
function diff(a: HashList, b: HashList): ListUpdate {
  const [before, after] = [new Set(entriesOf(a).map(toHex)), new Set(entriesOf(b).map(toHex))]
  const added = entriesOf(b).filter((entry) => !before.has(toHex(entry)))
  const removed = entriesOf(a).flatMap((entry, i) => (after.has(toHex(entry)) ? [] : [i]))
  return {
    name: b.name,
    version: b.version,
    partial: true,
    additions: added.length > 0 ? { entryLength: b.entryLength, entries: concatBytes(added) } : undefined,
    removals: removed.length > 0 ? Uint32Array.from(removed) : undefined,
    checksum: b.checksum(),
    minimumWaitMs: 0,
    signed: undefined,
  }
}

/** Entries that share much and begin alike, so that words carry and borrow. */
const entry = (entryLength: EntryLength) =>
  fc
    .array(fc.constantFrom(0, 1, 127, 128, 254, 255), { minLength: entryLength, maxLength: entryLength })
    .map((bytes) => new Uint8Array(bytes))

describe.each<EntryLength>([4, 8, 16, 32])('entries of %d bytes', (entryLength) => {
  const either = fc.oneof(entry(entryLength), fc.uint8Array({ minLength: entryLength, maxLength: entryLength }))
  const sets = fc.record({
    kept: fc.array(either, { maxLength: 40 }),
    removed: fc.array(either, { maxLength: 40 }),
    added: fc.array(either, { maxLength: 40 }),
  })

  it('the delta from a to b, applied to a, is b; over the wire too', () => {
    fc.assert(
      fc.property(sets, ({ kept, removed, added }) => {
        const a = listOf(entryLength, [...kept, ...removed], 1)
        const b = listOf(entryLength, [...kept, ...added], 2)
        const before = toHex(a.entries)
        const update = diff(a, b)
        const made = applyUpdate(a, update)
        expect(made.version).toEqual(b.version)
        expect(toHex(made.entries)).toBe(toHex(b.entries))
        expect(toHex(applyUpdate(a, decodeHashList(encodeHashList(update))).entries)).toBe(toHex(b.entries))
        expect(toHex(a.entries)).toBe(before)
        // And back again.
        expect(toHex(applyUpdate(b, diff(b, a)).entries)).toBe(before)
      }),
      { numRuns: 300 },
    )
  })

  it('a delta for another list is refused', () => {
    fc.assert(
      fc.property(sets, either, ({ kept, removed, added }, extra) => {
        const a = listOf(entryLength, [...kept, ...removed], 1)
        const b = listOf(entryLength, [...kept, ...added], 2)
        const other = listOf(entryLength, [...kept, ...removed, extra], 3)
        fc.pre(other.count !== a.count)
        const update = diff(a, b)
        const outcome = (): string => toHex(applyUpdate(other, update).entries)
        // Only by chance, where the delta takes just the other entry away or adds it, it comes to the same list.
        const refused = expect.objectContaining({ code: expect.stringMatching(/^list-(format|checksum)$/) })
        if (toHex(extra) !== '' && toHex(b.entries) !== outcomeOf(other, update)) expect(outcome).toThrow(refused)
      }),
      { numRuns: 200 },
    )
  })
})

/** What removals and additions come to by sets, whatever the checksum says. */
function outcomeOf(held: HashList, { removals, additions }: ListUpdate): string {
  const gone = new Set(removals)
  const kept = entriesOf(held).filter((_, i) => !gone.has(i))
  const added = additions ? entriesOf(HashList.fromSorted({ name: '', version: held.version, ...additions })) : []
  return [...kept, ...added].map(toHex).sort().join('')
}
