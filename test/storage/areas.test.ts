import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { openDB } from 'idb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Database } from '../../extension/storage/database.ts'
import { DatabaseArea } from '../../extension/storage/database-area.ts'
import { UnwrittenArea } from '../../extension/storage/unwritten-area.ts'

describe('DatabaseArea', () => {
  beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))

  it('keeps values over the death of its worker', async () => {
    await new DatabaseArea(new Database()).set({ pending: [{ id: 'a' }], history: 3 })
    const area = new DatabaseArea(new Database())
    expect(await area.get('pending')).toEqual({ pending: [{ id: 'a' }] })
    expect(await area.get('other')).toEqual({})
  })

  it('names a database that cannot be opened', async () => {
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('no', 'UnknownError')
      },
    })
    await expect(new DatabaseArea(new Database()).get('a')).rejects.toMatchObject({ code: 'storage-failed' })
  })

  it('is a store that version 2 of the database did not have; its lists stay', async () => {
    const former = await openDB('wary', 2, {
      upgrade(database) {
        database.createObjectStore('lists', { keyPath: ['source', 'name'] })
        for (const name of ['pages', 'parts']) database.createObjectStore(name)
        database.createObjectStore('answers', { keyPath: ['source', 'prefix'] })
        database.createObjectStore('downloads', { keyPath: 'source' })
      },
    })
    await former.put('pages', new Uint8Array([1]), ['s', 'se-4b', 1, 'list', 0])
    former.close()
    const database = new Database()
    await new DatabaseArea(database).set({ a: 1 })
    expect(await (await database.open()).count('pages')).toBe(1)
  })
})

describe('UnwrittenArea', () => {
  it('reads what is there and writes nothing', async () => {
    const kept = { settings: 1 }
    const area = new UnwrittenArea({ get: async () => kept })
    await area.set({ standing: ['bad.test/'] })
    await area.remove(['settings'])
    expect(await area.get('settings')).toEqual({ settings: 1 })
    expect(kept).toEqual({ settings: 1 })
  })
})
