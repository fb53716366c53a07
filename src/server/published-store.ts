import { asWaryError, type WaryError } from '../errors.ts'
import type { Logger } from '../ports.ts'
import type { PublishedFolder } from '../publisher/published-folder.ts'
import { type Edition, loadEdition } from './edition.ts'

/** A version that was refused is read again, in case it was only being copied here: at most this many calls of `reload` later. */
const MOST_CALLS_PASSED = 60

/** The published folder in memory. A damaged version is named, and the former edition served on. */
export class PublishedStore {
  readonly #folder: PublishedFolder
  readonly #logger: Logger
  #edition: Edition | undefined
  #failure: WaryError | undefined
  /** Of the pointer at the last attempt, successful or not. */
  #mark: string | undefined
  /** Calls of `reload` to pass over before the next attempt at a refused version, and how many it were the last time. */
  #passing = 0
  #passed = 0

  constructor(options: { readonly folder: PublishedFolder; readonly logger: Logger }) {
    this.#folder = options.folder
    this.#logger = options.logger
  }

  /** Undefined before anything was published. */
  get edition(): Edition | undefined {
    return this.#edition
  }

  /** Why the newest version is not the one that is served; undefined when it is. */
  get failure(): WaryError | undefined {
    return this.#failure
  }

  /**
   * Loads the version in force, if the pointer to it was written since the last time; one that was refused again from time to time. Never
   * throws: see `failure`. Cheap when nothing has changed; meant to be called every second.
   *
   * @returns whether another edition is served now
   */
  reload(): boolean {
    try {
      const current = this.#folder.current()
      // A folder that is emptied, or being moved into place, does not take away what is served.
      if (current === undefined || (current.mark === this.#mark && !this.#mayRetry())) return false
      this.#mark = current.mark
      this.#edition = loadEdition(this.#folder, current.version, this.#logger)
      this.#failure = undefined
      this.#passed = 0
      this.#logger.info('edition', { version: current.version, lists: this.#edition.lists.size })
      return true
    } catch (error) {
      const failure = asWaryError(error, 'publish-damaged')
      if (failure.message !== this.#failure?.message) this.#logger.warn('edition-refused', failure, { served: this.#edition?.version })
      this.#failure = failure
      this.#passed = Math.min(2 * this.#passed + 1, MOST_CALLS_PASSED)
      this.#passing = this.#passed
      return false
    }
  }

  #mayRetry(): boolean {
    return this.#failure !== undefined && this.#passing-- === 0
  }
}
