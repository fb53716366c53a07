import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../src/bytes.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import { applyUpdate, type ListUpdate } from '../../src/lists/list-update.ts'
import { decodeRice } from '../../src/lists/rice.ts'
import { parseListName } from '../../src/protocol/threat-type.ts'
import { vectors } from '../support/vectors.ts'

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

interface Additions {
  readonly first_value: number
  readonly rice_parameter: number
  readonly entries_count: number
  readonly encoded_hex: string
}

interface UpdateInput {
  readonly old_prefixes_be_hex: readonly string[]
  readonly partial_update: boolean
  readonly additions_four_bytes: Additions | null
  readonly sha256_checksum_hex: string
}

describe('sb_v5_list_update.json', () => {
  it.each(
    vectors<UpdateInput, { result: string; error?: string; prefixes_be_hex?: readonly string[]; checksum_hex?: string }>(
      'sb_v5_list_update.json',
    ),
  )('$note', ({ input, expected }) => {
    const old = HashList.fromSorted({ name: 'se-4b', version, entryLength: 4, entries: fromHex(input.old_prefixes_be_hex.join('')) })
    const added = input.additions_four_bytes
    const update: ListUpdate = {
      name: 'se-4b',
      version: new TextEncoder().encode('v5_new_version'),
      partial: input.partial_update,
      additions: added
        ? {
            entryLength: 4,
            entries: decodeRice(4, {
              firstValue: fromHex(added.first_value.toString(16).padStart(8, '0')),
              riceParameter: added.rice_parameter,
              entriesCount: added.entries_count,
              encodedData: fromHex(added.encoded_hex),
            }),
          }
        : undefined,
      removals: undefined,
      checksum: fromHex(input.sha256_checksum_hex),
      minimumWaitMs: 0,
      signed: undefined,
    }
    if (expected.result === 'error') {
      expect(() => applyUpdate(old, update)).toThrow(expect.objectContaining({ code: 'list-checksum' }))
      return
    }
    const list = applyUpdate(old, update)
    expect(toHex(list.entries)).toBe(expected.prefixes_be_hex?.join(''))
    expect(toHex(list.checksum())).toBe(expected.checksum_hex)
  })
})

describe('sb_v5_hash_lists.json', () => {
  it.each(vectors<string, { hash_bytes: number }>('sb_v5_hash_lists.json'))('$input', ({ input, expected, note }) => {
    const empty = { version, partial: false, additions: undefined, removals: undefined, minimumWaitMs: 0, signed: undefined }
    expect(applyUpdate(undefined, { ...empty, name: input, checksum: new Uint8Array(0) }).entryLength).toBe(expected.hash_bytes)
    // Lists of other kinds, such as Chrome's own, have no threat type here and so are never asked for.
    const kind = parseListName(input)
    if (kind !== undefined)
      expect({ ...kind, told: note?.startsWith(kind.threatType) }).toMatchObject({ entryLength: expected.hash_bytes, told: true })
  })
})

describe('applyUpdate', () => {
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
    expect(toHex(applyUpdate(base, update({ removals: new Uint32Array([0, 1]), additions })).entries)).toBe('000000050000000700000009')
    expect(toHex(base.entries)).toBe('000000010000000500000009')
  })

  it.each([
    ['an index past the end', update({ removals: new Uint32Array([3]) })],
    ['an index twice', update({ removals: new Uint32Array([1, 1]) })],
    ['an index out of order', update({ removals: new Uint32Array([2, 0]) })],
    ['an entry that is there', update({ additions: { entryLength: 4, entries: fromHex('00000005') } })],
    ['entries of another length', update({ additions: { entryLength: 8, entries: new Uint8Array(8) } })],
    ['removals in a full update', update({ partial: false, removals: new Uint32Array([0]) })],
  ])('refuses %s', (_name, refused) => expect(() => applyUpdate(base, refused)).toThrow(expect.objectContaining({ code: 'list-format' })))

  it('refuses a partial update without a list', () =>
    expect(() => applyUpdate(undefined, update({}))).toThrow(expect.objectContaining({ code: 'list-format' })))

  it('knows how long the entries of an empty list are by its name', () => {
    expect(applyUpdate(undefined, update({ partial: false, name: 'mw-8b' }))).toMatchObject({ entryLength: 8, count: 0 })
  })
})
