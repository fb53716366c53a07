import { WaryError } from '../../src/errors.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { HashList } from '../../src/lists/hash-list.ts'
import { checkState, decodeListState, encodeListState } from '../../src/lists/signed-state.ts'
import type { ListStore, StoredList } from '../../src/ports.ts'
import { type Database, type ListRecord, type PageKind, storageError, type WaryDatabase } from './database.ts'

/** Small pages: IndexedDB copies whole values, and a cold check must not copy megabytes (design: memory and cold start). */
const PAGE_BYTES = 4096
/** Pages written by one transaction, so that a check's read never waits behind a long write. */
const PAGES_A_TRANSACTION = 128

function range(name: string, generation: number, kind?: PageKind): IDBKeyRange {
  return kind === undefined
    ? IDBKeyRange.bound([name, generation], [name, generation, []])
    : IDBKeyRange.bound([name, generation, kind], [name, generation, kind, []])
}

/** Hash lists and their filters in IndexedDB, in pages, one generation in force for each list. */
export class IndexedDbListStore implements ListStore {
  readonly #database: Database

  constructor(options: { readonly database: Database }) {
    this.#database = options.database
  }

  async load(): Promise<StoredList[]> {
    try {
      const database = await this.#database.open()
      const transaction = database.transaction(['lists', 'pages'])
      const records = await transaction.objectStore('lists').getAll()
      const pages = transaction.objectStore('pages')
      const bytes = await Promise.all(
        records.flatMap((record) => [
          pages.getAll(range(record.name, record.generation, 'list')),
          pages.getAll(range(record.name, record.generation, 'filter')),
        ]),
      )
      return records.map((record, i) => restore(record, bytes[2 * i] ?? [], bytes[2 * i + 1] ?? []))
    } catch (error) {
      throw storageError(error)
    }
  }

  async replace(stored: StoredList): Promise<void> {
    const { name, version, entryLength, entries } = stored.list
    const filterFile = stored.filter.toBytes()
    try {
      const database = await this.#database.open()
      const former = await database.get('lists', name)
      const generation = (former?.generation ?? 0) + 1
      // An update that died may have left pages under this generation.
      await database.delete('pages', range(name, generation))
      await writePages(database, name, generation, 'list', entries)
      await writePages(database, name, generation, 'filter', filterFile)
      const record: ListRecord = {
        name,
        generation,
        version,
        entryLength,
        listBytes: entries.length,
        filterBytes: filterFile.length,
        statement: encodeListState(stored.state),
        updatedAt: stored.updatedAt,
      }
      const swap = database.transaction(['lists', 'pages'], 'readwrite')
      await Promise.all([
        swap.objectStore('lists').put(record),
        // Every other generation of this list: the former one, and leftovers of updates that died.
        swap.objectStore('pages').delete(IDBKeyRange.bound([name, 0], [name, generation], false, true)),
        swap.objectStore('pages').delete(IDBKeyRange.bound([name, generation, []], [name, Number.MAX_SAFE_INTEGER, []])),
        swap.done,
      ])
    } catch (error) {
      throw storageError(error)
    }
  }

  async keepOnly(names: readonly string[]): Promise<void> {
    try {
      const database = await this.#database.open()
      const transaction = database.transaction(['lists', 'pages'], 'readwrite')
      const kept = new Set(names)
      const gone = (await transaction.objectStore('lists').getAllKeys()).filter((name) => !kept.has(name))
      for (const name of gone) {
        transaction.objectStore('lists').delete(name)
        transaction.objectStore('pages').delete(IDBKeyRange.bound([name], [name, []]))
      }
      await transaction.done
    } catch (error) {
      throw storageError(error)
    }
  }
}

async function writePages(database: WaryDatabase, name: string, generation: number, kind: PageKind, bytes: Uint8Array): Promise<void> {
  const pages = Math.ceil(bytes.length / PAGE_BYTES)
  for (let first = 0; first < pages; first += PAGES_A_TRANSACTION) {
    const transaction = database.transaction('pages', 'readwrite')
    const last = Math.min(first + PAGES_A_TRANSACTION, pages)
    for (let index = first; index < last; index++) {
      // slice, not subarray: structured clone would copy the whole underlying buffer for every page.
      transaction.store.put(bytes.slice(index * PAGE_BYTES, (index + 1) * PAGE_BYTES), [name, generation, kind, index])
    }
    await transaction.done
  }
}

/** @throws {WaryError} `storage-damaged` when pages are missing, cut or changed */
function restore(record: ListRecord, listPages: Uint8Array[], filterPages: Uint8Array[]): StoredList {
  try {
    const entries = join(listPages, record.listBytes)
    const state = decodeListState(record.statement)
    const entryLength = state.entryLength
    const list = HashList.fromSorted({ name: record.name, version: record.version, entryLength, entries })
    checkState(state, list)
    const filter = BloomFilter.verified(join(filterPages, record.filterBytes))
    return { list, filter, state, updatedAt: record.updatedAt }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new WaryError('storage-damaged', `the stored list ${record.name} is damaged (${cause}): it is fetched anew`, { cause: error })
  }
}

function join(pages: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const page of pages) {
    if (at + page.length > length) throw new WaryError('storage-damaged', 'more bytes than the record says')
    whole.set(page, at)
    at += page.length
  }
  if (at !== length) throw new WaryError('storage-damaged', `${at} of ${length} bytes are there`)
  return whole
}
