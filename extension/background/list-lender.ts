import { asWaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'
import type { UpdateRequest } from '../../src/update/updater.ts'
import type { Database } from '../storage/database.ts'
import { readCopyPart } from '../storage/list-copy.ts'
import { LENDING_KEYS, type LendingStorage, readUpdateWish, readWish, writePart } from './lending.ts'

/** Pages of 4 KiB in one part: a megabyte and a third as base64, of the ten that `storage.session` holds. */
const PAGES_A_PART = 256

/**
 * Lends the lists of the regular windows to the worker of Chrome's private windows, part by part as that asks for them: it could else
 * only download them, once for each private session. Keeps nothing between two parts, so that either worker may die.
 */
export class ListLender {
  readonly #storage: LendingStorage
  readonly #database: Database
  readonly #logger: Logger
  readonly #createId: () => string
  readonly #pages: number

  constructor(options: {
    readonly storage: LendingStorage
    readonly database: Database
    readonly logger: Logger
    readonly createId: () => string
    /** A private window wants an update. */
    readonly onUpdateWish: (request: UpdateRequest, source: string | undefined) => void
    readonly pagesAPart?: number
  }) {
    this.#storage = options.storage
    this.#database = options.database
    this.#logger = options.logger
    this.#createId = options.createId
    this.#pages = options.pagesAPart ?? PAGES_A_PART
    this.#storage.onChanged.addListener((changes, area) => {
      if (area !== 'session') return
      const wish = changes[LENDING_KEYS.wish]?.newValue
      if (wish !== undefined) void this.#lend(wish)
      const update = readUpdateWish(changes[LENDING_KEYS.update]?.newValue)
      if (update !== undefined) options.onUpdateWish({ force: update.force, urgent: update.urgent }, update.source)
    })
  }

  /** Other lists are in force: whoever borrowed should borrow again. Never rejects. */
  announce(): Promise<void> {
    return this.#set({ [LENDING_KEYS.news]: this.#createId() })
  }

  async #lend(value: unknown): Promise<void> {
    const wish = readWish(value)
    if (wish === undefined) return
    try {
      await this.#set({ [LENDING_KEYS.part]: writePart(wish, await readCopyPart(this.#database, wish.after, this.#pages)) })
    } catch (error) {
      // The borrower waits for a while, and asks again later.
      this.#logger.warn('lists-not-lent', asWaryError(error))
    }
  }

  async #set(items: Record<string, unknown>): Promise<void> {
    try {
      await this.#storage.session.set(items)
    } catch (error) {
      this.#logger.warn('lists-not-lent', asWaryError(error, 'storage-failed'))
    }
  }
}
