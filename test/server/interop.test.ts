import { fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toBase64 } from '../../src/bytes.ts'
import { CheckCounters } from '../../src/check/check-counters.ts'
import { FullHashCache } from '../../src/check/full-hash-cache.ts'
import { SearchClient } from '../../src/check/search-client.ts'
import { UrlChecker } from '../../src/check/url-checker.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { hashPrefix } from '../../src/hash/hash-prefix.ts'
import { singleKey } from '../../src/lists/key-set.ts'
import { applyUpdate } from '../../src/lists/list-update.ts'
import { TEST_ENTRIES } from '../../src/lists/test-entries.ts'
import { download } from '../../src/protocol/download.ts'
import { BatchGetHashListsResponseSchema, HashListSchema, SearchHashesResponseSchema } from '../../src/protocol/gen/safebrowsing_pb.ts'
import { decodeBatch, decodeHashList } from '../../src/protocol/hash-list-message.ts'
import { batchPath, LISTS_PATH } from '../../src/protocol/paths.ts'
import { decodeSearchAnswer } from '../../src/protocol/search-message.ts'
import { createApp } from '../../src/server/app.ts'
import { DEFAULT_LIMITS } from '../../src/server/limits.ts'
import { serve } from '../../src/server/serve.ts'
import { verifyList } from '../../src/update/list-verification.ts'
import { MemoryAnswerStore } from '../support/fakes.ts'
import { dataFolder } from '../support/publisher.ts'
import { storedList, verifyEd25519 } from '../support/signed-list.ts'
import { vectors } from '../support/vectors.ts'

/* Clients against the server, over real HTTP: our own, and others by the forms in which they ask. What each answer says in detail is in app.test.ts. */

/** A server of the lists with these lines, and every request that it gets. */
async function running(lines: readonly string[] | undefined) {
  const data = dataFolder()
  if (lines) await data.put(lines)
  const seen: Request[] = []
  const app = createApp({ ...data, onRequest: (request) => seen.push(request) })
  const server = await serve({ ...data, app, port: 0 })
  onTestFinished(() => server.close())
  const counters = new CheckCounters()
  const search = new SearchClient({ fetch, clock: data.clock, server: () => server.url, counters, logger: data.logger })
  return { ...data, url: server.url, seen, counters, search }
}

type Running = Awaited<ReturnType<typeof running>>

/** Checks pages against a list of `expressions` that is in force here, by questions to `server`. */
function checkerOf({ url, search, counters, clock, logger }: Running, expressions: readonly string[]): UrlChecker {
  const held = storedList({ expressions })
  return new UrlChecker({
    lists: () => ({ kind: 'lists', lists: [{ ...held, source: url }] }),
    allowances: { allows: () => false },
    cache: new FullHashCache({ store: new MemoryAnswerStore(), clock, counters, logger }),
    search: { search: (_source, prefix) => search.search(prefix) },
    clock,
    counters,
    onContradiction: () => undefined,
  })
}

const PAGE = { tabId: 1, frame: false, persist: true } as const

const prefix = (expression: string): Uint8Array => fullHash(expression).subarray(0, 4)
const asked = (request: Request): string[] => new URL(request.url).searchParams.getAll('hashPrefixes')

async function protobuf(url: string): Promise<Uint8Array> {
  return (await download(url, { fetch, limitBytes: 1_000_000, timeoutMs: 5000 })).bytes
}

async function json(url: string, headers: Record<string, string> = {}): Promise<JsonValue> {
  const answer = await fetch(url, { headers })
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  return (await answer.json()) as JsonValue
}

describe('our client', () => {
  test('is told of what is listed, and of what is not', async () => {
    const { search, clock } = await running(['evil.test'])
    const listed = await search.search(hashPrefix(fullHash('evil.test/')))
    expect(listed.fullHashes).toEqual([{ hash: new Uint8Array(fullHash('evil.test/')), threatTypes: ['SOCIAL_ENGINEERING'] }])
    expect(listed.expiresAt).toBe(clock.now() + 300_000)
    expect((await search.search(hashPrefix(fullHash('good.test/')))).fullHashes).toEqual([])
    for (const { expression, threatType } of TEST_ENTRIES) {
      const { fullHashes } = await search.search(hashPrefix(fullHash(expression)))
      expect(fullHashes.map(({ threatTypes }) => threatTypes)).toEqual([[threatType]])
    }
  })

  test('puts the published list into force, and is told that nothing is new', async () => {
    const { url, key, clock } = await running(['evil.test', 'bad.test/a?b'])
    const [update] = decodeBatch(await protobuf(url + batchPath(['se-4b'], [])))
    if (update === undefined) throw new Error('no list')
    const verification = {
      source: url,
      rate: 1e-3,
      keys: singleKey(key.publicKey),
      verify: verifyEd25519,
      clock,
      pause: async () => undefined,
      signal: new AbortController().signal,
      onBuild: () => undefined,
    }
    const { stored, change } = await verifyList(update, undefined, verification)
    expect(change).toBe('entries')
    expect(['evil.test/', 'bad.test/a?b', 'good.test/'].map((each) => stored.list.has(fullHash(each)))).toEqual([true, true, false])
    const [again] = decodeBatch(await protobuf(url + batchPath(['se-4b'], [stored.list.version])))
    expect(again).toMatchObject({ partial: true, additions: undefined, removals: undefined })
    expect(again && (await verifyList(again, stored, verification))).toMatchObject({ change: 'none', stored })
  })

  /** Whoever sees several prefixes of one page together knows which page it is. */
  test('asks about three listed expressions of one page in three requests, of one prefix each', async () => {
    const server = await running(['unrelated.test'])
    const { seen } = server
    const expressions = ['evil.test/', 'evil.test/a/', 'www.evil.test/a/b.html']
    const checker = checkerOf(server, expressions)
    const verdict = await checker.check('https://user@WWW.evil.test:8443/a/./b.html#c', PAGE)
    // The server knows none of them, so that each has to be asked about.
    expect(verdict).toMatchObject({ kind: 'unverified', hits: expressions.map((expression) => ({ expression })) })
    expect(seen.map(asked)).toEqual(
      expressions.map((expression) => [toBase64(prefix(expression)).replaceAll('+', '-').replaceAll('/', '_')]),
    )
    expect(new Set(seen.map((request) => request.url.length)).size).toBe(1)
    const shapes = seen.map(({ headers, method }) => JSON.stringify([method, ...headers]))
    expect(new Set(shapes).size).toBe(1)
    for (const { headers } of seen)
      expect([headers.get('cookie'), headers.get('referer'), headers.get('origin')]).toEqual([null, null, null])
    // The answers are kept, so that nothing is asked twice.
    await checker.check('https://www.evil.test/a/b.html', PAGE)
    expect(seen).toHaveLength(3)
  })

  test('asks no more once it knows', async () => {
    const server = await running(['evil.test', 'evil.test/a/'])
    const checker = checkerOf(server, ['evil.test/', 'evil.test/a/'])
    const verdict = await checker.check('http://evil.test/a/b', PAGE)
    expect(verdict).toMatchObject({ kind: 'threat', hits: [{ expression: 'evil.test/', threatType: 'SOCIAL_ENGINEERING' }] })
    expect(server.seen.map((request) => asked(request).length)).toEqual([1])
  })
})

describe('another client', () => {
  test('gets the same in JSON as in protobuf, whichever way it asks', async () => {
    const { url } = await running(['evil.test'])
    const search = `${url}/v5/hashes:search?hashPrefixes=${encodeURIComponent(toBase64(prefix('evil.test/')))}`
    const list = `${url}/v5/hashList/se-4b`
    const batch = `${url}${batchPath(['se-4b'], [])}`
    const ways = [
      (of: string, more = '') => json(`${of}${of.includes('?') ? '&' : '?'}alt=json${more}`),
      (of: string, more = '') => json(`${of}${of.includes('?') ? '&' : '?'}x=y${more}`, { accept: 'application/json' }),
      (of: string, more = '') => json(`${of}${of.includes('?') ? '&' : '?'}$alt=json${more}`, { accept: '*/*' }),
    ]
    const listed = decodeHashList(await protobuf(list))
    for (const way of ways) {
      const answer = toBinary(SearchHashesResponseSchema, fromJson(SearchHashesResponseSchema, await way(search)))
      expect(decodeSearchAnswer(answer)).toEqual(decodeSearchAnswer(await protobuf(search)))
      // Wary's own fields are for those who ask for them.
      const plain = decodeHashList(toBinary(HashListSchema, fromJson(HashListSchema, await way(list))))
      expect(plain).toEqual({ ...listed, signed: undefined })
      expect(applyUpdate(undefined, plain).has(fullHash('evil.test/'))).toBe(true)
      expect(decodeHashList(toBinary(HashListSchema, fromJson(HashListSchema, await way(list, '&wary=1'))))).toEqual(listed)
      const lists = fromJson(BatchGetHashListsResponseSchema, await way(batch, '&wary=1'))
      expect(decodeBatch(toBinary(BatchGetHashListsResponseSchema, lists))).toEqual([listed])
    }
    expect(decodeBatch(await protobuf(url + LISTS_PATH))).toMatchObject([{ name: 'se-4b', additions: undefined }])
  })

  test('may skip the fields that it does not know', async () => {
    const { url } = await running(['evil.test'])
    const message = await json(`${url}/v5/hashList/se-4b?alt=json`)
    expect(Object.keys(message as object).sort()).toEqual([
      'additionsFourBytes',
      'metadata',
      'minimumWaitDuration',
      'name',
      'sha256Checksum',
      'version',
    ])
  })

  test('asks as Chromium does', async () => {
    const { url } = await running(['evil.test'])
    const asking = vectors<{ prefixes_ascii?: readonly string[] }, { chromium_url_form?: string }>('sb_v5_search.json').flatMap(
      ({ expected }) => expected.chromium_url_form ?? [],
    )
    expect(asking).toHaveLength(1)
    for (const form of asking) {
      expect(decodeSearchAnswer(await protobuf(url + form))).toEqual({ cacheDurationMs: 300_000, fullHashes: [] })
      // The same form, about what is listed.
      const request = toBase64(new Uint8Array([0x0a, 4, ...prefix('evil.test/')]))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
      const answer = decodeSearchAnswer(await protobuf(url + form.replace('CgRhYWFh', request)))
      expect(answer.fullHashes.map(({ hash }) => hash)).toEqual([new Uint8Array(fullHash('evil.test/'))])
    }
  })

  test.each<[string, (bytes: Uint8Array) => string]>([
    ['plain base64', (bytes) => encodeURIComponent(toBase64(bytes))],
    ['plain base64 that nobody escaped', toBase64],
    ['URL-safe base64', (bytes) => Buffer.from(bytes).toString('base64url')],
    ['URL-safe base64 with padding', (bytes) => `${Buffer.from(bytes).toString('base64url')}%3D%3D`],
    ['base64 without padding', (bytes) => encodeURIComponent(toBase64(bytes).replace(/=+$/, ''))],
  ])('asks in %s, for 1 and for 1,000 prefixes, and not for 1,001', async (_, form) => {
    const hosts = Array.from({ length: 1001 }, (_, i) => `evil${i}.test`)
    const { url } = await running(hosts)
    const search = (count: number): string => {
      const query = hosts.slice(0, count).map((host) => `hashPrefixes=${form(prefix(`${host}/`))}`)
      return `${url}/v5/hashes:search?key=none&${query.join('&')}`
    }
    for (const count of [1, 1000]) {
      const { fullHashes } = decodeSearchAnswer(await protobuf(search(count)))
      const found = new Set(fullHashes.map(({ hash }) => toBase64(hash)))
      expect(hosts.slice(0, count).filter((host) => !found.has(toBase64(fullHash(`${host}/`))))).toEqual([])
    }
    const refused = await fetch(search(1001))
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }])
  })
})

describe("errors have Google's form and the same HTTP status", () => {
  interface Refused {
    readonly status: number
    readonly name: string
    readonly path: string
    readonly init?: RequestInit
  }
  const AAAA = '/v5/hashes:search?hashPrefixes=YWFhYQ'
  const REFUSED: readonly Refused[] = [
    { status: 400, name: 'INVALID_ARGUMENT', path: '/v5/hashes:search' },
    { status: 400, name: 'INVALID_ARGUMENT', path: '/v5/hashes:search?hashPrefixes=YWFh' },
    { status: 400, name: 'INVALID_ARGUMENT', path: '/v5/hashes:search?hashPrefixes=YWFhYWE' },
    { status: 400, name: 'INVALID_ARGUMENT', path: '/v5/hashes:search?hashPrefixes=!' },
    { status: 400, name: 'INVALID_ARGUMENT', path: '/v5/hashes:search?$req=/////w==' },
    { status: 400, name: 'INVALID_ARGUMENT', path: '/v5/hashes:search?$req=CgRhYWFh&$ct=text/plain' },
    { status: 400, name: 'INVALID_ARGUMENT', path: '/v5/hashLists:batchGet' },
    { status: 404, name: 'NOT_FOUND', path: '/v5/hashLists:batchGet?names=nothing-4b' },
    { status: 404, name: 'NOT_FOUND', path: '/v5/hashList/nothing-4b' },
    { status: 404, name: 'NOT_FOUND', path: '/v5/hashList/%2e%2e' },
    { status: 404, name: 'NOT_FOUND', path: '/v4/fullHashes:find' },
    { status: 404, name: 'NOT_FOUND', path: '/v1/filters/nothing-4b' },
    { status: 405, name: 'UNIMPLEMENTED', path: AAAA, init: { method: 'POST', body: 'x' } },
    { status: 405, name: 'UNIMPLEMENTED', path: '/v5/hashLists', init: { method: 'DELETE' } },
    { status: 414, name: 'INVALID_ARGUMENT', path: `${AAAA}&x=${'x'.repeat(DEFAULT_LIMITS.urlLength)}` },
  ]

  test('whatever form of answer was asked for', async () => {
    const { url, search, logger } = await running(['evil.test'])
    for (const { status, name, path, init } of REFUSED) {
      for (const accept of ['application/x-protobuf', 'application/json', '*/*']) {
        const answer = await fetch(url + path, { ...init, headers: { accept } })
        const body: unknown = await answer.json()
        expect([path.slice(0, 60), answer.status, answer.headers.get('content-type')]).toEqual([
          path.slice(0, 60),
          status,
          'application/json; charset=utf-8',
        ])
        expect(body).toEqual({ error: { code: status, message: expect.stringMatching(/^[\x20-\x7e]{5,200}$/), status: name } })
      }
    }
    expect(logger.events()).not.toContain('request-failed')
    expect((await search.search(hashPrefix(fullHash('evil.test/')))).fullHashes).toHaveLength(1)
  })

  test('our client names the status and says what the server said', async () => {
    const { url, search } = await running(undefined)
    const answer = await fetch(`${url}${AAAA}`)
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { error: { code: 503, message: 'nothing is published yet', status: 'UNAVAILABLE' } },
    ])
    await expect(search.search(hashPrefix(fullHash('evil.test/')))).rejects.toMatchObject({
      code: 'http-status',
      message: 'the server answered 503: nothing is published yet',
    })
  })
})
