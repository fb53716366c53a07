import { type Database, storageError } from './database.ts'

/**
 * Looks like `browser.storage.session`, kept in the extension's database. In Chrome's private windows that is the only memory of their own which
 * outlives the worker: the browser holds it in memory, and it ends with the last private window; `browser.storage` is that of all windows.
 */
export class DatabaseArea {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** @throws {WaryError} `storage-*` */
  async get(key: string): Promise<Record<string, unknown>> {
    try {
      const value = await (await this.#database.open()).get('values', key)
      return value === undefined ? {} : { [key]: value }
    } catch (error) {
      throw storageError(error)
    }
  }

  /** @throws {WaryError} `storage-*` */
  async set(items: Record<string, unknown>): Promise<void> {
    try {
      const transaction = (await this.#database.open()).transaction('values', 'readwrite')
      for (const [key, value] of Object.entries(items)) transaction.store.put(value, key)
      await transaction.done
    } catch (error) {
      throw storageError(error)
    }
  }
}
