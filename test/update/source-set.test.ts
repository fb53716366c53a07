import { describe, expect, it } from 'vitest'
import { WaryError } from '../../src/errors.ts'
import { type ListSource, BLANK_MEMORY } from '../../src/update/source.ts'
import { SourceSet } from '../../src/update/source-set.ts'
import { Updater } from '../../src/update/updater.ts'
import { FakeClock, fixedRandom, MemoryListStore, MemoryRecordStore, RecordingLogger, T0 } from '../support/fakes.ts'
import { storedList } from '../support/signed-list.ts'

function source(id: string, options: { lists?: readonly string[]; identity?: string; fails?: boolean } = {}): ListSource {
  const { lists = ['se-4b'], identity = id, fails = false } = options
  return {
    id,
    identity,
    lists,
    acquire: async () => {
      if (fails) throw new WaryError('http-network', `${id} cannot be reached`)
      const acquired = lists.map((name) => ({ stored: { ...storedList({ name }), source: id }, change: 'entries' as const }))
      return { lists: acquired, minimumWaitsMs: [60_000], memory: BLANK_MEMORY }
    },
  }
}

function make() {
  const clock = new FakeClock()
  const logger = new RecordingLogger()
  const stores = new Map<string, { list: MemoryListStore; record: MemoryRecordStore }>()
  const kept: (readonly string[])[] = []
  let swaps = 0
  const sources = new SourceSet({
    createUpdater: (id, current, onSwap) => {
      const store = stores.get(id) ?? { list: new MemoryListStore(), record: new MemoryRecordStore() }
      stores.set(id, store)
      return new Updater({ store: store.list, record: store.record, clock, random: fixedRandom(), logger, source: current, onSwap })
    },
    keepOnly: async (ids) => void kept.push(ids),
    onSwap: () => {
      swaps++
    },
    logger,
  })
  return { sources, stores, kept, clock, logger, swaps: () => swaps }
}

describe('several sources', () => {
  it('are in force together, each with lists of its own', async () => {
    const { sources, kept, swaps } = make()
    await sources.configure([source('a'), source('b', { lists: ['se-4b', 'mw-4b'] })])
    expect(await sources.update()).toEqual(['updated', 'updated'])
    expect(sources.lists.map((stored) => [stored.source, stored.list.name])).toEqual([
      ['a', 'se-4b'],
      ['b', 'se-4b'],
      ['b', 'mw-4b'],
    ])
    expect(swaps()).toBeGreaterThan(0)
    expect(kept).toEqual([['a', 'b']])
  })

  it('one that fails takes nothing from the others, and is named', async () => {
    const { sources } = make()
    await sources.configure([source('a'), source('b', { fails: true })])
    expect(await sources.update()).toEqual(['updated', 'failed'])
    expect(sources.lists.map((stored) => stored.source)).toEqual(['a'])
    expect(sources.statusOf('a')?.lastError).toBeUndefined()
    expect(sources.statusOf('b')?.lastError).toMatchObject({ code: 'http-network' })
    expect(sources.status()).toMatchObject({ lastError: { code: 'http-network' }, lastSuccessAt: T0, failures: 1 })
  })

  it('that are not named any more are out of force at once, and leave nothing behind', async () => {
    const { sources, stores, kept } = make()
    await sources.configure([source('a'), source('b')])
    await sources.update()
    await sources.configure([source('a')])
    expect(sources.lists.map((stored) => stored.source)).toEqual(['a'])
    expect(kept.at(-1)).toEqual(['a'])
    await expect.poll(() => stores.get('b')?.list.lists.size).toBe(0)
  })

  it('another key or address is another source: what was held is forgotten', async () => {
    const { sources } = make()
    await sources.configure([source('a')])
    await sources.update()
    await sources.configure([source('a', { identity: 'a with another key' })])
    expect(sources.lists).toEqual([])
  })

  it('update one alone', async () => {
    const { sources } = make()
    await sources.configure([source('a'), source('b')])
    expect(await sources.update({}, 'b')).toEqual(['updated'])
    expect(sources.lists.map((stored) => stored.source)).toEqual(['b'])
  })

  it('say that a damaged list leaves a gap, until an update has filled it', async () => {
    const { sources, stores } = make()
    const broken = new MemoryListStore()
    broken.damaged = [{ name: 'mw-4b', error: new WaryError('storage-damaged', 'page 3 is not there') }]
    broken.lists.set('se-4b', { ...storedList(), source: 'a' })
    stores.set('a', { list: broken, record: new MemoryRecordStore() })
    await sources.configure([source('a', { lists: ['se-4b', 'mw-4b'] })])
    expect(sources.lists.length).toBe(1)
    expect([sources.gap, sources.damage?.code]).toEqual([true, 'storage-damaged'])
    await sources.update()
    expect([sources.gap, sources.damage]).toEqual([false, undefined])
  })
})
