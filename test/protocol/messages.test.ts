import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../src/bytes.ts'
import { hashPrefix } from '../../src/hash/hash-prefix.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import type { ListUpdate } from '../../src/lists/list-update.ts'
import { decodeBatch, decodeHashList, encodeBatch, encodeHashList } from '../../src/protocol/hash-list-message.ts'
import { batchPath, searchPath } from '../../src/protocol/paths.ts'

describe('searchPath', () => {
  it('is the documented form, and as long for every prefix', () => {
    expect(searchPath(hashPrefix(new TextEncoder().encode('aaaa')))).toBe('/v5/hashes:search?hashPrefixes=YWFhYQ%3D%3D')
    expect(searchPath(hashPrefix(new Uint8Array([255, 255, 255, 255])))).toBe('/v5/hashes:search?hashPrefixes=_____w%3D%3D')
    expect(searchPath(hashPrefix(new Uint8Array(4)))).toHaveLength(searchPath(hashPrefix(new Uint8Array([255, 0, 255, 62]))).length)
  })
})

describe('batchPath', () => {
  it('leaves versions out where none is held, and keeps their order else', () => {
    expect(batchPath(['se-4b', 'mw-4b'], [new Uint8Array(0), new Uint8Array(0)])).toBe('/v5/hashLists:batchGet?names=se-4b&names=mw-4b')
    expect(batchPath(['se-4b', 'mw-4b'], [new Uint8Array(0), new Uint8Array([1])])).toBe(
      '/v5/hashLists:batchGet?names=se-4b&names=mw-4b&version=&version=AQ%3D%3D',
    )
  })
})

function update(entryLength: EntryLength, entries: Uint8Array): ListUpdate {
  const list = HashList.fromUnsorted({ name: `se-${entryLength}b`, version: new Uint8Array([7, 8]), entryLength, entries })
  return {
    name: list.name,
    version: list.version,
    partial: false,
    additions: list.count === 0 ? undefined : { entryLength, entries: list.entries },
    removals: undefined,
    checksum: list.checksum(),
    minimumWaitMs: 300_000,
    signed: { statement: new Uint8Array([1, 2, 3]), signatures: [{ keyId: new Uint8Array(8), signature: new Uint8Array(64).fill(5) }] },
  }
}

const lists = fc
  .constantFrom<EntryLength>(4, 8, 16, 32)
  .chain((entryLength) =>
    fc
      .array(fc.uint8Array({ minLength: entryLength, maxLength: entryLength }), { maxLength: 60 })
      .map((entries) => update(entryLength, new Uint8Array(entries.flatMap((entry) => [...entry])))),
  )

describe('hash list messages', () => {
  it('come back, alone and in a batch', () => {
    fc.assert(
      fc.property(fc.array(lists, { minLength: 1, maxLength: 3 }), (updates) => {
        expect(decodeBatch(encodeBatch(updates))).toEqual(updates)
        for (const each of updates) expect(decodeHashList(encodeHashList(each))).toEqual(each)
      }),
      { numRuns: 100 },
    )
  })

  it('carry removals and partial updates', () => {
    const partial: ListUpdate = {
      ...update(4, new Uint8Array(0)),
      partial: true,
      removals: new Uint32Array([0, 1, 5, 700_000]),
      signed: undefined,
    }
    expect(decodeHashList(encodeHashList(partial))).toEqual(partial)
  })

  it('refuse rubbish by name', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeHashList(bytes)
          decodeBatch(bytes)
        } catch (error) {
          expect(error).toMatchObject({ name: 'WaryError', code: 'list-format' })
        }
      }),
      { numRuns: 2000 },
    )
    expect(() => decodeHashList(new TextEncoder().encode('<!doctype html><html>'))).toThrow(
      expect.objectContaining({ code: 'list-format' }),
    )
  })

  it('refuse a count that the data cannot hold, without making room for it', () => {
    // additions_four_bytes { first_value: 1, rice_parameter: 3, entries_count: 2^31 - 1, encoded_data: 10 bytes }
    const coded = fromHex(`08011003${'18ffffffff07'}220a${'00'.repeat(10)}`)
    const bytes = new Uint8Array([0x22, coded.length, ...coded])
    expect(() => decodeHashList(bytes)).toThrow(expect.objectContaining({ code: 'list-format' }))
  })
})
