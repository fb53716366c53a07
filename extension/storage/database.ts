import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { asWaryError, WaryError } from '../../src/errors.ts'
import type { CachedAnswer } from '../../src/ports.ts'

/** What is known of a list in force. Its bytes are in pages of `generation`; other generations are leftovers. */
export interface ListRecord {
  /** Id of its source. */
  readonly source: string
  readonly name: string
  readonly generation: number
  readonly version: Uint8Array
  readonly entryLength: number
  readonly entryCount: number
  /** 0 where the filter is all that is held. */
  readonly listBytes: number
  readonly filterBytes: number
  /** The first bytes of the filter's file, which say how to read the others. Absent in records of versions that read filters whole only. */
  readonly filterHead?: Uint8Array
  /** What was signed, as its publisher wrote it; undefined for sources that sign nothing. */
  readonly statement: Uint8Array | undefined
  readonly updatedAt: number
  /** The version before this one, whole as well until this one has been read back. */
  readonly former?: Omit<ListRecord, 'former'>
}

/** A download that was under way. */
export interface DownloadRecord {
  readonly source: string
  readonly key: string
  readonly etag: string
  readonly totalBytes: number
  readonly startedAt: number
  readonly parts: number
}

export type PageKind = 'list' | 'filter'
/** A page is its bytes and, behind them, their CRC-32 (4 bytes, little-endian). */
export type PageKey = [source: string, name: string, generation: number, kind: PageKind, index: number]

export interface WarySchema extends DBSchema {
  lists: { key: [source: string, name: string]; value: ListRecord }
  pages: { key: PageKey; value: Uint8Array }
  answers: { key: [source: string, prefix: number]; value: CachedAnswer }
  downloads: { key: string; value: DownloadRecord }
  parts: { key: [source: string, index: number]; value: Uint8Array }
  /** Of `DatabaseArea`. */
  values: { key: string; value: unknown }
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
    this.#connection ??= openDB<WarySchema>(this.#name, 3, {
      upgrade(database, from) {
        if (from < 2) {
          // What version 1 held came without its source; the next update fetches it again.
          for (const name of database.objectStoreNames) database.deleteObjectStore(name)
          database.createObjectStore('lists', { keyPath: ['source', 'name'] })
          database.createObjectStore('pages')
          database.createObjectStore('answers', { keyPath: ['source', 'prefix'] })
          database.createObjectStore('downloads', { keyPath: 'source' })
          database.createObjectStore('parts')
        }
        database.createObjectStore('values')
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
