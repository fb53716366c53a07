import { describe, expect, it } from 'vitest'
import { CheckCounters } from '../../src/check/check-counters.ts'
import { FullHashCache } from '../../src/check/full-hash-cache.ts'
import { SearchClients } from '../../src/check/search-clients.ts'
import { UrlChecker } from '../../src/check/url-checker.ts'
import { keySetFingerprint, singleKey } from '../../src/lists/key-set.ts'
import type { Fetch } from '../../src/ports.ts'
import { createApp } from '../../src/server/app.ts'
import { FilterSource } from '../../src/update/filter-source.ts'
import { type Acquisition, BLANK_MEMORY, type SourceMemory } from '../../src/update/source.ts'
import { MemoryAnswerStore } from '../support/fakes.ts'
import { dataFolder } from '../support/publisher.ts'
import { DAY, TestPublisher, verifyEd25519 } from '../support/signed-list.ts'

const SERVER = 'https://lists.example'

function world(fingerprint?: Uint8Array) {
  const data = dataFolder()
  const app = createApp(data)
  const targets: string[] = []
  let damage = (bytes: Uint8Array): Uint8Array => bytes
  const fetch: Fetch = async (url, init) => {
    const { pathname, search } = new URL(url)
    targets.push(pathname + search)
    const answer = await app.fetch(new Request(url, init))
    if (!pathname.startsWith('/v1/filters')) return answer
    const bytes = damage(new Uint8Array(await answer.arrayBuffer()))
    return new Response(bytes.slice(), { status: answer.status, headers: answer.headers })
  }
  const source = new FilterSource({
    id: `filter ${SERVER}`,
    server: SERVER,
    trust: { fingerprint: fingerprint ?? keySetFingerprint(singleKey(data.key.publicKey)) },
    lists: ['se-4b'],
    fetch,
    clock: data.clock,
    logger: data.logger,
    verify: verifyEd25519,
  })
  const put = async (...names: string[]): Promise<void> => {
    await data.put(names)
    data.store.reload()
  }
  const acquire = (held: Acquisition['held'] = [], memory: SourceMemory = BLANK_MEMORY) =>
    source.acquire({ held, memory, signal: new AbortController().signal, onProgress: () => undefined })
  return {
    ...data,
    put,
    acquire,
    fetch,
    targets,
    damaged: (change: typeof damage) => {
      damage = change
    },
  }
}

describe('a source of filters alone', () => {
  it('holds the filter and no entry; every maybe asks, and a denied one is safe', async () => {
    const { put, acquire, fetch, clock, logger, targets } = world()
    await put('evil.test')
    const { lists, memory } = await acquire()
    const stored = lists.map((each) => each.stored)
    expect(stored).toMatchObject([{ source: `filter ${SERVER}`, list: { name: 'se-4b', entryLength: 4 } }])
    expect(memory.seen['se-4b']).toMatchObject({ epoch: 1, sequence: 1 })
    const counters = new CheckCounters()
    const contradictions: string[] = []
    const checker = new UrlChecker({
      lists: () => ({ kind: 'lists', lists: stored }),
      allowances: { allows: () => false },
      cache: new FullHashCache({ store: new MemoryAnswerStore(), clock, counters, logger }),
      search: new SearchClients({ fetch, clock, counters, logger, endpoint: () => ({ server: SERVER }) }),
      clock,
      counters,
      onContradiction: (_source, list) => contradictions.push(list),
    })
    const page = { tabId: 1, frame: false, persist: true }
    expect(await checker.check('http://evil.test/', page)).toMatchObject({ kind: 'threat', stage: 'search' })
    expect(await checker.check('http://good.test/', page)).toMatchObject({ kind: 'safe', stage: 'filter' })
    // A false positive of the filter: searched for, as one in a thousand is.
    const held = stored[0]
    let unlucky = 0
    while (unlucky < 100_000 && checker.local(`http://page${unlucky}.test/`, page).kind === 'verdict') unlucky++
    expect(unlucky).toBeLessThan(100_000)
    expect(held).toBeDefined()
    expect(await checker.check(`http://page${unlucky}.test/`, page)).toMatchObject({ kind: 'safe', stage: 'search' })
    expect(contradictions).toEqual([])
    expect(targets.filter((target) => target.startsWith('/v1/filters'))).toEqual(['/v1/filters/se-4b'])
  })

  it('asks from the version that it holds, and takes the next', async () => {
    const { put, acquire, targets } = world()
    await put('evil.test')
    const first = await acquire()
    const held = first.lists.map(({ stored }) => stored)
    expect((await acquire(held, first.memory)).lists).toMatchObject([{ change: 'none' }])
    await put('evil.test', 'worse.test')
    const second = await acquire(held, first.memory)
    expect(second.lists).toMatchObject([{ change: 'entries', stored: { state: { sequence: 2 } } }])
    expect(targets.filter((target) => target.includes('?from='))).toEqual(['/v1/filters/se-4b?from=1.1', '/v1/filters/se-4b?from=1.1'])
  })

  it.each([
    ['a changed filter', 'filter-format'],
    ['an expired one', 'state-expired'],
    ['an older one', 'state-rollback'],
  ])('%s is refused', async (what, code) => {
    const { put, acquire, damaged, clock } = world()
    await put('evil.test')
    let memory = BLANK_MEMORY
    if (what === 'a changed filter') damaged((bytes) => bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte)))
    else if (what === 'an expired one') clock.advance(8 * DAY)
    else memory = { seen: { 'se-4b': { epoch: 1, sequence: 9, checksum: '' } } }
    await expect(acquire([], memory)).rejects.toMatchObject({ code })
  })

  it('is refused where the keys are not those of the subscribe link', async () => {
    const { put, acquire } = world(keySetFingerprint(singleKey(new TestPublisher().publicKey)))
    await put('evil.test')
    await expect(acquire()).rejects.toMatchObject({ code: 'keys-unknown' })
  })
})
