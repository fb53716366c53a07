import { concatBytes } from '../../src/bytes.ts'
import type { Parts, PartStore } from '../../src/protocol/part-store.ts'
import { type Database, storageError } from './database.ts'

/** The parts of a source's download in IndexedDB, so that it goes on after the worker's death. */
export class IndexedDbPartStore implements PartStore {
  readonly #database: Database
  readonly #source: string

  constructor(options: { readonly database: Database; readonly source: string }) {
    this.#database = options.database
    this.#source = options.source
  }

  async load(key: string): Promise<Parts | undefined> {
    try {
      const transaction = (await this.#database.open()).transaction(['downloads', 'parts'])
      const record = await transaction.objectStore('downloads').get(this.#source)
      if (record === undefined || record.key !== key) return undefined
      const parts = await transaction.objectStore('parts').getAll(this.#range())
      // What was counted and is not there was lost with the transaction, or by damage: no use beginning behind a gap.
      return parts.length === record.parts ? { ...record, bytes: concatBytes(parts) } : undefined
    } catch (error) {
      throw storageError(error)
    }
  }

  async begin(key: string, head: Omit<Parts, 'bytes'>): Promise<void> {
    try {
      const transaction = (await this.#database.open()).transaction(['downloads', 'parts'], 'readwrite')
      transaction.objectStore('parts').delete(this.#range())
      transaction.objectStore('downloads').put({ source: this.#source, key, ...head, parts: 0 })
      await transaction.done
    } catch (error) {
      throw storageError(error)
    }
  }

  async append(bytes: Uint8Array): Promise<void> {
    try {
      const transaction = (await this.#database.open()).transaction(['downloads', 'parts'], 'readwrite')
      const record = await transaction.objectStore('downloads').get(this.#source)
      if (record !== undefined) {
        transaction.objectStore('parts').put(bytes, [this.#source, record.parts])
        transaction.objectStore('downloads').put({ ...record, parts: record.parts + 1 })
      }
      await transaction.done
    } catch (error) {
      throw storageError(error)
    }
  }

  async clear(): Promise<void> {
    try {
      const transaction = (await this.#database.open()).transaction(['downloads', 'parts'], 'readwrite')
      transaction.objectStore('parts').delete(this.#range())
      transaction.objectStore('downloads').delete(this.#source)
      await transaction.done
    } catch (error) {
      throw storageError(error)
    }
  }

  #range(): IDBKeyRange {
    return IDBKeyRange.bound([this.#source, 0], [this.#source, Number.MAX_SAFE_INTEGER])
  }
}
