import { asWaryError } from '../errors.ts'
import type { CachedAnswer, Clock, FullHashCacheStore, Logger } from '../ports.ts'
import type { CheckCounters } from './check-counters.ts'

/** Longest time that an answer is believed, in milliseconds, whatever the server says: a mistaken one must not last for years. */
export const LONGEST_CACHE_MS = 24 * 60 * 60 * 1000

export interface FullHashCacheOptions {
  readonly store: FullHashCacheStore
  readonly clock: Clock
  readonly counters: CheckCounters
  readonly logger: Logger
  /** Most answers held, in memory and in the store each; those that expire first go first. */
  readonly limit?: number
}

/**
 * Answers of hashes:search by source and hash prefix (Safe Browsing v5, "caching"): positive and negative ones alike, until they expire.
 * Answers to a private window's questions live in a map of their own, so that neither they nor what they would push out shows in the store.
 */
export class FullHashCache {
  readonly #store: FullHashCacheStore
  readonly #clock: Clock
  readonly #counters: CheckCounters
  readonly #logger: Logger
  readonly #limit: number
  readonly #stored = new Map<string, CachedAnswer>()
  readonly #fleeting = new Map<string, CachedAnswer>()
  #writes: Promise<void> = Promise.resolve()

  constructor(options: FullHashCacheOptions) {
    this.#store = options.store
    this.#clock = options.clock
    this.#counters = options.counters
    this.#logger = options.logger
    this.#limit = options.limit ?? 4096
  }

  /** Takes over what earlier workers stored; what has expired or is too much leaves the store. Never rejects. */
  async load(): Promise<void> {
    let answers: readonly CachedAnswer[]
    try {
      answers = await this.#store.load()
    } catch (error) {
      this.#storeFailed(error)
      return
    }
    const gone: CachedAnswer[] = []
    for (const answer of answers) {
      if (!this.#holds(answer)) gone.push(answer)
      // A check that came before the store was read may have a newer answer.
      else if (!this.#stored.has(keyOf(answer))) this.#stored.set(keyOf(answer), answer)
    }
    gone.push(...this.#evict(this.#stored))
    if (gone.length > 0) this.#write(() => this.#store.delete(gone))
  }

  /** The source's answer for a prefix (4 bytes, big-endian); undefined when there is none or it has expired. */
  get(source: string, prefix: number): CachedAnswer | undefined {
    const key = keyOf({ source, prefix })
    const fleeting = this.#fleeting.get(key)
    if (fleeting && this.#holds(fleeting)) return fleeting
    const stored = this.#stored.get(key)
    return stored && this.#holds(stored) ? stored : undefined
  }

  /** Holds `answer` in place of an older one. With `persist: false` it stays in memory and never reaches the store. */
  put(answer: CachedAnswer, { persist }: { readonly persist: boolean }): void {
    if (!persist) {
      this.#fleeting.set(keyOf(answer), answer)
      this.#evict(this.#fleeting)
      return
    }
    this.#fleeting.delete(keyOf(answer))
    this.#stored.set(keyOf(answer), answer)
    const gone = this.#evict(this.#stored)
    this.#write(async () => {
      await this.#store.put(answer)
      if (gone.length > 0) await this.#store.delete(gone)
    })
  }

  /** Forgets everything, in the store too. */
  clear(): void {
    this.#fleeting.clear()
    this.#stored.clear()
    this.#write(() => this.#store.clear())
  }

  /** Forgets what one source answered, in the store too. */
  forget(source: string): void {
    const gone = [...this.#stored.values()].filter((answer) => answer.source === source)
    for (const answers of [this.#fleeting, this.#stored])
      for (const [key, answer] of answers) if (answer.source === source) answers.delete(key)
    if (gone.length > 0) this.#write(() => this.#store.delete(gone))
  }

  /** Resolves when all writes so far have ended, well or badly. */
  settled(): Promise<void> {
    return this.#writes
  }

  /** Expired at `now >= expiresAt`. An answer from further ahead than any can be was made before the clock was set back. */
  #holds(answer: CachedAnswer): boolean {
    const left = answer.expiresAt - this.#clock.now()
    return left > 0 && left <= LONGEST_CACHE_MS
  }

  #evict(answers: Map<string, CachedAnswer>): CachedAnswer[] {
    if (answers.size <= this.#limit) return []
    const byExpiry = [...answers.values()].sort((a, b) => a.expiresAt - b.expiresAt)
    const gone = byExpiry.slice(0, answers.size - this.#limit)
    for (const answer of gone) answers.delete(keyOf(answer))
    return gone
  }

  /** One write after the other, so that the store ends as the memory did. A check never waits for them or fails by them. */
  #write(step: () => Promise<void>): void {
    this.#writes = this.#writes.then(step).catch((error: unknown) => this.#storeFailed(error))
  }

  #storeFailed(error: unknown): void {
    const failure = asWaryError(error, 'storage-failed')
    this.#counters.countError(failure.code)
    this.#logger.warn('full-hash-cache-store', failure)
  }
}

function keyOf({ source, prefix }: Pick<CachedAnswer, 'source' | 'prefix'>): string {
  return `${prefix} ${source}`
}
