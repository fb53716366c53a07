import { beforeEach, describe, expect, it } from 'vitest'
import { CheckCounters } from '../../src/check/check-counters.ts'
import { Decoys } from '../../src/check/decoys.ts'
import { FullHashCache } from '../../src/check/full-hash-cache.ts'
import { SearchClients } from '../../src/check/search-clients.ts'
import { type CheckContext, type ListsInForce, UrlChecker } from '../../src/check/url-checker.ts'
import type { Hit, UncheckedReason } from '../../src/check/verdict.ts'
import { WaryError } from '../../src/errors.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { type HashPrefix, hashPrefix } from '../../src/hash/hash-prefix.ts'
import type { CachedAnswer, StoredList } from '../../src/ports.ts'
import { searchPath } from '../../src/protocol/paths.ts'
import { encodeSearchAnswer } from '../../src/protocol/search-message.ts'
import type { ThreatType } from '../../src/protocol/threat-type.ts'
import { FakeClock, MemoryAnswerStore, RecordingLogger, T0 } from '../support/fakes.ts'
import { storedList } from '../support/signed-list.ts'
import { until } from '../support/until.ts'

const PAGE: CheckContext = { tabId: 1, frame: false, persist: true }
const FRAME: CheckContext = { tabId: 1, frame: true, persist: true }
const PRIVATE: CheckContext = { tabId: 1, frame: false, persist: false }

const prefixOf = (expression: string) => hashPrefix(fullHash(expression))

/** Answers by table: what the server knows of each expression; `fails` makes every question fail. */
class FakeSearch {
  readonly asked: number[] = []
  readonly known = new Map<number, CachedAnswer['fullHashes']>()
  fails: WaryError | undefined
  lifeMs = 300_000

  knows(expression: string, ...threatTypes: ThreatType[]): void {
    const before = this.known.get(prefixOf(expression)) ?? []
    this.known.set(prefixOf(expression), [...before, { hash: fullHash(expression), threatTypes }])
  }

  /** A full hash with the same prefix as `expression`, but another hash. */
  knowsNeighbour(expression: string): void {
    const hash = fullHash(expression).slice()
    hash[31] = (hash[31] ?? 0) ^ 1
    this.known.set(prefixOf(expression), [{ hash, threatTypes: ['MALWARE'] }])
  }

  async search(source: string, prefix: HashPrefix): Promise<CachedAnswer> {
    this.asked.push(prefix)
    if (this.fails) throw this.fails
    return { source, prefix, expiresAt: T0 + this.lifeMs, fullHashes: this.known.get(prefix) ?? [] }
  }
}

let search: FakeSearch
let inForce: ListsInForce
let clock: FakeClock
let counters: CheckCounters
let store: MemoryAnswerStore
let cache: FullHashCache
let checker: UrlChecker
let allowed: (hit: Hit) => boolean
let contradictions: string[]

function lists(...stored: StoredList[]): void {
  inForce = { kind: 'lists', lists: stored }
}

beforeEach(() => {
  search = new FakeSearch()
  clock = new FakeClock()
  counters = new CheckCounters()
  store = new MemoryAnswerStore()
  cache = new FullHashCache({ store, clock, counters, logger: new RecordingLogger() })
  allowed = () => false
  contradictions = []
  checker = new UrlChecker({
    lists: () => inForce,
    allowances: { allows: (hit) => allowed(hit) },
    cache,
    search,
    clock,
    counters,
    onContradiction: (_source, list) => contradictions.push(list),
  })
})

const hit = (expression: string, change: Partial<Hit> = {}): Hit => ({
  expression,
  list: 'se-4b',
  source: 'http://lists.test',
  threatType: 'SOCIAL_ENGINEERING',
  entryLength: 4,
  ...change,
})

/** A filter that says maybe to everything. */
function careless(stored: StoredList): StoredList {
  const filter = BloomFilter.create({ capacity: 1, rate: 0.5 })
  for (let i = 0; i < 2000; i++) filter.add(`filler ${i}`)
  return { ...stored, filter }
}

describe('UrlChecker on the device', () => {
  it('answers "safe" by the filter and sends nothing', async () => {
    lists(storedList({ expressions: ['evil.test/'] }))
    expect(checker.local('https://good.test/', PAGE)).toEqual({
      kind: 'verdict',
      verdict: { kind: 'safe', url: 'https://good.test/', stage: 'filter', freshness: { kind: 'fresh' } },
    })
    expect(search.asked).toEqual([])
  })

  it('answers "safe" by the list where the filter errs', async () => {
    lists(careless(storedList({ expressions: ['evil.test/'] })))
    expect(await checker.check('https://good.test/', PAGE)).toMatchObject({ kind: 'safe', stage: 'list' })
    expect(search.asked).toEqual([])
  })

  it.each<[string, UncheckedReason]>([
    ['chrome://newtab/', 'not-web'],
    ['about:blank', 'not-web'],
    ['data:text/html,hi', 'not-web'],
    ['blob:https://evil.test/1', 'not-web'],
    ['ftp://evil.test/', 'not-web'],
    ['http://', 'invalid-url'],
    ['https://exa mple.test/', 'invalid-url'],
    ['no address', 'invalid-url'],
    ['', 'invalid-url'],
  ])('does not check %j: %s', async (url, reason) => {
    lists(storedList())
    expect(await checker.check(url, PAGE)).toEqual({ kind: 'unchecked', reason, url, stage: 'none', freshness: { kind: 'fresh' } })
  })

  it.each<[ListsInForce, UncheckedReason]>([
    [{ kind: 'none', reason: 'no-list' }, 'no-list'],
    [{ kind: 'none', reason: 'damaged' }, 'damaged'],
    [{ kind: 'lists', lists: [] }, 'no-list'],
  ])('says why there is nothing to check against', async (state, reason) => {
    inForce = state
    expect(await checker.check('https://good.test/', PAGE)).toMatchObject({ kind: 'unchecked', reason, stage: 'none' })
    expect(await checker.check('about:blank', PAGE)).toMatchObject({ kind: 'unchecked', reason: 'not-web' })
  })

  it('says since when the lists are stale, and still warns', async () => {
    lists(storedList({ name: 'se-32b', expressions: ['evil.test/'], expiresAt: T0 + 10 }), storedList({ name: 'mw-4b', expiresAt: T0 + 5 }))
    clock.advance(20)
    const freshness = { kind: 'stale', since: T0 + 5 }
    expect(await checker.check('https://good.test/', PAGE)).toMatchObject({ kind: 'safe', freshness })
    expect(await checker.check('https://evil.test/', PAGE)).toMatchObject({ kind: 'threat', freshness })
  })

  it('knows full-length entries without asking', async () => {
    lists(storedList({ name: 'se-32b', expressions: ['evil.test/'] }), storedList({ name: 'mw-4b', expressions: ['evil.test/'] }))
    expect(await checker.check('https://www.evil.test/a', PAGE)).toMatchObject({
      kind: 'threat',
      stage: 'full-hash',
      hits: [hit('evil.test/', { list: 'se-32b', entryLength: 32 })],
    })
    expect(search.asked).toEqual([])
  })

  it('drops what is allowed, and asks nothing for it', async () => {
    lists(storedList({ expressions: ['evil.test/'] }))
    const seen: [Hit, CheckContext][] = []
    checker = new UrlChecker({
      lists: () => inForce,
      allowances: { allows: (h, context) => seen.push([h, context]) > 0 },
      cache,
      search,
      clock,
      counters,
      onContradiction: () => undefined,
    })
    expect(await checker.check('http://evil.test/', PRIVATE)).toMatchObject({ kind: 'safe', stage: 'allowance' })
    expect(seen).toEqual([[hit('evil.test/'), PRIVATE]])
    expect(search.asked).toEqual([])
  })

  it('allows one list and still hears another', async () => {
    lists(storedList({ expressions: ['evil.test/'] }), storedList({ name: 'mw-8b', expressions: ['evil.test/'] }))
    allowed = ({ list }) => list === 'se-4b'
    search.knows('evil.test/', 'MALWARE')
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({
      kind: 'threat',
      hits: [hit('evil.test/', { list: 'mw-8b', threatType: 'MALWARE', entryLength: 8 })],
    })
  })

  it('hears no list of a kind that it does not know', async () => {
    const stored = storedList({ expressions: ['evil.test/'] })
    const { entryLength, entries, version } = stored.list
    const { HashList } = await import('../../src/lists/hash-list.ts')
    lists({ ...stored, list: HashList.fromSorted({ name: 'gc-4b', entryLength, entries, version }) })
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({ kind: 'safe', stage: 'list' })
  })
})

describe('UrlChecker asking', () => {
  it('warns when the full hash is confirmed, with the confirmed threat type', async () => {
    lists(storedList({ expressions: ['evil.test/'] }))
    search.knows('evil.test/', 'MALWARE')
    expect(await checker.check('http://evil.test/x', PAGE)).toEqual({
      kind: 'threat',
      url: 'http://evil.test/x',
      stage: 'search',
      freshness: { kind: 'fresh' },
      hits: [hit('evil.test/', { threatType: 'MALWARE' })],
    })
    expect(search.asked).toEqual([prefixOf('evil.test/')])
  })

  it('has a hit for every list and every confirmed type', async () => {
    lists(storedList({ expressions: ['evil.test/'] }), storedList({ name: 'mw-8b', expressions: ['evil.test/'] }))
    search.knows('evil.test/', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE')
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({
      hits: [
        hit('evil.test/'),
        hit('evil.test/', { list: 'mw-8b', entryLength: 8 }),
        hit('evil.test/', { threatType: 'UNWANTED_SOFTWARE' }),
      ],
    })
    expect(search.asked.length).toBe(1)
  })

  it('clears an expression whose prefix alone is listed', async () => {
    lists(storedList({ expressions: ['evil.test/'] }))
    search.knowsNeighbour('evil.test/')
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({ kind: 'safe', stage: 'search' })
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({ kind: 'safe', stage: 'cache' })
    expect(search.asked.length).toBe(1)
    expect(contradictions).toEqual([])
  })

  it('answers from the cache until it expires', async () => {
    lists(storedList({ expressions: ['evil.test/'] }))
    search.knows('evil.test/', 'SOCIAL_ENGINEERING')
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({ kind: 'threat', stage: 'search' })
    clock.advance(299_999)
    expect(checker.local('http://evil.test/', PAGE)).toMatchObject({
      verdict: { kind: 'threat', stage: 'cache', hits: [hit('evil.test/')] },
    })
    clock.advance(1)
    expect(checker.local('http://evil.test/', PAGE).kind).toBe('ask')
  })

  it('asks one prefix a request, hosts before paths, and stops at the first threat', async () => {
    const expressions = ['evil.test/', 'www.evil.test/', 'www.evil.test/a/b.html']
    lists(storedList({ expressions }))
    search.knowsNeighbour('evil.test/')
    search.knows('www.evil.test/', 'SOCIAL_ENGINEERING')
    search.knows('www.evil.test/a/b.html', 'SOCIAL_ENGINEERING')
    expect(await checker.check('http://www.evil.test/a/b.html', PAGE)).toMatchObject({ kind: 'threat', hits: [hit('www.evil.test/')] })
    expect(search.asked).toEqual(expressions.slice(0, 2).map(prefixOf))
  })

  it('asks all three of three listed prefixes, in order, where none is a threat', async () => {
    const expressions = ['evil.test/', 'www.evil.test/', 'www.evil.test/a/b.html']
    lists(storedList({ expressions }))
    for (const expression of expressions) search.knowsNeighbour(expression)
    expect(await checker.check('http://www.evil.test/a/b.html', PAGE)).toMatchObject({ kind: 'safe', stage: 'search' })
    expect(search.asked).toEqual(expressions.map(prefixOf))
  })

  it('asks nothing when the cache knows a later expression as a threat', async () => {
    lists(storedList({ expressions: ['evil.test/', 'evil.test/page.html'] }))
    search.knows('evil.test/page.html', 'MALWARE')
    const answer = await search.search('http://lists.test', prefixOf('evil.test/page.html'))
    cache.put(answer, { persist: false })
    search.asked.length = 0
    expect(await checker.check('http://evil.test/page.html', PAGE)).toMatchObject({ kind: 'threat', stage: 'cache' })
    expect(search.asked).toEqual([])
  })

  it('uses what another check has learned since', async () => {
    lists(storedList({ expressions: ['evil.test/'] }))
    search.knows('evil.test/', 'SOCIAL_ENGINEERING')
    const first = checker.local('http://evil.test/', PAGE)
    await checker.check('http://evil.test/', PAGE)
    expect(first.kind === 'ask' && (await checker.resolve(first.pending))).toMatchObject({ kind: 'threat' })
    expect(search.asked.length).toBe(1)
  })

  it('takes FRAME_ONLY threats for frames alone', async () => {
    lists(storedList({ expressions: ['evil.test/'] }))
    search.known.set(prefixOf('evil.test/'), [{ hash: fullHash('evil.test/'), threatTypes: [], frameOnlyTypes: ['MALWARE'] }])
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({ kind: 'safe', stage: 'search' })
    expect(await checker.check('http://evil.test/', FRAME)).toMatchObject({
      kind: 'threat',
      stage: 'cache',
      hits: [{ threatType: 'MALWARE' }],
    })
    expect(contradictions).toEqual([])
  })

  it('clears a full hash that no threat type is left of', async () => {
    lists(storedList({ expressions: ['evil.test/'] }))
    search.knows('evil.test/')
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({ kind: 'safe', stage: 'search' })
    expect(contradictions).toEqual([])
  })

  it('stores what it learned, but nothing from private windows', async () => {
    lists(storedList({ expressions: ['evil.test/', 'bad.test/'] }))
    search.knows('evil.test/', 'MALWARE')
    search.knows('bad.test/', 'MALWARE')
    await checker.check('http://evil.test/', PRIVATE)
    await checker.check('http://bad.test/', PAGE)
    await cache.settled()
    expect([...store.answers.keys()]).toEqual([`${prefixOf('bad.test/')} http://lists.test`])
  })
})

describe('UrlChecker without a trustworthy answer', () => {
  it('is unverified when the server fails, with the reason', async () => {
    lists(storedList({ expressions: ['evil.test/'] }))
    search.fails = new WaryError('http-timeout', 'no complete answer within 3000 ms')
    expect(await checker.check('http://evil.test/', PAGE)).toEqual({
      kind: 'unverified',
      url: 'http://evil.test/',
      stage: 'search',
      freshness: { kind: 'fresh' },
      hits: [hit('evil.test/')],
      reason: { kind: 'error', code: 'http-timeout', message: 'no complete answer within 3000 ms' },
    })
    expect(contradictions).toEqual([])
  })

  it('is unverified for the expressions that failed only', async () => {
    lists(storedList({ expressions: ['evil.test/', 'www.evil.test/'] }))
    search.knowsNeighbour('evil.test/')
    await checker.check('http://evil.test/', PAGE)
    search.fails = new WaryError('http-network', 'down')
    expect(await checker.check('http://www.evil.test/', PAGE)).toMatchObject({ kind: 'unverified', hits: [hit('www.evil.test/')] })
  })

  it('takes an empty answer for a contradiction of a signed list, reports it once and asks again after a minute', async () => {
    lists(storedList({ expressions: ['evil.test/'] }))
    const verdict = { kind: 'unverified', reason: { kind: 'contradiction' }, hits: [hit('evil.test/')] }
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({ ...verdict, stage: 'search' })
    clock.advance(59_999)
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({ ...verdict, stage: 'cache' })
    expect(search.asked.length).toBe(1)
    expect(contradictions).toEqual(['se-4b'])
    clock.advance(1)
    search.knows('evil.test/', 'SOCIAL_ENGINEERING')
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({ kind: 'threat', stage: 'search' })
    await cache.settled()
    expect(store.answers.size).toBe(1)
  })

  it('never stores a contradiction', async () => {
    lists(storedList({ expressions: ['evil.test/'] }))
    search.lifeMs = 0
    await checker.check('http://evil.test/', PAGE)
    await checker.check('http://evil.test/', PAGE)
    await cache.settled()
    expect(store.answers.size).toBe(0)
    expect(search.asked.length).toBe(1)
  })

  it('reports each contradicted list', async () => {
    lists(storedList({ expressions: ['evil.test/'] }), storedList({ name: 'mw-8b', expressions: ['evil.test/'] }))
    await Promise.all([checker.check('http://evil.test/', PAGE), checker.check('http://evil.test/', PAGE)])
    expect(contradictions).toEqual(['se-4b', 'mw-8b'])
  })

  it('prefers another threat of the same URL to a contradiction', async () => {
    lists(storedList({ expressions: ['evil.test/', 'evil.test/page.html'] }))
    search.knows('evil.test/page.html', 'MALWARE')
    expect(await checker.check('http://evil.test/page.html', PAGE)).toMatchObject({
      kind: 'threat',
      hits: [hit('evil.test/page.html', { threatType: 'MALWARE' })],
    })
    expect(contradictions).toEqual(['se-4b'])
  })

  it('keeps a cached contradiction beside open questions', async () => {
    lists(storedList({ expressions: ['evil.test/', 'www.evil.test/'] }))
    await checker.check('http://evil.test/', PAGE)
    search.knowsNeighbour('www.evil.test/')
    expect(await checker.check('http://www.evil.test/', PAGE)).toMatchObject({
      kind: 'unverified',
      reason: { kind: 'contradiction' },
      hits: [hit('evil.test/')],
    })
  })

  it('takes an empty answer of an unsigned source for "safe", without freshness', async () => {
    inForce = { kind: 'lists', lists: [{ ...storedList({ expressions: ['evil.test/'] }), state: undefined }] }
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({ kind: 'safe', stage: 'search', freshness: { kind: 'fresh' } })
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({ kind: 'safe', stage: 'cache' })
    expect(contradictions).toEqual([])
  })
})

it('counts main frames by verdict and stage, and no frames', async () => {
  lists(storedList({ expressions: ['evil.test/'] }))
  search.knows('evil.test/', 'MALWARE')
  for (const context of [PAGE, FRAME, PRIVATE]) {
    await checker.check('http://good.test/', context)
    await checker.check('http://evil.test/', context)
    await checker.check('about:blank', context)
  }
  expect(counters.snapshot()).toMatchObject({
    checked: 6,
    threats: 2,
    unchecked: 2,
    byStage: { filter: 2, search: 1, cache: 1, none: 2 },
  })
})

describe('UrlChecker with decoys', () => {
  /** A server that knows `evil.test/` and never answers, or fails, about anything else. */
  function withDecoys(answersDecoys: 'never' | 'by failing' | 'emptily'): string[] {
    const asked: string[] = []
    const real = searchPath(prefixOf('evil.test/'))
    const fullHashes = [{ hash: fullHash('evil.test/'), details: [{ threatType: 2, attributes: [] }] }]
    const headers = { 'content-type': 'application/x-protobuf' }
    const fetch = async (url: string): Promise<Response> => {
      asked.push(url.slice('http://lists.test'.length))
      if (url.endsWith(real)) return new Response(encodeSearchAnswer({ cacheDurationMs: 60_000, fullHashes }).slice(), { headers })
      if (answersDecoys === 'never') return new Promise(() => undefined)
      if (answersDecoys === 'by failing') throw new TypeError('no network')
      return new Response(encodeSearchAnswer({ cacheDurationMs: 60_000, fullHashes: [] }).slice(), { headers })
    }
    const stored = storedList({ expressions: ['evil.test/', ...Array.from({ length: 100 }, (_, i) => `evil${i}.test/`)] })
    lists(stored)
    const decoys = new Decoys({ key: async () => new Uint8Array(32).fill(1), count: () => 4, lists: () => [stored] })
    const logger = new RecordingLogger()
    checker = new UrlChecker({
      lists: () => inForce,
      allowances: { allows: () => false },
      cache,
      search: new SearchClients({
        fetch,
        clock,
        endpoint: () => ({ server: 'http://lists.test' }),
        counters,
        logger,
        decoys: () => decoys,
        timeoutMs: 300,
      }),
      clock,
      counters,
      onContradiction: (_source, list) => contradictions.push(list),
    })
    return asked
  }

  it.each(['never', 'by failing', 'emptily'] as const)('has its verdict where decoys are answered %s', async (how) => {
    const asked = withDecoys(how)
    expect(await checker.check('http://evil.test/', PAGE)).toMatchObject({ kind: 'threat', stage: 'search', hits: [hit('evil.test/')] })
    // Nobody waited until a silent decoy was given up.
    expect(counters.snapshot().errors['http-timeout']).toBeUndefined()
    expect(asked).toHaveLength(5)
    expect(asked).toEqual([...asked].sort((a, b) => prefixIn(a) - prefixIn(b)))
    await until('decoys that have ended', () => how === 'emptily' || (counters.snapshot().errors[FAULTS[how]] ?? 0) === 4)
    await cache.settled()
    // What decoys were answered is neither believed nor kept.
    expect([...store.answers.keys()]).toEqual([`${prefixOf('evil.test/')} http://lists.test`])
    expect(contradictions).toEqual([])
    expect(counters.snapshot()).toMatchObject({ asked: 1, decoys: 4, unverified: 0 })
  })

  it('asks the same when the answer has expired, and in a private window, of which nothing is kept', async () => {
    const asked = withDecoys('emptily')
    await checker.check('http://evil.test/', PRIVATE)
    clock.advance(60_000)
    await checker.check('http://evil.test/', PAGE)
    expect(asked).toHaveLength(10)
    expect(asked.slice(5)).toEqual(asked.slice(0, 5))
    clock.advance(60_000)
    store.answers.clear()
    await checker.check('http://evil.test/', PRIVATE)
    await cache.settled()
    expect([...store.answers.keys()]).toEqual([])
  })
})

const FAULTS = { never: 'http-timeout', 'by failing': 'http-network' } as const

function prefixIn(target: string): number {
  return Buffer.from(new URLSearchParams(target.split('?')[1]).get('hashPrefixes') ?? '', 'base64url').readUInt32BE()
}
