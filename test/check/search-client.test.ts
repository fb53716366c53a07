import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { concatBytes } from '../../src/bytes.ts'
import { CheckCounters } from '../../src/check/check-counters.ts'
import { LONGEST_CACHE_MS } from '../../src/check/full-hash-cache.ts'
import { SearchClient, type SearchClientOptions } from '../../src/check/search-client.ts'
import { WaryError } from '../../src/errors.ts'
import { type HashPrefix, hashPrefix } from '../../src/hash/hash-prefix.ts'
import { searchPath } from '../../src/protocol/paths.ts'
import { encodeSearchAnswer, type SearchAnswer } from '../../src/protocol/search-message.ts'
import { FakeClock, RecordingLogger, T0 } from '../support/fakes.ts'
import { announcing, endless, HttpServer, html, protobuf, silent, status, truncated } from '../support/http-server.ts'
import { until } from '../support/until.ts'

const ascii = (text: string) => new TextEncoder().encode(text)
const AAAA = hashPrefix(ascii('aaaa'))
const FULL = ascii('aaaa1111111111111111111111111111')

let server: HttpServer
let clock: FakeClock
let counters: CheckCounters
let logger: RecordingLogger
beforeEach(async () => {
  server = await HttpServer.start(protobuf(encodeSearchAnswer({ cacheDurationMs: 300_000, fullHashes: [] })))
  clock = new FakeClock()
  counters = new CheckCounters()
  logger = new RecordingLogger()
})
afterEach(() => server.stop())

function client(options: Partial<SearchClientOptions> = {}): SearchClient {
  return new SearchClient({ fetch, clock, server: () => server.origin, counters, logger, ...options })
}

async function failure(search: Promise<unknown>): Promise<WaryError> {
  const error: unknown = await search.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof WaryError)) throw new Error(`not a WaryError: ${String(error)}`)
  return error
}

function answers(answer: SearchAnswer): void {
  server.answer = protobuf(encodeSearchAnswer(answer))
}

function detail(threatType: number, ...attributes: number[]) {
  return { threatType, attributes }
}

describe('SearchClient: answers', () => {
  it.each([
    ['two threat types', [detail(1), detail(2)], { threatTypes: ['MALWARE', 'SOCIAL_ENGINEERING'] }],
    ['the same type twice', [detail(1), detail(1)], { threatTypes: ['MALWARE'] }],
    ['an unknown threat type', [detail(6), detail(2)], { threatTypes: ['SOCIAL_ENGINEERING'] }],
    ['an unspecified threat type', [detail(0)], { threatTypes: [] }],
    ['CANARY', [detail(1, 1), detail(2)], { threatTypes: ['SOCIAL_ENGINEERING'] }],
    ['FRAME_ONLY', [detail(1, 2), detail(2)], { threatTypes: ['SOCIAL_ENGINEERING'], frameOnlyTypes: ['MALWARE'] }],
    ['CANARY and FRAME_ONLY', [detail(1, 2, 1)], { threatTypes: [] }],
    ['an unknown attribute', [detail(1, 3)], { threatTypes: [] }],
    ['an unspecified attribute', [detail(1, 0)], { threatTypes: [] }],
    ['no detail', [], { threatTypes: [] }],
  ])('reads details: %s', async (_, details, expected) => {
    answers({ cacheDurationMs: 1000, fullHashes: [{ hash: FULL, details }] })
    expect((await client().search(AAAA)).fullHashes).toEqual([{ hash: FULL, ...expected }])
  })

  it('believes an answer for a day at most', async () => {
    answers({ cacheDurationMs: 400 * LONGEST_CACHE_MS, fullHashes: [] })
    expect((await client().search(AAAA)).expiresAt).toBe(T0 + LONGEST_CACHE_MS)
  })

  it.each<[string, SearchAnswer]>([
    ['no cache duration', { cacheDurationMs: undefined, fullHashes: [] }],
    ['a negative cache duration', { cacheDurationMs: -1000, fullHashes: [] }],
    ['a full hash of 31 bytes', { cacheDurationMs: 1000, fullHashes: [{ hash: FULL.subarray(1), details: [detail(1)] }] }],
    [
      'a full hash of 33 bytes',
      { cacheDurationMs: 1000, fullHashes: [{ hash: concatBytes([FULL, FULL.subarray(31)]), details: [detail(1)] }] },
    ],
    ['257 full hashes', { cacheDurationMs: 1000, fullHashes: Array.from({ length: 257 }, () => ({ hash: FULL, details: [detail(1)] })) }],
  ])('refuses %s', async (_, answer) => {
    answers(answer)
    expect((await failure(client().search(AAAA))).code).toBe('search-answer')
    expect(counters.snapshot().errors).toEqual({ 'search-answer': 1 })
  })

  it('refuses what is no answer message', async () => {
    server.answer = protobuf(new Uint8Array(40).fill(0xff))
    expect((await failure(client().search(AAAA))).code).toBe('search-answer')
  })
})

describe('SearchClient: requests', () => {
  it('asks in the REST form of the vectors, padded and percent-encoded', async () => {
    await client().search(AAAA)
    expect(server.seen[0]?.target).toBe('/v5/hashes:search?hashPrefixes=YWFhYQ%3D%3D')
  })

  it('sends requests that differ in nothing but four bytes', async () => {
    const search = client()
    for (const prefix of [0, 0xffffffff, 0x12345678]) await search.search(prefix as HashPrefix)
    const shape = server.seen.map(({ method, target, headers }) => ({ method, length: target.length, headers: { ...headers, target: '' } }))
    expect(shape[1]).toEqual(shape[0])
    expect(shape[2]).toEqual(shape[0])
  })

  it('counts requests and the bytes of their targets', async () => {
    const search = client()
    expect(search.lastSentBytes).toBe(0)
    await search.search(AAAA)
    expect(search.lastSentBytes).toBe(server.seen[0]?.target.length)
    await search.search(hashPrefix(ascii('bbbb')))
    expect(counters.snapshot()).toMatchObject({ asked: 2, askedBytes: 2 * search.lastSentBytes })
  })

  it('shares one request between equal questions in flight, and asks anew afterwards', async () => {
    const search = client()
    const [first, second, other] = await Promise.all([search.search(AAAA), search.search(AAAA), search.search(hashPrefix(ascii('bbbb')))])
    expect(first).toBe(second)
    expect(other).not.toBe(first)
    expect(server.seen.length).toBe(2)
    await search.search(AAAA)
    expect(server.seen.length).toBe(3)
  })

  it('names a missing server and does not back off for it', async () => {
    expect((await failure(client({ server: () => undefined }).search(AAAA))).code).toBe('not-configured')
  })
})

describe('SearchClient: failures', () => {
  it.each([
    ['http-status', status(500, {})],
    ['http-type', html()],
    ['http-too-large', announcing(2 * 1024 ** 3)],
    ['http-too-large', endless(256 * 1024)],
    ['http-truncated', truncated(new Uint8Array(500), 100)],
    ['http-timeout', silent()],
  ] as const)('names %s', async (code, answer) => {
    server.answer = answer
    const error = await failure(client({ timeoutMs: 300 }).search(AAAA))
    expect(error.code).toBe(code)
    expect(logger.lines.map(({ event, error: logged }) => [event, logged?.code])).toEqual([['search-failed', code]])
    expect(counters.snapshot().errors).toEqual({ [code]: 1 })
  })

  it('names a server that is down', async () => {
    await server.stop()
    expect((await failure(client().search(AAAA))).code).toBe('http-network')
  })

  it('names an answer that is shorter than announced and cannot be read', async () => {
    const body = encodeSearchAnswer({ cacheDurationMs: 300_000, fullHashes: [{ hash: FULL, details: [detail(1)] }] })
    const headers = { 'content-type': 'application/x-protobuf', 'content-length': String(body.length) }
    const short = client({ fetch: async () => new Response(body.slice(0, 20), { headers }) })
    expect((await failure(short.search(AAAA))).code).toBe('http-truncated')
  })

  it('says nothing of the page in errors and log', async () => {
    server.answer = status(500, { error: { message: 'boom' } })
    const error = await failure(client().search(AAAA))
    expect(JSON.stringify([error.message, logger.lines])).not.toMatch(/YWFh|aaaa|61616161/)
  })

  it('backs off from 1 s doubling to 60 s, then recovers at once', async () => {
    server.answer = status(500, {})
    const search = client()
    const pauses: unknown[] = []
    for (let failures = 0; failures < 8; failures++) {
      expect((await failure(search.search(AAAA))).code).toBe('http-status')
      const pause = Number(logger.lines.at(-1)?.facts?.['pauseMs'])
      pauses.push(pause)
      clock.advance(pause - 1)
      const refused = await failure(search.search(AAAA))
      expect(refused.code).toBe('search-backoff')
      expect(refused.message).toContain(new Date(clock.now() + 1).toISOString())
      expect(refused.message).toContain('http-status')
      clock.advance(1)
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    expect(server.seen.length).toBe(8)
    expect(counters.snapshot()).toMatchObject({ asked: 8, errors: { 'http-status': 8, 'search-backoff': 8 } })
    answers({ cacheDurationMs: 1000, fullHashes: [] })
    await search.search(AAAA)
    server.answer = status(500, {})
    await failure(search.search(AAAA))
    expect(logger.lines.at(-1)?.facts?.['pauseMs']).toBe(1000)
  })

  it('takes requests that fail together for one failure', async () => {
    server.answer = status(500, {})
    const search = client()
    clock.advance(1)
    const together = ['aaaa', 'bbbb', 'cccc'].map((text) => search.search(hashPrefix(ascii(text))))
    clock.advance(1)
    expect((await Promise.allSettled(together)).map(({ status: outcome }) => outcome)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(logger.lines.map(({ facts }) => facts?.['failures'])).toEqual([1, 1, 1])
  })

  it('drops the answer of a server that was replaced while it was asked', async () => {
    let origin = server.origin
    const search = client({ server: () => origin })
    const asking = search.search(AAAA)
    origin = 'http://127.0.0.1:9'
    expect((await failure(asking)).code).toBe('search-answer')
  })

  it('does not hold one server to the failures of another', async () => {
    const down = await HttpServer.start(status(500, {}))
    let origin = down.origin
    const search = client({ server: () => origin })
    await failure(search.search(AAAA))
    origin = server.origin
    expect((await search.search(AAAA)).fullHashes).toEqual([])
    await down.stop()
  })
})

describe('SearchClient: shape and decoys', () => {
  it('every target has the same length, whatever the prefix: six characters that need no encoding, and the padding', () => {
    const some = Array.from({ length: 5000 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 0)
    // Each byte in each place with every value, so that each of the 64 characters stands in each of the first five places.
    const each = [0, 8, 16, 24].flatMap((shift) => Array.from({ length: 256 }, (_, byte) => (byte << shift) >>> 0))
    for (const prefix of [...some, ...each, 0xffffffff, 0xfbefbefb]) {
      expect(searchPath(prefix as HashPrefix)).toMatch(/^\/v5\/hashes:search\?hashPrefixes=[A-Za-z0-9_-]{6}%3D%3D$/)
    }
  })

  const others = ['bbbb', 'aaab', '0000'].map((text) => hashPrefix(ascii(text)))
  const around = [AAAA, ...others].sort((a, b) => a - b)
  const decoys = { around: () => Promise.resolve(around) }
  const targets = () => server.seen.map(({ target }) => target)

  it('asks about all of them, each in a request of its own, and answers by the real one alone', async () => {
    answers({ cacheDurationMs: 60_000, fullHashes: [{ hash: FULL, details: [detail(1)] }] })
    const answer = await client({ decoys }).search(AAAA)
    expect(answer).toMatchObject({ prefix: AAAA, fullHashes: [{ threatTypes: ['MALWARE'] }] })
    await until('four requests', () => targets().length === 4)
    expect(new Set(targets())).toEqual(new Set(around.map((prefix) => searchPath(prefix))))
    expect(counters.snapshot()).toMatchObject({ asked: 1, decoys: 3, askedBytes: targets().join('').length })
  })

  it('sends decoys of the very shape of the real one, without a cookie or anything else that tells who asks', async () => {
    answers({ cacheDurationMs: 60_000, fullHashes: [] })
    const given: RequestInit[] = []
    const recording: typeof fetch = (input, init) => {
      if (init) given.push({ ...init, signal: null })
      return fetch(input, init)
    }
    await client({ decoys, fetch: recording }).search(AAAA)
    await until('four requests', () => targets().length === 4)
    expect(given).toHaveLength(4)
    expect(new Set(given.map((init) => JSON.stringify(init))).size).toBe(1)
    const shapes = server.seen.map(({ method, target, headers }) => JSON.stringify([method, target.length, headers]))
    expect(new Set(shapes).size).toBe(1)
    for (const header of ['cookie', 'authorization', 'referer', 'if-none-match', 'if-modified-since']) {
      expect(server.seen[0]?.headers).not.toHaveProperty(header)
    }
  })

  it('sends them in the order that it is given, which is not that of the real one first', async () => {
    const sent: string[] = []
    const recording: typeof fetch = (input, init) => {
      sent.push(new URL(String(input)).pathname + new URL(String(input)).search)
      return fetch(input, init)
    }
    await client({ decoys, fetch: recording }).search(AAAA)
    expect(sent).toEqual(around.map((prefix) => searchPath(prefix)))
    expect(sent[0]).not.toBe(searchPath(AAAA))
  })

  it('waits for no decoy, and none that fails makes the answer fail', async () => {
    const [stuck] = others as [HashPrefix]
    const refusing: typeof fetch = (input, init) =>
      String(input).endsWith(searchPath(stuck))
        ? new Promise(() => undefined)
        : String(input).endsWith(searchPath(AAAA))
          ? fetch(input, init)
          : Promise.reject(new TypeError('no network'))
    const subject = client({ decoys, fetch: refusing })
    expect(await subject.search(AAAA)).toMatchObject({ prefix: AAAA })
    // The silent one is not given up yet.
    expect(counters.snapshot().errors['http-timeout']).toBeUndefined()
    // Nor does the client back off.
    expect(await subject.search(AAAA)).toMatchObject({ prefix: AAAA })
    expect(counters.snapshot().errors['http-network']).toBeGreaterThan(0)
  })

  it('asks nothing while it backs off', async () => {
    server.answer = status(500, {})
    const subject = client({ decoys })
    await failure(subject.search(AAAA))
    await until('four requests', () => targets().length === 4)
    // One failure of the server, however many requests met it.
    await until('three failed decoys', () => logger.events().filter((event) => event === 'decoy-failed').length === 3)
    expect(logger.lines.filter(({ event }) => event === 'search-failed').map(({ facts }) => facts?.['failures'])).toEqual([1])
    expect(await failure(subject.search(AAAA))).toMatchObject({ code: 'search-backoff' })
    expect(targets()).toHaveLength(4)
  })
})
