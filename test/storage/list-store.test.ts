import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { openDB } from 'idb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Database } from '../../extension/storage/database.ts'
import { IndexedDbListStore } from '../../extension/storage/list-store.ts'
import type { StoredList } from '../../src/ports.ts'
import { storedList } from '../support/signed-list.ts'

function stored(name: string, sequence: number, hosts: number): StoredList {
  const expressions = Array.from({ length: hosts }, (_, i) => `host${i}.v${sequence}.test/`)
  return storedList({ name, sequence, expressions, testEntries: false })
}

describe('IndexedDbListStore', () => {
  beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))

  const make = () => new IndexedDbListStore({ database: new Database() })
  const pageKeys = async () => (await openDB('wary')).getAllKeys('pages')

  it('is empty at first', async () => expect(await make().load()).toEqual([]))

  it('gives back what was stored, in another worker too', async () => {
    const first = stored('se-4b', 1, 5000)
    await make().replace(first)
    const [loaded] = await make().load()
    expect(loaded?.list.entries).toEqual(first.list.entries)
    expect(loaded?.state).toEqual(first.state)
    expect(loaded?.updatedAt).toBe(first.updatedAt)
    expect(loaded?.filter.toBytes()).toEqual(first.filter.toBytes())
  })

  it('leaves no page of the former generation, nor of an update that died', async () => {
    await make().replace(stored('se-4b', 1, 5000))
    const database = await openDB('wary')
    await database.put('pages', new Uint8Array(9), ['se-4b', 2, 'list', 77])
    await database.put('pages', new Uint8Array(9), ['se-4b', 9, 'list', 0])
    database.close()
    await make().replace(stored('se-4b', 2, 3000))
    const [loaded] = await make().load()
    expect(loaded?.state.sequence).toBe(2)
    expect(new Set((await pageKeys()).map((key) => (key as unknown[])[1]))).toEqual(new Set([2]))
  })

  it('keeps the old list whole when a write fails half-way', async () => {
    await make().replace(stored('se-4b', 1, 5000))
    const next = stored('se-4b', 2, 5000)
    const failing = { ...next, list: Object.create(next.list, { version: { value: () => 'a function cannot be stored' } }) }
    await expect(make().replace(failing)).rejects.toMatchObject({ code: 'storage-failed' })
    expect((await make().load())[0]?.state.sequence).toBe(1)
  })

  it.each([
    ['a missing page', async (db: Awaited<ReturnType<typeof openDB>>) => db.delete('pages', ['se-4b', 1, 'list', 2])],
    ['a cut page', async (db: Awaited<ReturnType<typeof openDB>>) => db.put('pages', new Uint8Array(10), ['se-4b', 1, 'list', 2])],
    [
      'a changed page',
      async (db: Awaited<ReturnType<typeof openDB>>) => db.put('pages', new Uint8Array(4096).fill(7), ['se-4b', 1, 'list', 2]),
    ],
    [
      'a changed filter page',
      async (db: Awaited<ReturnType<typeof openDB>>) => db.put('pages', new Uint8Array(4096).fill(7), ['se-4b', 1, 'filter', 1]),
    ],
    ['a surplus page', async (db: Awaited<ReturnType<typeof openDB>>) => db.put('pages', new Uint8Array(10), ['se-4b', 1, 'list', 99])],
  ])('names %s', async (_name, damage) => {
    await make().replace(stored('se-4b', 1, 5000))
    const database = await openDB('wary')
    await damage(database)
    database.close()
    await expect(make().load()).rejects.toMatchObject({ code: 'storage-damaged' })
    // The next update repairs it.
    await make().replace(stored('se-4b', 2, 100))
    expect((await make().load())[0]?.state.sequence).toBe(2)
  })

  it('keeps only the named lists', async () => {
    const store = make()
    await store.replace(stored('se-4b', 1, 100))
    await store.replace(stored('mw-4b', 1, 100))
    await store.keepOnly(['mw-4b'])
    expect((await store.load()).map(({ list }) => list.name)).toEqual(['mw-4b'])
    expect(new Set((await pageKeys()).map((key) => (key as unknown[])[0]))).toEqual(new Set(['mw-4b']))
  })
})
