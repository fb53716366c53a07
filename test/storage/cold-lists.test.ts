import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { IDBFactory } from 'fake-indexeddb'
import { openDB } from 'idb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ColdLists } from '../../extension/storage/cold-lists.ts'
import { Database } from '../../extension/storage/database.ts'
import { IndexedDbListStore } from '../../extension/storage/list-store.ts'
import { ListLookup } from '../../src/check/list-lookup.ts'
import { PagedBloomFilter } from '../../src/filter/paged-bloom.ts'
import { addEntries } from '../../src/filter/ready-hash.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import type { HashList } from '../../src/lists/hash-list.ts'
import { FilterOnlyList } from '../../src/lists/held-list.ts'
import type { StoredList } from '../../src/ports.ts'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { expressions } from '../../src/url/expressions.ts'
import { RecordingLogger } from '../support/fakes.ts'
import { SOURCE, storedList } from '../support/signed-list.ts'

const hashesOf = (url: string) => expressions(canonicalize(url)).map(fullHash)

/** With a paged filter, as those that are built on the device. */
function paged(stored: StoredList & { readonly list: HashList }, rate: number): StoredList {
  const filter = PagedBloomFilter.create({ capacity: stored.list.count, rate })
  addEntries(filter, stored.list.entries, stored.list.entryLength)
  return { ...stored, filter }
}

/** Counts what a check reads. */
function countReads() {
  const counts = { gets: 0, transactions: 0 }
  const { get } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(counted(get))
  const { transaction } = IDBDatabase.prototype
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(countedTransaction(transaction))
  function counted(real: typeof IDBObjectStore.prototype.get): typeof IDBObjectStore.prototype.get {
    return function (this: IDBObjectStore, key) {
      counts.gets++
      return real.call(this, key)
    }
  }
  function countedTransaction(real: typeof IDBDatabase.prototype.transaction): typeof IDBDatabase.prototype.transaction {
    return function (this: IDBDatabase, ...rest) {
      counts.transactions++
      return real.apply(this, rest)
    }
  }
  return counts
}

describe('ColdLists', () => {
  const database = () => new Database()
  const store = (source = SOURCE) => new IndexedDbListStore({ database: database(), source, logger: new RecordingLogger() })
  const cold = () => new ColdLists({ database: database() })
  const listed = Array.from({ length: 3000 }, (_, i) =>
    i % 3 === 0 ? `host${i}.test/` : i % 3 === 1 ? `site.test/dir${i}/` : `a.b${i}.test/x?q`,
  )

  beforeEach(() => {
    vi.restoreAllMocks()
    vi.stubGlobal('indexedDB', new IDBFactory())
  })

  it.each([
    ['a paged filter', (stored: ReturnType<typeof storedList>) => paged(stored, 1e-3)],
    ['a paged filter that says "maybe" to half of everything', (stored: ReturnType<typeof storedList>) => paged(stored, 0.5)],
    ['a plain filter', (stored: ReturnType<typeof storedList>) => stored],
  ])('answers as the lists in memory do, with %s', async (_name, made) => {
    for (const name of ['se-4b', 'mw-8b', 'uws-32b'])
      await store().replace(made(storedList({ name, expressions: listed.slice(name.length * 10), testEntries: false })))
    const { lists } = await store().load()
    const wanted = [{ id: SOURCE, lists: lists.map(({ list }) => list.name) }]
    const urls = fc.oneof(
      fc.integer({ min: 0, max: 1333 }).map((i) => `http://host${3 * i}.test/`),
      fc.tuple(fc.integer({ min: 0, max: 3999 }), fc.webPath()).map(([i, path]) => `https://www.site.test/dir${i}${path}`),
      fc.integer({ min: 0, max: 3999 }).map((i) => `http://x.y.a.b${i}.test/x?q`),
      fc.webUrl({ withQueryParameters: true }),
    )
    let found = 0
    await fc.assert(
      fc.asyncProperty(urls, async (url) => {
        const expected = new ListLookup().find(canonicalize(url), lists)
        const read = await cold().about(hashesOf(url), wanted)
        expect(new ListLookup().find(canonicalize(url), read ?? [])).toEqual(expected)
        found += expected.listed.length
      }),
      { numRuns: 300 },
    )
    expect(found).toBeGreaterThan(20)
  })

  it('a filter alone answers by itself', async () => {
    const { filter, state, source } = storedList({ expressions: listed })
    const facts = { name: 'se-4b', version: new Uint8Array([1]), entryLength: 4 as const, count: state.entryCount }
    const statement = {
      name: 'se-4b',
      epoch: 1,
      sequence: 1,
      entryCount: state.entryCount,
      byteLength: filter.byteLength,
      checksum: state.checksum,
      issuedAt: state.issuedAt,
      expiresAt: state.expiresAt,
    }
    await store().replace({ source, filter, state: statement, list: new FilterOnlyList(facts), updatedAt: 1 })
    const read = await cold().about(hashesOf('http://host0.test/'), [{ id: SOURCE, lists: ['se-4b'] }])
    expect(read?.[0]?.list).toBeInstanceOf(FilterOnlyList)
    expect(new ListLookup().find(canonicalize('http://host0.test/'), read ?? []).listed).toMatchObject([{ signed: false }])
  })

  it('reads one page an expression, in one transaction, and no list page where the filter says no', async () => {
    const many = Array.from({ length: 60_000 }, (_, i) => `h${i}.test/`)
    await store().replace(paged(storedList({ name: 'se-8b', expressions: many, testEntries: false }), 1e-3))
    const kept = cold()
    await kept.about(hashesOf('http://warm.example/'), [{ id: SOURCE, lists: ['se-8b'] }])
    const counts = countReads()
    const url = 'https://www.example.test/a/b?q'
    await kept.about(hashesOf(url), [{ id: SOURCE, lists: ['se-8b'] }])
    expect(counts.transactions).toBe(1)
    // A page of the filter lies over two of the store where it begins behind the head: 1 place in 85.
    expect(counts.gets).toBeLessThanOrEqual(hashesOf(url).length + 3)
    counts.gets = 0
    const read = await kept.about(hashesOf('http://h77.test/'), [{ id: SOURCE, lists: ['se-8b'] }])
    expect(new ListLookup().find(canonicalize('http://h77.test/'), read ?? []).listed).toHaveLength(1)
    expect(counts.gets).toBeLessThanOrEqual(6)
  })

  it('refuses what is damaged where it reads, and knows nothing of what it has not read', async () => {
    await store().replace(paged(storedList({ expressions: listed, testEntries: false }), 1e-3))
    const wanted = [{ id: SOURCE, lists: ['se-4b'] }]
    const read = await cold().about(hashesOf('http://host0.test/'), wanted)
    expect(() => read?.[0]?.filter.mightContainHash(1, 2)).toThrow(RangeError)
    expect(() => read?.[0]?.list.has(fullHash('other.test/'))).toThrow(RangeError)
    const raw = await openDB('wary')
    for (const key of await raw.getAllKeys('pages')) {
      const page: Uint8Array = await raw.get('pages', key)
      page[5] = (page[5] as number) ^ 1
      await raw.put('pages', page, key)
    }
    await expect(cold().about(hashesOf('http://host0.test/'), wanted)).rejects.toMatchObject({ code: 'storage-damaged' })
    await raw.clear('pages')
    await expect(cold().about(hashesOf('http://host0.test/'), wanted)).rejects.toMatchObject({ code: 'storage-damaged' })
    raw.close()
  })

  it('says nothing where a list is missing, or was stored without what it takes', async () => {
    await store().replace(paged(storedList({ expressions: listed, testEntries: false }), 1e-3))
    expect(await cold().about(hashesOf('http://host0.test/'), [{ id: SOURCE, lists: ['se-4b', 'mw-4b'] }])).toBeUndefined()
    expect(await cold().about(hashesOf('http://host0.test/'), [{ id: 'other', lists: ['se-4b'] }])).toBeUndefined()
    const raw = await openDB('wary')
    const { filterHead: _, ...record } = await raw.get('lists', [SOURCE, 'se-4b'])
    await raw.put('lists', record)
    raw.close()
    expect(await cold().about(hashesOf('http://host0.test/'), [{ id: SOURCE, lists: ['se-4b'] }])).toBeUndefined()
  })
})
