import { asWaryError, WaryError } from '../../src/errors.ts'
import { openHeldFilter } from '../../src/filter/held-filter.ts'
import { encodeFilterState } from '../../src/lists/filter-state.ts'
import { HashList, isEntryLength } from '../../src/lists/hash-list.ts'
import { FilterOnlyList } from '../../src/lists/held-list.ts'
import { encodeListState } from '../../src/lists/signed-state.ts'
import type { DamagedList, ListStore, LoadedLists, Logger, StoredList } from '../../src/ports.ts'
import { type Database, type ListRecord, type PageKind, storageError, type WaryDatabase } from './database.ts'
import { openedPage, PAGE_BYTES, pageCount, pageRoom, sealedPage } from './page.ts'
import { storedState } from './stored-state.ts'

/** Pages written by one transaction, so that a check's read never waits behind a long write. */
const PAGES_A_TRANSACTION = 128
/** Pages read at a time: a cold check (cold-lists.ts) comes in between, and the worker's thread is never long at it. */
const PAGES_A_READ = 256
/** Of a filter's file; every head is shorter. */
const HEAD_BYTES = 64

/**
 * Hash lists and filters of one source in IndexedDB, in pages with checksums. A new version is written beside the one in force and swapped
 * in by one transaction; the former one stays until the new one has been read back, and takes over again if it cannot be.
 */
export class IndexedDbListStore implements ListStore {
  readonly #database: Database
  readonly #source: string
  readonly #logger: Logger
  /** Lists whose newest version could not be read, so that the one before it is in force. */
  readonly #onFormer = new Set<string>()
  readonly #giveWay: () => Promise<void>

  /** `giveWay` is awaited before each read of a load: others may have more urgent ones. */
  constructor(options: {
    readonly database: Database
    readonly source: string
    readonly logger: Logger
    readonly giveWay?: () => Promise<void>
  }) {
    this.#database = options.database
    this.#source = options.source
    this.#logger = options.logger
    this.#giveWay = options.giveWay ?? (async () => undefined)
  }

  async load(): Promise<LoadedLists> {
    try {
      const database = await this.#database.open()
      const records = await database.getAll('lists', this.#all())
      const lists: StoredList[] = []
      const damaged: DamagedList[] = []
      for (const record of records) {
        const outcome = await readBest({ database, giveWay: this.#giveWay }, record)
        if (outcome.stored) lists.push(outcome.stored)
        if (outcome.error && outcome.stored) this.#onFormer.add(record.name)
        if (outcome.error) damaged.push({ name: record.name, error: outcome.error })
        else if (record.former) void this.#forgetFormer(record)
      }
      return { lists, damaged }
    } catch (error) {
      throw storageError(error)
    }
  }

  async replace(stored: StoredList): Promise<void> {
    const { list, filter, state, updatedAt } = stored
    const entries = list instanceof HashList ? list.entries : new Uint8Array(0)
    const filterFile = filter.toBytes()
    try {
      const database = await this.#database.open()
      const newest = await database.get('lists', [this.#source, list.name])
      const former = newest && this.#whole(newest)
      const generation = (newest?.generation ?? 0) + 1
      // An update that died may have left pages under this generation.
      await database.delete('pages', this.#pages(list.name, generation))
      await this.#write(database, list.name, generation, 'list', entries)
      await this.#write(database, list.name, generation, 'filter', filterFile)
      const record: ListRecord = {
        source: this.#source,
        name: list.name,
        generation,
        version: list.version,
        entryLength: list.entryLength,
        entryCount: list.count,
        listBytes: entries.length,
        filterBytes: filterFile.length,
        filterHead: filterFile.slice(0, HEAD_BYTES),
        statement: state && ('byteLength' in state ? encodeFilterState(state) : encodeListState(state)),
        updatedAt,
        ...(former ? { former } : {}),
      }
      const swap = database.transaction(['lists', 'pages'], 'readwrite')
      const { name } = list
      await Promise.all([
        swap.objectStore('lists').put(record),
        // Every generation but this one and the one before: leftovers of updates that died, and what could not be read.
        swap
          .objectStore('pages')
          .delete(IDBKeyRange.bound([this.#source, name], [this.#source, name, former?.generation ?? 0], false, true)),
        swap
          .objectStore('pages')
          .delete(IDBKeyRange.bound([this.#source, name, former?.generation ?? 0, []], [this.#source, name, generation], false, true)),
        swap.objectStore('pages').delete(IDBKeyRange.bound([this.#source, name, generation, []], [this.#source, name, []])),
        swap.done,
      ])
      this.#onFormer.delete(name)
    } catch (error) {
      throw storageError(error)
    }
  }

  async keepOnly(names: readonly string[]): Promise<void> {
    try {
      const transaction = (await this.#database.open()).transaction(['lists', 'pages'], 'readwrite')
      const kept = new Set(names)
      for (const key of await transaction.objectStore('lists').getAllKeys(this.#all())) {
        if (kept.has(key[1])) continue
        transaction.objectStore('lists').delete(key)
        transaction.objectStore('pages').delete(IDBKeyRange.bound(key, [...key, []]))
      }
      await transaction.done
    } catch (error) {
      throw storageError(error)
    }
  }

  /** The version in force has been read: the one before it has done its service. */
  async #forgetFormer({ former: _, ...record }: ListRecord): Promise<void> {
    try {
      const { source, name, generation } = record
      const transaction = (await this.#database.open()).transaction(['lists', 'pages'], 'readwrite')
      const now = await transaction.objectStore('lists').get([source, name])
      // An update may have gone on meanwhile.
      if (now?.generation === generation) {
        transaction.objectStore('lists').put(record)
        transaction.objectStore('pages').delete(IDBKeyRange.bound([source, name], [source, name, generation], false, true))
      }
      await transaction.done
    } catch (error) {
      this.#logger.warn('former-version-kept', storageError(error))
    }
  }

  async #write(database: WaryDatabase, name: string, generation: number, kind: PageKind, bytes: Uint8Array): Promise<void> {
    const pages = pageCount(bytes.length)
    const room = pageRoom()
    for (let first = 0; first < pages; first += PAGES_A_TRANSACTION) {
      const transaction = database.transaction('pages', 'readwrite')
      const last = Math.min(first + PAGES_A_TRANSACTION, pages)
      for (let index = first; index < last; index++)
        // What is put is copied before `put` returns.
        transaction.store.put(sealedPage(bytes, index, room), [this.#source, name, generation, kind, index])
      await transaction.done
    }
  }

  /** The version to fall back to: the newest one, or where that could not be read the one before it. */
  #whole({ former, ...newest }: ListRecord): Omit<ListRecord, 'former'> | undefined {
    return this.#onFormer.has(newest.name) ? former : newest
  }

  #all(): IDBKeyRange {
    return IDBKeyRange.bound([this.#source], [this.#source, []])
  }

  #pages(name: string, generation: number): IDBKeyRange {
    return IDBKeyRange.bound([this.#source, name, generation], [this.#source, name, generation, []])
  }
}

interface Place {
  readonly database: WaryDatabase
  readonly giveWay: () => Promise<void>
}

interface Read {
  readonly stored?: StoredList
  readonly error?: WaryError
}

/** The version in force, else the one before it, with the reason. */
async function readBest(place: Place, record: ListRecord): Promise<Read> {
  try {
    return { stored: await read(place, record) }
  } catch (error) {
    const cause = asWaryError(error, 'storage-damaged').message
    const damage = (kept: string): WaryError =>
      new WaryError('storage-damaged', `the stored list ${record.name} is damaged (${cause}): ${kept}it is fetched anew`, { cause: error })
    if (record.former === undefined) return { error: damage('') }
    try {
      return { stored: await read(place, record.former), error: damage('the version before it is in force, and ') }
    } catch {
      return { error: damage('') }
    }
  }
}

/** @throws {WaryError} `storage-damaged` when pages are missing, cut or changed */
async function read(place: Place, record: ListRecord): Promise<StoredList> {
  const { source, name, version, entryLength, entryCount, listBytes, filterBytes, statement, updatedAt } = record
  if (!isEntryLength(entryLength)) throw new WaryError('storage-damaged', `entries of ${entryLength} bytes`)
  const filter = openHeldFilter(await readWhole(place, record, 'filter', filterBytes))
  const entries = await readWhole(place, record, 'list', listBytes)
  const state = storedState(statement)
  if (state !== undefined && (state.name !== name || state.entryCount !== entryCount))
    throw new WaryError('storage-damaged', 'its signed state is about another list')
  const list =
    state !== undefined && 'byteLength' in state
      ? new FilterOnlyList({ name, version, entryLength, count: entryCount })
      : HashList.fromVerified({ name, version, entryLength, entries })
  if (list.count !== entryCount) throw new WaryError('storage-damaged', `${list.count} of ${entryCount} entries are there`)
  return { source, list, filter, state, updatedAt }
}

/** All pages of a kind, joined. @throws {WaryError} `storage-damaged` when pages are missing, cut, changed, or too many */
async function readWhole({ database, giveWay }: Place, record: ListRecord, kind: PageKind, total: number): Promise<Uint8Array> {
  const { source, name, generation } = record
  const whole = new Uint8Array(total)
  const count = pageCount(total)
  // One page more is asked for than there may be.
  for (let first = 0; first <= count; first += PAGES_A_READ) {
    await giveWay()
    const keys = IDBKeyRange.bound(
      [source, name, generation, kind, first],
      [source, name, generation, kind, first + PAGES_A_READ],
      false,
      true,
    )
    const pages = await database.getAll('pages', first + PAGES_A_READ > count ? everythingFrom(keys) : keys)
    const expected = Math.min(PAGES_A_READ, count - first)
    if (pages.length !== expected) throw new WaryError('storage-damaged', `${first + pages.length} of ${count} pages are there`)
    for (const [i, page] of pages.entries()) whole.set(openedPage(page, first + i, total), (first + i) * PAGE_BYTES)
  }
  return whole
}

function everythingFrom({ lower }: IDBKeyRange): IDBKeyRange {
  const [source, name, generation, kind] = lower
  return IDBKeyRange.bound(lower, [source, name, generation, kind, []])
}
