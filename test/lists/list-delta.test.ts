import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, toHex } from '../../src/bytes.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import { listDelta } from '../../src/lists/list-delta.ts'
import { applyUpdate, type ListUpdate } from '../../src/lists/list-update.ts'
import { decodeHashList, encodeHashList } from '../../src/protocol/hash-list-message.ts'

function listOf(entryLength: EntryLength, entries: readonly Uint8Array[], version: number): HashList {
  const parts = { name: `se-${entryLength}b`, version: new Uint8Array([version]), entryLength }
  return HashList.fromUnsorted({ ...parts, entries: concatBytes(entries) })
}

function updateOf(from: HashList, to: HashList): ListUpdate {
  const { removals, additions } = listDelta(from, to)
  return {
    name: to.name,
    version: to.version,
    partial: true,
    additions: additions.length > 0 ? { entryLength: to.entryLength, entries: additions } : undefined,
    removals: removals.length > 0 ? removals : undefined,
    checksum: to.checksum(),
    minimumWaitMs: 0,
    signed: undefined,
  }
}

describe.each<EntryLength>([4, 8, 16, 32])('entries of %d bytes', (entryLength) => {
  const length = { minLength: entryLength, maxLength: entryLength }
  // Many that differ in one word only, be it the first or the last, on either side of the sign.
  const alike = fc.array(fc.constantFrom(0, 1, 127, 128, 254, 255), length).map((bytes) => new Uint8Array(bytes))
  const entries = fc.array(fc.oneof(alike, fc.uint8Array(length)), { maxLength: 60 })

  it('the delta applied to the one is the other, over the wire too, and holds no entry of both', () => {
    fc.assert(
      fc.property(entries, entries, entries, (kept, gone, come) => {
        const from = listOf(entryLength, [...kept, ...gone], 1)
        const to = listOf(entryLength, [...kept, ...come], 2)
        const update = updateOf(from, to)
        expect(toHex(applyUpdate(from, update).entries)).toBe(toHex(to.entries))
        expect(toHex(applyUpdate(from, decodeHashList(encodeHashList(update))).entries)).toBe(toHex(to.entries))
        const added = update.additions?.entries ?? new Uint8Array(0)
        for (let at = 0; at < added.length; at += entryLength) expect(from.has(added.subarray(at, at + entryLength))).toBe(false)
        expect(from.count - listDelta(from, to).removals.length + added.length / entryLength).toBe(to.count)
      }),
      { numRuns: 300 },
    )
  })

  it('from nothing is everything, to nothing is every index, between equal lists nothing', () => {
    fc.assert(
      fc.property(entries, (some) => {
        const [none, list] = [listOf(entryLength, [], 1), listOf(entryLength, some, 2)]
        expect(listDelta(none, list)).toEqual({ removals: new Uint32Array(0), additions: list.entries.slice() })
        expect([...listDelta(list, none).removals]).toEqual(Array.from({ length: list.count }, (_, i) => i))
        expect(listDelta(list, list)).toEqual({ removals: new Uint32Array(0), additions: new Uint8Array(0) })
      }),
    )
  })

  it('also of lists that begin anywhere in a buffer', () => {
    const entry = Uint8Array.from({ length: entryLength }, (_, i) => i + 1)
    const shifted = concatBytes([new Uint8Array(3), entry]).subarray(3)
    const parts = { name: 'x', version: new Uint8Array(0), entryLength }
    const [from, to] = [HashList.fromSorted({ ...parts, entries: new Uint8Array(0) }), HashList.fromSorted({ ...parts, entries: shifted })]
    expect(listDelta(from, to).additions).toEqual(entry)
    expect(listDelta(to, from).removals).toEqual(Uint32Array.of(0))
  })
})

it('there is none between entries of two lengths', () => {
  expect(() => listDelta(listOf(4, [], 1), listOf(8, [], 2))).toThrow(RangeError)
})
