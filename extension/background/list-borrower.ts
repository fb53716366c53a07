import { asWaryError, WaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'
import type { UpdateRequest } from '../../src/update/updater.ts'
import type { Database, ListRecord, PageKey } from '../storage/database.ts'
import { type CopyPart, finishCopy, writeCopyPages } from '../storage/list-copy.ts'
import { LENDING_KEYS, type LendingStorage, readPart, type Wish } from './lending.ts'
import type { UpdateRunner } from './update-runner.ts'

/** The other worker may have to start first. */
const PATIENCE_MS = 5000
/** An update of the lender in the middle of a copy leaves pages of two versions: the copy is made again. */
const ATTEMPTS = 3

/**
 * The lists of the worker of Chrome's private windows: copied from the regular windows' worker into a database that the browser keeps in memory. Nothing
 * is downloaded for a private window, and nothing of it stays.
 */
export class ListBorrower implements UpdateRunner {
  readonly #storage: LendingStorage
  readonly #database: Database
  readonly #logger: Logger
  readonly #createId: () => string
  readonly #patienceMs: number
  /** Reads the stored lists again; false where they are not whole. */
  readonly #reload: () => Promise<boolean>
  #waiting: { readonly wish: Wish; readonly settle: (part: CopyPart | WaryError) => void } | undefined
  #running: Promise<void> | undefined
  #again = false

  constructor(options: {
    readonly storage: LendingStorage
    readonly database: Database
    readonly logger: Logger
    readonly createId: () => string
    readonly reload: () => Promise<boolean>
    readonly patienceMs?: number
  }) {
    this.#storage = options.storage
    this.#database = options.database
    this.#logger = options.logger
    this.#createId = options.createId
    this.#reload = options.reload
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS
    this.#storage.onChanged.addListener((changes, area) => {
      if (area !== 'session') return
      const part = changes[LENDING_KEYS.part]?.newValue
      if (part !== undefined) this.#arrived(part)
      if (changes[LENDING_KEYS.news]?.newValue !== undefined) void this.borrow()
    })
  }

  /** Copies what the regular windows have, unless this private session has a copy already. Never rejects. */
  async first(): Promise<void> {
    try {
      if ((await (await this.#database.open()).count('lists')) > 0) return
      await this.#copy()
    } catch (error) {
      this.#logger.warn('lists-not-borrowed', asWaryError(error))
    }
  }

  /** Copies, and puts the copy in force. One at a time: a call during one has it made once more. Never rejects. */
  borrow(): Promise<void> {
    if (this.#running) {
      this.#again = true
      return this.#running
    }
    this.#running = this.#borrow().finally(() => {
      this.#running = undefined
      if (this.#again) {
        this.#again = false
        void this.borrow()
      }
    })
    return this.#running
  }

  /** Has the regular windows' worker update; what comes of it is borrowed then. */
  async run({ force = false, urgent = false }: UpdateRequest = {}, source?: string): Promise<void> {
    try {
      await this.#storage.session.set({ [LENDING_KEYS.update]: { id: this.#createId(), force, urgent, source } })
    } catch (error) {
      this.#logger.warn('update-failed', asWaryError(error, 'storage-failed'))
    }
  }

  async keep(): Promise<void> {
    // The regular windows' worker has the alarm.
  }

  async #borrow(): Promise<void> {
    try {
      for (let left = ATTEMPTS; left > 0; left--) {
        await this.#copy()
        if (await this.#reload()) return
      }
    } catch (error) {
      this.#logger.warn('lists-not-borrowed', asWaryError(error))
    }
  }

  async #copy(): Promise<void> {
    const id = this.#createId()
    let records: readonly ListRecord[] = []
    let after: PageKey | null = null
    for (;;) {
      const part: CopyPart = await this.#ask({ id, after })
      if (after === null) records = part.records
      await writeCopyPages(this.#database, part.pages)
      if (part.last) break
      after = part.pages.at(-1)?.[0] ?? null
      if (after === null) throw new WaryError('storage-damaged', 'a part of the lent lists is empty')
    }
    await finishCopy(this.#database, records)
    await this.#storage.session.remove([LENDING_KEYS.wish, LENDING_KEYS.part])
  }

  async #ask(wish: Wish): Promise<CopyPart> {
    const answer = new Promise<CopyPart | WaryError>((settle) => {
      this.#waiting = { wish, settle }
    })
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<WaryError>((settle) => {
      timer = setTimeout(() => settle(new WaryError('storage-failed', 'the regular windows lend no lists')), this.#patienceMs)
    })
    try {
      await this.#storage.session.set({ [LENDING_KEYS.wish]: wish })
      const part = await Promise.race([answer, late])
      if (part instanceof WaryError) throw part
      return part
    } finally {
      clearTimeout(timer)
      this.#waiting = undefined
    }
  }

  #arrived(value: unknown): void {
    if (this.#waiting === undefined) return
    try {
      const part = readPart(value, this.#waiting.wish)
      if (part !== undefined) this.#waiting.settle(part)
    } catch (error) {
      this.#waiting.settle(asWaryError(error))
    }
  }
}
