import { asWaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'

/** The part of `browser.storage.session` that is needed: in memory only, gone with the browser, kept over the worker's death. */
export interface SessionArea {
  get(key: string): Promise<Record<string, unknown>>
  set(items: Record<string, unknown>): Promise<void>
}

/**
 * One value that outlives the worker but not the browser. Reads are synchronous after `ready`; writes go to memory at once
 * and to the browser in the background, the newest last.
 */
export class SessionRecord<T> {
  readonly ready: Promise<void>
  readonly #area: SessionArea
  readonly #key: string
  readonly #logger: Logger
  #value: T
  #written: Promise<void> = Promise.resolve()
  #dirty = false

  constructor(options: {
    readonly area: SessionArea
    readonly key: string
    readonly initial: T
    /** Checks what an earlier worker wrote; undefined refuses it. */
    readonly parse: (stored: unknown) => T | undefined
    readonly logger: Logger
  }) {
    this.#area = options.area
    this.#key = options.key
    this.#logger = options.logger
    this.#value = options.initial
    this.ready = this.#load(options.parse)
  }

  get value(): T {
    return this.#value
  }

  set(value: T): void {
    this.#value = value
    if (this.#dirty) return
    this.#dirty = true
    this.#written = this.#written.then(() => this.#write())
  }

  async #load(parse: (stored: unknown) => T | undefined): Promise<void> {
    try {
      const stored = (await this.#area.get(this.#key))[this.#key]
      const value = stored === undefined ? undefined : parse(stored)
      // A listener may have set a newer value while this was read.
      if (value !== undefined && !this.#dirty) this.#value = value
    } catch (error) {
      this.#logger.warn('session-unreadable', asWaryError(error, 'storage-failed'), { key: this.#key })
    }
  }

  async #write(): Promise<void> {
    await this.ready
    this.#dirty = false
    try {
      await this.#area.set({ [this.#key]: this.#value })
    } catch (error) {
      this.#logger.warn('session-unwritable', asWaryError(error, 'storage-failed'), { key: this.#key })
    }
  }
}
