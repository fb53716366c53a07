import { describe, expect, it } from 'vitest'
import { CheckCounters } from '../../src/check/check-counters.ts'
import { FullHashCache } from '../../src/check/full-hash-cache.ts'
import type { CachedAnswer } from '../../src/ports.ts'
import { FakeClock, MemoryAnswerStore, RecordingLogger, T0 } from '../support/fakes.ts'

function setUp({ store = new MemoryAnswerStore(), limit }: { store?: MemoryAnswerStore; limit?: number } = {}) {
  const clock = new FakeClock()
  const counters = new CheckCounters()
  const logger = new RecordingLogger()
  const cache = new FullHashCache({ store, clock, counters, logger, ...(limit === undefined ? {} : { limit }) })
  return { cache, store, clock, counters, logger }
}

function answer(prefix: number, lifeMs: number, fullHashes: CachedAnswer['fullHashes'] = []): CachedAnswer {
  return { source: 'server', prefix, expiresAt: T0 + lifeMs, fullHashes }
}

describe('FullHashCache', () => {
  it('holds an answer until just before it expires', () => {
    const { cache, clock } = setUp()
    cache.put(answer(7, 1000), { persist: true })
    clock.advance(999)
    expect(cache.get('server', 7)).toBeDefined()
    clock.advance(1)
    expect(cache.get('server', 7)).toBeUndefined()
  })

  it('drops an answer that was made before the clock was set back', () => {
    const { cache, clock } = setUp()
    cache.put(answer(7, 1000), { persist: true })
    clock.advance(-3 * 24 * 60 * 60 * 1000)
    expect(cache.get('server', 7)).toBeUndefined()
  })

  it('survives the worker: what has expired leaves the store', async () => {
    const first = setUp()
    first.cache.put(answer(1, 1000), { persist: true })
    first.cache.put(answer(2, 9000), { persist: true })
    await first.cache.settled()
    const second = setUp({ store: first.store })
    second.clock.advance(1000)
    await second.cache.load()
    await second.cache.settled()
    expect(second.cache.get('server', 1)).toBeUndefined()
    expect(second.cache.get('server', 2)).toEqual(answer(2, 9000))
    expect([...second.store.answers.keys()]).toEqual(['2 server'])
  })

  it('keeps an answer that came before the store was read', async () => {
    const { cache, store } = setUp()
    store.answers.set(`${1} server`, answer(1, 1000))
    const loading = cache.load()
    cache.put(answer(1, 5000), { persist: true })
    await loading
    expect(cache.get('server', 1)).toEqual(answer(1, 5000))
  })

  it('evicts the answers that expire first, from memory and store', async () => {
    const { cache, store } = setUp({ limit: 2 })
    cache.put(answer(1, 2000), { persist: true })
    cache.put(answer(2, 1000), { persist: true })
    cache.put(answer(3, 3000), { persist: true })
    await cache.settled()
    expect([1, 2, 3].filter((prefix) => cache.get('server', prefix))).toEqual([1, 3])
    expect([...store.answers.keys()]).toEqual(['1 server', '3 server'])
  })

  it('takes over no more than its limit from a store', async () => {
    const store = new MemoryAnswerStore()
    for (let prefix = 0; prefix < 5; prefix++) store.answers.set(`${prefix} server`, answer(prefix, 1000 + prefix))
    const { cache } = setUp({ store, limit: 2 })
    await cache.load()
    await cache.settled()
    expect([...store.answers.keys()]).toEqual(['3 server', '4 server'])
  })

  it('keeps a private window out of the store, even by what it would evict', async () => {
    const { cache, store } = setUp({ limit: 1 })
    cache.put(answer(1, 1000), { persist: true })
    cache.put(answer(2, 9000), { persist: false })
    cache.put(answer(3, 9500), { persist: false })
    await cache.settled()
    expect([1, 2, 3].filter((prefix) => cache.get('server', prefix))).toEqual([1, 3])
    expect([...store.answers.keys()]).toEqual(['1 server'])
  })

  it('prefers the newer of a private and an ordinary answer', () => {
    const { cache, clock } = setUp()
    cache.put(answer(1, 5000), { persist: true })
    cache.put(answer(1, 1000), { persist: false })
    expect(cache.get('server', 1)?.expiresAt).toBe(T0 + 1000)
    clock.advance(1000)
    expect(cache.get('server', 1)?.expiresAt).toBe(T0 + 5000)
    cache.put(answer(1, 3000), { persist: false })
    cache.put(answer(1, 4000), { persist: true })
    expect(cache.get('server', 1)?.expiresAt).toBe(T0 + 4000)
  })

  it('forgets everything when cleared', async () => {
    const { cache, store } = setUp()
    cache.put(answer(1, 5000), { persist: true })
    cache.put(answer(2, 5000), { persist: false })
    cache.clear()
    await cache.settled()
    expect([cache.get('server', 1), cache.get('server', 2), store.answers.size]).toEqual([undefined, undefined, 0])
  })

  it('names, counts and outlives a store that fails', async () => {
    const { cache, store, logger, counters } = setUp()
    store.fail = new Error('disk on fire')
    await cache.load()
    cache.put(answer(1, 5000), { persist: true })
    await cache.settled()
    expect(cache.get('server', 1)).toBeDefined()
    expect(logger.lines.map(({ event, error }) => [event, error?.code])).toEqual([
      ['full-hash-cache-store', 'storage-failed'],
      ['full-hash-cache-store', 'storage-failed'],
    ])
    expect(counters.snapshot().errors).toEqual({ 'storage-failed': 2 })
    store.fail = undefined
    cache.put(answer(2, 5000), { persist: true })
    await cache.settled()
    expect([...store.answers.keys()]).toEqual(['2 server'])
  })
})
