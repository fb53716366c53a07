import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf'
import { ScalarType } from '@bufbuild/protobuf'
import { DurationSchema } from '@bufbuild/protobuf/wkt'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64, fromHex } from '../../src/bytes.ts'
import { hashPrefix } from '../../src/hash/hash-prefix.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import type { ListUpdate } from '../../src/lists/list-update.ts'
import { file_safebrowsing } from '../../src/protocol/gen/safebrowsing_pb.ts'
import { decodeBatch, decodeHashList, encodeBatch, encodeHashList } from '../../src/protocol/hash-list-message.ts'
import { batchPath, searchPath } from '../../src/protocol/paths.ts'
import { decodeSearchAnswer, decodeSearchRequest, encodeSearchAnswer } from '../../src/protocol/search-message.ts'
import { vectors } from '../support/vectors.ts'

interface ProtoInput {
  readonly message?: string
  readonly field?: string
  readonly enum?: string
  readonly value?: string
  readonly rpc?: string
}

function message(name: string): DescMessage {
  if (name === 'google.protobuf.Duration') return DurationSchema
  let found: DescMessage | undefined
  let within: readonly DescMessage[] = file_safebrowsing.messages
  for (const part of name.split('.')) {
    found = within.find((candidate) => candidate.name === part)
    within = found?.nestedMessages ?? []
  }
  if (found === undefined) throw new Error(`no message ${name}`)
  return found
}

function enumeration(name: string): DescEnum {
  const [first = '', second] = name.split('.')
  const found =
    second === undefined
      ? file_safebrowsing.enums.find((each) => each.name === first)
      : message(first).nestedEnums.find((each) => each.name === second)
  if (found === undefined) throw new Error(`no enum ${name}`)
  return found
}

function typeName(field: DescField): string {
  const own = (desc: { readonly typeName: string }): string => desc.typeName.replace(/^wary\.v5\./, '')
  const kind = field.fieldKind === 'list' ? field.listKind : field.fieldKind
  const name =
    kind === 'message'
      ? own(field.message as DescMessage)
      : kind === 'enum'
        ? own(field.enum as DescEnum)
        : ScalarType[field.scalar as ScalarType].toLowerCase()
  return field.fieldKind === 'list' ? `repeated ${name}` : name
}

describe('sb_v5_proto.json', () => {
  const all = vectors<ProtoInput, { number: number; type: string; http: string }>('sb_v5_proto.json')
  it.each(all.filter(({ input }) => input.field !== undefined))('$input.message.$input.field', ({ input, expected }) => {
    const field = message(input.message as string).fields.find((each) => each.name === input.field)
    expect(field?.number).toBe(expected.number)
    const short = (type: string): string => type.replace(/(\w+\.)(?=\w+$)/, (prefix) => (prefix.startsWith('google') ? prefix : prefix))
    expect(field && short(typeName(field))).toBe(short(expected.type))
  })

  it.each(all.filter(({ input, note }) => input.enum !== undefined && !note?.startsWith('Chrome only')))(
    '$input.enum.$input.value',
    ({ input, expected }) => {
      expect(enumeration(input.enum as string).values.find((value) => value.name === input.value)?.number).toBe(expected.number)
    },
  )

  it.each(all.filter(({ note }) => note?.startsWith('Chrome only')))(
    'has no $input.value: an outside client disregards it',
    ({ input }) => {
      expect(enumeration(input.enum as string).values.map((value) => value.name)).not.toContain(input.value)
    },
  )

  it('has no entry of another kind', () => {
    expect(all.filter(({ input }) => input.field === undefined && input.enum === undefined && input.rpc === undefined)).toEqual([])
  })
})

describe('sb_v5_search.json', () => {
  const all = vectors<
    { prefixes_ascii?: readonly string[]; requested_prefixes_ascii?: readonly string[]; response_proto_hex?: string },
    Record<string, unknown>
  >('sb_v5_search.json')
  it.each(all.filter(({ input }) => input.response_proto_hex !== undefined))('$note', ({ input, expected }) => {
    const answer = decodeSearchAnswer(fromHex(input.response_proto_hex as string))
    expect(answer.cacheDurationMs).toBe((expected.cache_seconds as number) * 1000)
    const asked = answer.fullHashes
      .map(({ hash }) => new TextDecoder().decode(hash))
      .filter((hash) => input.requested_prefixes_ascii?.includes(hash.slice(0, 4)))
    expect(asked).toEqual((expected.kept as { full_hash_ascii: string }[]).map((kept) => kept.full_hash_ascii))
    expect(decodeSearchAnswer(encodeSearchAnswer(answer))).toEqual(answer)
  })

  it.each(all.filter(({ input }) => input.prefixes_ascii !== undefined))('reads the request $expected', ({ input, expected }) => {
    const prefixes = decodeSearchRequest(fromBase64(expected.request_proto_base64url as string))
    expect(prefixes.map((prefix) => new TextDecoder().decode(prefix))).toEqual(input.prefixes_ascii)
  })
})

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
