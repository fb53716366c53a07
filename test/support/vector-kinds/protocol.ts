import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf'
import { ScalarType } from '@bufbuild/protobuf'
import { DurationSchema } from '@bufbuild/protobuf/wkt'
import { expect } from 'vitest'
import { fromBase64, fromHex } from '../../../src/bytes.ts'
import { CheckCounters } from '../../../src/check/check-counters.ts'
import { FullHashCache } from '../../../src/check/full-hash-cache.ts'
import { SearchClient } from '../../../src/check/search-client.ts'
import { hashPrefix } from '../../../src/hash/hash-prefix.ts'
import { file_safebrowsing } from '../../../src/protocol/gen/safebrowsing_pb.ts'
import { decodeBatch, decodeHashList } from '../../../src/protocol/hash-list-message.ts'
import { batchPath, LISTS_PATH, searchPath } from '../../../src/protocol/paths.ts'
import { decodeSearchAnswer, decodeSearchRequest, encodeSearchAnswer } from '../../../src/protocol/search-message.ts'
import { threatTypeNumber, threatTypeOf } from '../../../src/protocol/threat-type.ts'
import { createApp } from '../../../src/server/app.ts'
import { searchedPrefixes } from '../../../src/server/search-request.ts'
import { FakeClock, MemoryAnswerStore, RecordingLogger, T0 } from '../fakes.ts'
import { HttpServer, protobuf, status } from '../http-server.ts'
import { dataFolder } from '../publisher.ts'
import { vectorKind } from '../vectors.ts'

const ascii = (text: string) => new TextEncoder().encode(text)
const asText = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

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
  const within = second === undefined ? file_safebrowsing.enums : message(first).nestedEnums
  const found = within.find((each) => each.name === (second ?? first))
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

/** Where the client asks for each call, and what makes its answer readable. */
const CALLS: Readonly<Record<string, { readonly asked: string; readonly query: string; readonly read: (bytes: Uint8Array) => unknown }>> = {
  SearchHashes: { asked: searchPath(hashPrefix(ascii('aaaa'))), query: '?hashPrefixes=YWFhYQ', read: decodeSearchAnswer },
  BatchGetHashLists: { asked: batchPath(['se-4b'], []), query: '?names=se-4b', read: decodeBatch },
  ListHashLists: { asked: LISTS_PATH, query: '', read: decodeBatch },
  GetHashList: { asked: '/v5/hashList/se-4b', query: '', read: decodeHashList },
}

async function binding(rpc: string, http: string): Promise<void> {
  const call = CALLS[rpc]
  if (call === undefined) throw new Error(`an unknown call: ${rpc}`)
  const path = http.replace(/^GET /, '').replace('{name}', 'se-4b')
  expect(call.asked.split('?', 1)[0]).toBe(path)
  const data = dataFolder()
  await data.put(['evil.test'])
  data.store.reload()
  const answer = await createApp(data).fetch(new Request(`http://lists.test${path}${call.query}`))
  expect(answer.status).toBe(200)
  expect(call.read(new Uint8Array(await answer.arrayBuffer()))).toBeDefined()
}

interface ProtoInput {
  readonly message?: string
  readonly field?: string
  readonly enum?: string
  readonly value?: string
  readonly rpc?: string
}

const proto = vectorKind<ProtoInput, { number: number; type: string; http: string }>(/^sb_v5_proto/, async ({ input, expected, note }) => {
  if (input.message !== undefined && input.field !== undefined) {
    const field = message(input.message).fields.find((each) => each.name === input.field)
    expect([field?.number, field && typeName(field)]).toEqual([expected.number, expected.type])
  } else if (input.rpc !== undefined) {
    await binding(input.rpc, expected.http)
  } else if (input.enum !== undefined && input.value !== undefined) {
    const values = enumeration(input.enum).values
    if (note?.startsWith('Chrome only')) {
      expect(values.map((value) => value.name)).not.toContain(input.value)
      expect(threatTypeOf(expected.number)).toBeUndefined()
      return 'disregarded outside of Chrome'
    }
    expect(values.find((value) => value.name === input.value)?.number).toBe(expected.number)
    if (input.enum === 'ThreatType' && expected.number > 0) {
      expect(threatTypeOf(expected.number)).toBe(input.value)
      expect(threatTypeNumber(input.value as Parameters<typeof threatTypeNumber>[0])).toBe(expected.number)
    }
  } else throw new Error(`an input of an unknown form: ${JSON.stringify(input)}`)
  return undefined
})

function cacheOf(clock: FakeClock) {
  return new FullHashCache({ store: new MemoryAnswerStore(), clock, counters: new CheckCounters(), logger: new RecordingLogger() })
}

interface SearchInput {
  readonly prefixes_ascii?: readonly string[]
  readonly requested_prefixes_ascii?: readonly string[]
  readonly http_status?: number
  readonly response_proto_hex?: string
}
interface SearchExpected {
  readonly request_proto_base64url?: string
  readonly chromium_url_form?: string
  readonly kept?: readonly { full_hash_ascii: string; details: readonly { threat_type: string; attributes: readonly string[] }[] }[]
  readonly cache_seconds?: number
}

const search = vectorKind<SearchInput, SearchExpected>(/^sb_v5_search/, async ({ input, expected }) => {
  if (input.prefixes_ascii !== undefined) {
    expect(decodeSearchRequest(fromBase64(expected.request_proto_base64url ?? '')).map(asText)).toEqual(input.prefixes_ascii)
    const { searchParams } = new URL(expected.chromium_url_form ?? '', 'http://lists.test')
    expect(searchedPrefixes(searchParams, 1000).map(asText)).toEqual(input.prefixes_ascii)
    return
  }
  const bytes = fromHex(input.response_proto_hex ?? '')
  const asked = input.requested_prefixes_ascii ?? []
  const answer = decodeSearchAnswer(bytes)
  const lifeMs = (expected.cache_seconds ?? 0) * 1000
  expect(answer.cacheDurationMs).toBe(lifeMs)
  const kept = answer.fullHashes.map(({ hash }) => asText(hash)).filter((hash) => asked.includes(hash.slice(0, 4)))
  expect(kept).toEqual(expected.kept?.map((each) => each.full_hash_ascii))
  expect(decodeSearchAnswer(encodeSearchAnswer(answer))).toEqual(answer)

  // The same bytes over HTTP, by the client, one prefix a request.
  const server = await HttpServer.start(input.http_status === 200 ? protobuf(bytes) : status(input.http_status ?? 0, {}))
  try {
    const clock = new FakeClock()
    const options = { fetch, clock, server: () => server.origin, counters: new CheckCounters(), logger: new RecordingLogger() }
    for (const text of asked) {
      const prefix = hashPrefix(ascii(text))
      const found = await new SearchClient(options).search(prefix)
      const fullHashes = found.fullHashes.map(({ hash, threatTypes }) => ({
        full_hash_ascii: asText(hash),
        details: threatTypes.map((type) => ({ threat_type: type, attributes: [] })),
      }))
      expect(fullHashes).toEqual(expected.kept?.filter(({ full_hash_ascii }) => full_hash_ascii.startsWith(text)))
      expect([found.prefix, found.expiresAt]).toEqual([prefix, T0 + lifeMs])
      const cache = cacheOf(clock)
      cache.put(found, { persist: true })
      expect(cache.get(server.origin, prefix)).toEqual(found)
    }
  } finally {
    await server.stop()
  }
})

interface Step {
  readonly at_seconds: number
  readonly store?: { readonly requested: readonly string[]; readonly full_hashes: readonly string[]; readonly duration_seconds: number }
  readonly lookup?: readonly string[]
  readonly hits?: readonly string[]
  readonly values?: Readonly<Record<string, readonly string[]>>
}

const cache = vectorKind<'scenario', readonly Step[]>(/^sb_v5_cache/, ({ expected: steps }) => {
  const clock = new FakeClock()
  const held = cacheOf(clock)
  for (const step of steps) {
    clock.advance(T0 + step.at_seconds * 1000 - clock.now())
    for (const prefix of step.store?.requested ?? []) {
      const hashes = step.store?.full_hashes.filter((hash) => hash.startsWith(prefix)) ?? []
      const fullHashes = hashes.map((hash) => ({ hash: ascii(hash), threatTypes: ['MALWARE' as const] }))
      const expiresAt = clock.now() + (step.store?.duration_seconds ?? 0) * 1000
      held.put({ source: 'server', prefix: hashPrefix(ascii(prefix)), expiresAt, fullHashes }, { persist: true })
    }
    const hits = step.lookup?.filter((prefix) => held.get('server', hashPrefix(ascii(prefix))) !== undefined)
    expect(hits).toEqual(step.hits)
    for (const [prefix, hashes] of Object.entries(step.values ?? {})) {
      expect(held.get('server', hashPrefix(ascii(prefix)))?.fullHashes.map(({ hash }) => asText(hash))).toEqual(hashes)
    }
  }
})

export const PROTOCOL_KINDS = [proto, search, cache]
