import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readPart, readUpdateWish, readWish } from '../../extension/background/lending.ts'
import { ListBorrower } from '../../extension/background/list-borrower.ts'
import { ListLender } from '../../extension/background/list-lender.ts'
import { Database } from '../../extension/storage/database.ts'
import { IndexedDbListStore } from '../../extension/storage/list-store.ts'
import type { UpdateRequest } from '../../src/update/updater.ts'
import { RecordingLogger } from '../support/fakes.ts'
import { SOURCE, storedList } from '../support/signed-list.ts'

type Changes = Record<string, { newValue?: unknown }>

/** `browser.storage.session` of two workers: every change is told to both, as JSON carries it. */
class SharedSession {
  readonly kept = new Map<string, unknown>()
  readonly #listeners: ((changes: Changes, area: string) => void)[] = []
  writes = 0

  readonly onChanged = { addListener: (listener: (changes: Changes, area: string) => void) => void this.#listeners.push(listener) }
  readonly session = {
    set: async (items: Record<string, unknown>) => {
      this.writes++
      for (const [key, value] of Object.entries(items)) {
        const newValue: unknown = JSON.parse(JSON.stringify(value))
        this.kept.set(key, newValue)
        for (const listener of this.#listeners) queueMicrotask(() => listener({ [key]: { newValue } }, 'session'))
      }
    },
    remove: async (keys: string[]) => {
      for (const key of keys) this.kept.delete(key)
    },
  }
}

let next = 0
const createId = () => `id-${next++}`

function setUp({ pagesAPart = 3, lending = true } = {}) {
  const storage = new SharedSession()
  const logger = new RecordingLogger()
  const regular = new Database('regular')
  const own = new Database('private')
  const wishes: [UpdateRequest, string | undefined][] = []
  const lender = lending
    ? new ListLender({ storage, database: regular, logger, createId, pagesAPart, onUpdateWish: (...wish) => wishes.push(wish) })
    : undefined
  const lists = async () => (await new IndexedDbListStore({ database: own, source: SOURCE, logger }).load()).lists
  const reloads: boolean[] = []
  const borrower = new ListBorrower({
    storage,
    database: own,
    logger,
    createId,
    patienceMs: 300,
    reload: async () => {
      const { damaged } = await new IndexedDbListStore({ database: own, source: SOURCE, logger }).load()
      reloads.push(damaged.length === 0)
      return damaged.length === 0
    },
  })
  const store = new IndexedDbListStore({ database: regular, source: SOURCE, logger })
  return { storage, logger, regular, own, store, lender, borrower, lists, wishes, reloads }
}

const stored = (sequence: number, hosts = 6000) =>
  storedList({ sequence, expressions: Array.from({ length: hosts }, (_, i) => `host${i}.v${sequence}.test/`) })

describe('lists that Chrome lends to its private windows', () => {
  beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))

  it('arrive whole in many parts, the versions in force alone, and leave nothing behind in the shared storage', async () => {
    const { store, borrower, lists, storage } = setUp()
    await store.replace(stored(1))
    await store.replace(stored(2))
    await borrower.first()
    const [copy] = await lists()
    expect(copy?.state).toEqual(stored(2).state)
    expect(copy?.list).toMatchObject({ entries: stored(2).list.entries })
    expect(copy?.filter.toBytes()).toEqual(stored(2).filter.toBytes())
    expect([...storage.kept.keys()]).toEqual([])
    // 24 kB of entries and 11 kB of filter, of two versions, in parts of three pages.
    expect(storage.writes).toBeGreaterThan(8)
  })

  it('are not asked for again by a worker that wakes', async () => {
    const { store, borrower, storage } = setUp()
    await store.replace(stored(1))
    await borrower.first()
    const { writes } = storage
    await borrower.first()
    expect(storage.writes).toBe(writes)
  })

  it('follow the news of the lender; what is gone there goes here', async () => {
    const { store, borrower, lender, lists, own } = setUp()
    await store.replace(stored(1))
    await borrower.first()
    await store.replace(stored(2, 10))
    await lender?.announce()
    await vi.waitFor(async () => expect((await lists())[0]?.state?.sequence).toBe(2))
    const generations = new Set((await (await own.open()).getAllKeys('pages')).map(([, , generation]) => generation))
    expect(generations).toEqual(new Set([2]))
    await store.keepOnly([])
    await lender?.announce()
    await vi.waitFor(async () => expect(await lists()).toEqual([]))
  })

  it('are copied again where an update of the lender came between two parts', async () => {
    const { store, borrower, lists, regular, reloads, storage } = setUp()
    await store.replace(stored(1))
    const set = storage.session.set
    let parts = 0
    storage.session.set = async (items) => {
      if ('lend-part' in items && ++parts === 2) {
        await store.replace(stored(2))
        await store.replace(stored(3))
        // Of the version that the first part was of, nothing is left.
        expect(await (await regular.open()).count('pages', IDBKeyRange.bound([SOURCE, 'se-4b', 1], [SOURCE, 'se-4b', 1, []]))).toBe(0)
      }
      await set(items)
    }
    await borrower.borrow()
    expect(reloads).toEqual([false, true])
    expect((await lists())[0]?.state?.sequence).toBe(3)
  })

  it('that nobody lends are named in the log, and nothing is in force', async () => {
    const { borrower, lists, logger } = setUp({ lending: false })
    await borrower.first()
    await borrower.borrow()
    expect(await lists()).toEqual([])
    expect(logger.lines.map(({ event, error }) => [event, error?.code, error?.message])).toEqual([
      ['lists-not-borrowed', 'storage-failed', 'the regular windows lend no lists'],
      ['lists-not-borrowed', 'storage-failed', 'the regular windows lend no lists'],
    ])
  })

  it('a wish for an update reaches the lender, with what it is for', async () => {
    const { borrower, wishes } = setUp()
    await borrower.run({ urgent: true }, 'http://lists.test')
    await borrower.run({ force: true })
    await vi.waitFor(() => expect(wishes).toHaveLength(2))
    expect(wishes).toEqual([
      [{ force: false, urgent: true }, 'http://lists.test'],
      [{ force: true, urgent: false }, undefined],
    ])
  })

  it('a borrower that asks while one copy runs gets another one after it', async () => {
    const { store, borrower, lists, reloads } = setUp()
    await store.replace(stored(1))
    const first = borrower.borrow()
    void borrower.borrow()
    void borrower.borrow()
    await first
    await vi.waitFor(() => expect(reloads).toEqual([true, true]))
    expect((await lists())[0]?.state?.sequence).toBe(1)
  })
})

describe('what the two workers read of each other', () => {
  const wish = { id: 'a', after: null }

  it('other values are no wishes', () => {
    for (const value of [undefined, null, 'a', [], {}, { id: 1, after: null }, { id: 'a' }, { id: 'a', after: ['s', 'n', 1, 'page', 0] }])
      expect(readWish(value)).toBeUndefined()
    expect(readWish({ id: 'a', after: ['s', 'n', 1, 'list', 0] })).toEqual({ id: 'a', after: ['s', 'n', 1, 'list', 0] })
    expect(readUpdateWish({ force: true })).toBeUndefined()
  })

  it('a part for another wish is passed over; one that is damaged is named', () => {
    expect(readPart({ id: 'b', after: null, records: [], pages: [], last: true }, wish)).toBeUndefined()
    expect(readPart({ id: 'a', after: ['s', 'n', 1, 'list', 0], records: [], pages: [], last: true }, wish)).toBeUndefined()
    const whole = { id: 'a', after: null, records: [], pages: [], last: true }
    expect(readPart(whole, wish)).toEqual({ records: [], pages: [], last: true })
    for (const broken of [
      { records: 3 },
      { pages: [['s']] },
      { pages: [[['s', 'n', 1, 'list', 0], 7]] },
      { records: [{ source: 's' }] },
      { last: 1 },
    ])
      expect(() => readPart({ ...whole, ...broken }, wish)).toThrow(expect.objectContaining({ code: 'storage-damaged' }))
  })
})
