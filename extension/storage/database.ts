import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { asWaryError, WaryError } from '../../src/errors.ts'
import type { CachedAnswer } from '../../src/ports.ts'

/** What is known of a list in force. Its bytes are in pages of `generation`; other generations are leftovers. */
export interface ListRecord {
  readonly name: string
  readonly generation: number
  readonly version: Uint8Array
  readonly entryLength: number
  readonly listBytes: number
  readonly filterBytes: number
  /** The signed state's statement, as encodeListState makes it. */
  readonly statement: Uint8Array
  readonly updatedAt: number
}

export type PageKind = 'list' | 'filter'
export type PageKey = [name: string, generation: number, kind: PageKind, index: number]

export interface WarySchema extends DBSchema {
  lists: { key: string; value: ListRecord }
  pages: { key: PageKey; value: Uint8Array }
  answers: { key: number; value: CachedAnswer }
}

export type WaryDatabase = IDBPDatabase<WarySchema>

/** Opens the extension's database on first use; every caller shares the connection. */
export class Database {
  #connection: Promise<WaryDatabase> | undefined
  readonly #name: string

  constructor(name = 'wary') {
    this.#name = name
  }

  /** @throws {WaryError} `storage-failed` when the browser refuses the database */
  open(): Promise<WaryDatabase> {
    this.#connection ??= openDB<WarySchema>(this.#name, 1, {
      upgrade(database) {
        database.createObjectStore('lists', { keyPath: 'name' })
        database.createObjectStore('pages')
        database.createObjectStore('answers', { keyPath: 'prefix' })
      },
      terminated: () => {
        this.#connection = undefined
      },
    }).catch((error: unknown) => {
      this.#connection = undefined
      throw new WaryError('storage-failed', `the browser refused the database: ${String(error)}`, { cause: error })
    })
    return this.#connection
  }
}

/** A failure of IndexedDB with its own code: a full disk or quota is told apart, since a person can do something about it. */
export function storageError(error: unknown): WaryError {
  if (error instanceof DOMException && error.name === 'QuotaExceededError') {
    return new WaryError('storage-quota', 'the browser has no room for the list: free disk space, then update again', { cause: error })
  }
  return asWaryError(error, 'storage-failed')
}
