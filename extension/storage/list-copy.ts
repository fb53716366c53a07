import { type Database, type ListRecord, type PageKey, storageError } from './database.ts'

/** A part of the stored lists as they lie in the database. */
export interface CopyPart {
  /** Of every list in force; in the first part only. */
  readonly records: readonly ListRecord[]
  readonly pages: readonly (readonly [PageKey, Uint8Array])[]
  readonly last: boolean
}

/**
 * The next part of all lists in force, of about `mostPages` pages of 4 KiB.
 *
 * @param after the key of the last page that was read; null for the first part
 * @throws {WaryError} `storage-*`
 */
export async function readCopyPart(database: Database, after: PageKey | null, mostPages: number): Promise<CopyPart> {
  try {
    const transaction = (await database.open()).transaction(['lists', 'pages'])
    const records = await transaction.objectStore('lists').getAll()
    const inForce = new Map(records.map(({ source, name, generation }) => [JSON.stringify([source, name]), generation]))
    const range = after === null ? null : IDBKeyRange.lowerBound(after, true)
    const [keys, values] = await Promise.all([
      transaction.objectStore('pages').getAllKeys(range, mostPages),
      transaction.objectStore('pages').getAll(range, mostPages),
    ])
    const pages = keys
      .map((key, i) => [key, values[i] ?? new Uint8Array(0)] as const)
      // Other generations are leftovers, or the version before.
      .filter(([[source, name, generation]], i) => i === keys.length - 1 || inForce.get(JSON.stringify([source, name])) === generation)
    return {
      records: after === null ? records.map(({ former: _, ...record }) => record) : [],
      pages,
      last: keys.length < mostPages,
    }
  } catch (error) {
    throw storageError(error)
  }
}

/** @throws {WaryError} `storage-*` */
export async function writeCopyPages(database: Database, pages: CopyPart['pages']): Promise<void> {
  try {
    const transaction = (await database.open()).transaction('pages', 'readwrite')
    for (const [key, page] of pages) transaction.store.put(page, key)
    await transaction.done
  } catch (error) {
    throw storageError(error)
  }
}

/** Puts a copy whose pages are all written in force: these lists and no others, by one transaction. @throws {WaryError} `storage-*` */
export async function finishCopy(database: Database, records: readonly ListRecord[]): Promise<void> {
  try {
    const transaction = (await database.open()).transaction(['lists', 'pages'], 'readwrite')
    const inForce = new Map(records.map(({ source, name, generation }) => [JSON.stringify([source, name]), generation]))
    for (const key of await transaction.objectStore('pages').getAllKeys()) {
      const [source, name, generation] = key
      if (inForce.get(JSON.stringify([source, name])) !== generation) transaction.objectStore('pages').delete(key)
    }
    await transaction.objectStore('lists').clear()
    for (const record of records) transaction.objectStore('lists').put(record)
    await transaction.done
  } catch (error) {
    throw storageError(error)
  }
}
