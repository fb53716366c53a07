import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../src/bytes.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import { applyUpdate, type ListUpdate, updatedList } from '../../src/lists/list-update.ts'

const version = new Uint8Array([1])

describe.each([4, 8, 16, 32] as const)('a list with entries of %d bytes', (entryLength: EntryLength) => {
  const bytes = new Uint8Array(entryLength * 1000)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.imul(i + 7, 2654435761) >>> 24
  const list = HashList.fromUnsorted({ name: `se-${entryLength}b`, version, entryLength, entries: bytes })

  it('finds each of its entries by the first bytes of a longer hash, and nothing else', () => {
    for (let i = 0; i < list.count; i++) {
      const hash = new Uint8Array(40).fill(9)
      hash.set(list.entries.subarray(i * entryLength, (i + 1) * entryLength), 3)
      expect(list.has(hash.subarray(3))).toBe(true)
      hash[3 + entryLength - 1] = (hash[3 + entryLength - 1] as number) ^ 1
      const packed = toHex(hash.subarray(3, 3 + entryLength))
      let listed = false
      for (let j = 0; j < list.count; j++) listed ||= toHex(list.entries.subarray(j * entryLength, (j + 1) * entryLength)) === packed
      expect(list.has(hash.subarray(3))).toBe(listed)
    }
  })

  it('does not answer about a shorter hash', () => expect(() => list.has(new Uint8Array(entryLength - 1))).toThrow(RangeError))

  it('refuses entries out of order, repeated or cut', () => {
    const entries = list.entries.slice()
    const refused = expect.objectContaining({ code: 'list-format' })
    expect(() => HashList.fromSorted({ ...list, name: 'x', version, entryLength, entries: entries.subarray(0, -1) })).toThrow(refused)
    expect(() =>
      HashList.fromSorted({ name: 'x', version, entryLength, entries: new Uint8Array([...entries, ...entries.subarray(-entryLength)]) }),
    ).toThrow(refused)
    expect(() =>
      HashList.fromSorted({ name: 'x', version, entryLength, entries: new Uint8Array([...entries, ...entries.subarray(0, entryLength)]) }),
    ).toThrow(refused)
  })

  it('is the same whatever the order it was made from', () => {
    const halves = new Uint8Array([
      ...bytes.subarray(500 * entryLength),
      ...bytes.subarray(0, 500 * entryLength),
      ...bytes.subarray(0, entryLength),
    ])
    expect(HashList.fromUnsorted({ name: 'x', version, entryLength, entries: halves }).entries).toEqual(list.entries)
  })
})

describe('updatedList and applyUpdate', () => {
  const base = HashList.fromSorted({ name: 'se-4b', version, entryLength: 4, entries: fromHex('000000010000000500000009') })
  const update = (parts: Partial<ListUpdate>): ListUpdate => ({
    name: 'se-4b',
    version: new Uint8Array([2]),
    partial: true,
    additions: undefined,
    removals: undefined,
    checksum: new Uint8Array(0),
    minimumWaitMs: 0,
    signed: undefined,
    ...parts,
  })

  it('removes by index before it adds', () => {
    const additions = { entryLength: 4, entries: fromHex('0000000500000007') } as const
    expect(toHex(updatedList(base, update({ removals: new Uint32Array([0, 1]), additions })).entries)).toBe('000000050000000700000009')
    expect(toHex(base.entries)).toBe('000000010000000500000009')
  })

  it.each([
    ['an index past the end', update({ removals: new Uint32Array([3]) })],
    ['an index twice', update({ removals: new Uint32Array([1, 1]) })],
    ['an index out of order', update({ removals: new Uint32Array([2, 0]) })],
    ['an entry that is there', update({ additions: { entryLength: 4, entries: fromHex('00000005') } })],
    ['entries of another length', update({ additions: { entryLength: 8, entries: new Uint8Array(8) } })],
    ['removals in a full update', update({ partial: false, removals: new Uint32Array([0]) })],
  ])('refuses %s', (_name, refused) => expect(() => updatedList(base, refused)).toThrow(expect.objectContaining({ code: 'list-format' })))

  it('refuses a partial update without a list', () =>
    expect(() => updatedList(undefined, update({}))).toThrow(expect.objectContaining({ code: 'list-format' })))

  it('asks for a checksum of whatever changes', () => {
    const refused = expect.objectContaining({ code: 'list-checksum' })
    expect(applyUpdate(base, update({})).entries).toEqual(base.entries)
    expect(() => applyUpdate(base, update({ removals: new Uint32Array([0]) }))).toThrow(refused)
    expect(() => applyUpdate(undefined, update({ partial: false }))).toThrow(refused)
    expect(() => applyUpdate(base, update({ checksum: new Uint8Array(32) }))).toThrow(refused)
    expect(applyUpdate(base, update({ checksum: base.checksum() })).entries).toEqual(base.entries)
  })

  it('knows how long the entries of an empty list are by its name', () => {
    expect(updatedList(undefined, update({ partial: false, name: 'mw-8b' }))).toMatchObject({ entryLength: 8, count: 0 })
  })
})
