import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { openDB } from 'idb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Database } from '../../extension/storage/database.ts'
import { IndexedDbListStore } from '../../extension/storage/list-store.ts'
import { RecordingLogger } from '../support/fakes.ts'
import { SOURCE, storedList } from '../support/signed-list.ts'

function stored(name: string, sequence: number, hosts: number) {
  const expressions = Array.from({ length: hosts }, (_, i) => `host${i}.v${sequence}.test/`)
  return storedList({ name, sequence, expressions, testEntries: false })
}

describe('IndexedDbListStore', () => {
  beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))

  const make = () => new IndexedDbListStore({ database: new Database(), source: SOURCE, logger: new RecordingLogger() })
  const pageKeys = async () => (await openDB('wary')).getAllKeys('pages')

  it('is empty at first', async () => expect(await make().load()).toEqual({ lists: [], damaged: [] }))

  it('gives back what was stored, in another worker too', async () => {
    const first = stored('se-4b', 1, 5000)
    await make().replace(first)
    const [loaded] = (await make().load()).lists
    expect(loaded?.list).toMatchObject({ entries: first.list.entries })
    expect(loaded?.state).toEqual(first.state)
    expect(loaded?.updatedAt).toBe(first.updatedAt)
    expect(loaded?.filter.toBytes()).toEqual(first.filter.toBytes())
  })

  it('keeps the former generation until the new one has been read, and nothing of an update that died', async () => {
    await make().replace(stored('se-4b', 1, 5000))
    const database = await openDB('wary')
    await database.put('pages', new Uint8Array(9), [SOURCE, 'se-4b', 2, 'list', 77])
    await database.put('pages', new Uint8Array(9), [SOURCE, 'se-4b', 9, 'list', 0])
    database.close()
    await make().replace(stored('se-4b', 2, 3000))
    const generations = async () => new Set((await pageKeys()).map((key) => (key as unknown[])[2]))
    expect(await generations()).toEqual(new Set([1, 2]))
    const [loaded] = (await make().load()).lists
    expect(loaded?.state?.sequence).toBe(2)
    await vi.waitFor(async () => expect(await generations()).toEqual(new Set([2])))
  })

  it('goes back to the former version where the new one cannot be read, and says so', async () => {
    await make().replace(stored('se-4b', 1, 5000))
    await make().replace(stored('se-4b', 2, 5000))
    const database = await openDB('wary')
    await database.put('pages', new Uint8Array(100), [SOURCE, 'se-4b', 2, 'list', 1])
    database.close()
    const { lists, damaged } = await make().load()
    expect(lists[0]?.state?.sequence).toBe(1)
    expect(damaged).toMatchObject([{ name: 'se-4b', error: { code: 'storage-damaged', message: /version before it is in force/ } }])
    const store = make()
    await store.load()
    await store.replace(stored('se-4b', 3, 10))
    expect((await make().load()).lists[0]?.state?.sequence).toBe(3)
  })

  it('keeps the version that is whole behind the next one, not the damaged one', async () => {
    const store = make()
    await store.replace(stored('se-4b', 1, 5000))
    await store.replace(stored('se-4b', 2, 5000))
    const database = await openDB('wary')
    await database.put('pages', new Uint8Array(100), [SOURCE, 'se-4b', 2, 'list', 1])
    const next = make()
    expect((await next.load()).lists[0]?.state?.sequence).toBe(1)
    await next.replace(stored('se-4b', 3, 5000))
    expect(new Set((await pageKeys()).map((key) => (key as unknown[])[2]))).toEqual(new Set([1, 3]))
    await database.put('pages', new Uint8Array(100), [SOURCE, 'se-4b', 3, 'list', 1])
    database.close()
    expect((await make().load()).lists[0]?.state?.sequence).toBe(1)
  })

  it('one damaged list leaves the others in force, and the lists of another source are its own', async () => {
    await make().replace(stored('se-4b', 1, 5000))
    await make().replace(stored('mw-4b', 1, 100))
    const other = new IndexedDbListStore({ database: new Database(), source: 'other', logger: new RecordingLogger() })
    await other.replace(stored('se-4b', 7, 10))
    const database = await openDB('wary')
    await database.delete('pages', [SOURCE, 'se-4b', 1, 'list', 2])
    database.close()
    const { lists, damaged } = await make().load()
    expect(lists.map(({ list }) => list.name)).toEqual(['mw-4b'])
    expect(damaged.map(({ name }) => name)).toEqual(['se-4b'])
    expect((await other.load()).lists.map(({ state }) => state?.sequence)).toEqual([7])
  })

  it('keeps the old list whole when a write fails half-way', async () => {
    await make().replace(stored('se-4b', 1, 5000))
    const next = stored('se-4b', 2, 5000)
    const failing = { ...next, list: Object.create(next.list, { version: { value: () => 'a function cannot be stored' } }) }
    await expect(make().replace(failing)).rejects.toMatchObject({ code: 'storage-failed' })
    expect((await make().load()).lists[0]?.state?.sequence).toBe(1)
  })

  it.each([
    ['a missing page', async (db: Awaited<ReturnType<typeof openDB>>) => db.delete('pages', [SOURCE, 'se-4b', 1, 'list', 2])],
    ['a cut page', async (db: Awaited<ReturnType<typeof openDB>>) => db.put('pages', new Uint8Array(10), [SOURCE, 'se-4b', 1, 'list', 2])],
    [
      'a changed page',
      async (db: Awaited<ReturnType<typeof openDB>>) => db.put('pages', new Uint8Array(4096).fill(7), [SOURCE, 'se-4b', 1, 'list', 2]),
    ],
    [
      'a changed filter page',
      async (db: Awaited<ReturnType<typeof openDB>>) => db.put('pages', new Uint8Array(4096).fill(7), [SOURCE, 'se-4b', 1, 'filter', 1]),
    ],
    [
      'a surplus page',
      async (db: Awaited<ReturnType<typeof openDB>>) => db.put('pages', new Uint8Array(10), [SOURCE, 'se-4b', 1, 'list', 99]),
    ],
  ])('names %s', async (_name, damage) => {
    await make().replace(stored('se-4b', 1, 5000))
    const database = await openDB('wary')
    await damage(database)
    database.close()
    const { lists, damaged } = await make().load()
    expect(lists).toEqual([])
    expect(damaged).toMatchObject([{ name: 'se-4b', error: { code: 'storage-damaged' } }])
    // The next update repairs it.
    await make().replace(stored('se-4b', 2, 100))
    expect((await make().load()).lists[0]?.state?.sequence).toBe(2)
  })

  it('keeps only the named lists', async () => {
    const store = make()
    await store.replace(stored('se-4b', 1, 100))
    await store.replace(stored('mw-4b', 1, 100))
    await store.keepOnly(['mw-4b'])
    expect((await store.load()).lists.map(({ list }) => list.name)).toEqual(['mw-4b'])
    expect(new Set((await pageKeys()).map((key) => (key as unknown[])[1]))).toEqual(new Set(['mw-4b']))
  })
})
