import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, expect, it, vi } from 'vitest'
import { Database } from '../../extension/storage/database.ts'
import { IndexedDbPartStore } from '../../extension/storage/part-store.ts'
import { T0 } from '../support/fakes.ts'

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))

const make = (source = 'a') => new IndexedDbPartStore({ database: new Database(), source })
const head = { etag: '"1"', totalBytes: 9, startedAt: T0 }

it('gives back what came, to another worker too, and only of the same address', async () => {
  const store = make()
  expect(await store.load('/list')).toBeUndefined()
  await store.begin('/list', head)
  await store.append(new Uint8Array([1, 2, 3]))
  await store.append(new Uint8Array([4]))
  const kept = await make().load('/list')
  expect(kept).toMatchObject(head)
  expect([...(kept?.bytes ?? [])]).toEqual([1, 2, 3, 4])
  expect(await make().load('/other')).toBeUndefined()
  expect(await make('b').load('/list')).toBeUndefined()
})

it('begins anew, and clears', async () => {
  const store = make()
  await store.begin('/list', head)
  await store.append(new Uint8Array([1, 2, 3]))
  await store.begin('/next', head)
  await store.append(new Uint8Array([9]))
  expect([...((await store.load('/next'))?.bytes ?? [])]).toEqual([9])
  await store.clear()
  expect(await store.load('/next')).toBeUndefined()
})
