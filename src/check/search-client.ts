import { compareBytes } from '../bytes.ts'
import { asWaryError, WaryError } from '../errors.ts'
import { type HashPrefix, hashPrefix } from '../hash/hash-prefix.ts'
import type { CachedAnswer, CachedFullHash, Clock, Fetch, Logger } from '../ports.ts'
import { download } from '../protocol/download.ts'
import { searchPath } from '../protocol/paths.ts'
import { decodeSearchAnswer, type SearchAnswer } from '../protocol/search-message.ts'
import { type ThreatType, threatTypeOf } from '../protocol/threat-type.ts'
import type { CheckCounters } from './check-counters.ts'
import { LONGEST_CACHE_MS } from './full-hash-cache.ts'

/** A real answer has a hash or two; this many of one 4-byte prefix would be filler, and it would be kept. */
const MOST_FULL_HASHES = 256
const LONGEST_ANSWER_BYTES = 1024 * 1024

/**
 * While the server fails, navigations to a local hit are unverified: an interstitial for the person. So the first pause is short, that
 * they end soon after the server returns, and the longest is a minute: at most one request a minute meets a server that is down.
 */
const FIRST_BACKOFF_MS = 1000
const LONGEST_BACKOFF_MS = 60_000

/** google.security.safebrowsing.v5.ThreatAttribute */
const CANARY = 1
const FRAME_ONLY = 2

export interface SearchClientOptions {
  readonly fetch: Fetch
  readonly clock: Clock
  /** Id of the source that is asked, for its answers; by default the server's address. */
  readonly source?: string
  /** Address of the verification server, such as `https://lists.example`; undefined when none is configured. */
  readonly server: () => string | undefined
  /** Goes with every request, where the server asks for one (Google's `key`). Never part of a message or a log. */
  readonly apiKey?: () => string | undefined
  readonly counters: CheckCounters
  readonly logger: Logger
  /** The prefixes to ask about together with one, itself among them, in the order to ask in. Without this, itself alone. Never rejects. */
  readonly decoys?: { around(prefix: HashPrefix): Promise<readonly HashPrefix[]> }
  /** Milliseconds for one question, its answer's body included. */
  readonly timeoutMs?: number
}

/**
 * Asks the verification server for the full hashes of one hash prefix (Safe Browsing v5, hashes:search). One prefix a request, because
 * several prefixes of one URL identify it; requests differ in the prefix only.
 */
export class SearchClient {
  readonly #options: SearchClientOptions
  readonly #inFlight = new Map<string, Promise<CachedAnswer>>()
  #failing:
    | { readonly server: string; readonly count: number; readonly since: number; readonly until: number; readonly code: string }
    | undefined
  #lastSentBytes = 0

  constructor(options: SearchClientOptions) {
    this.#options = options
  }

  /** Bytes of the last request's target (path and query); what a browser adds to every request is not counted. 0 before the first. */
  get lastSentBytes(): number {
    return this.#lastSentBytes
  }

  /**
   * Callers that ask for the same prefix at the same time share one request. The answer has hashes of this prefix only; keeping it is
   * up to the caller, who knows whether it may be stored.
   *
   * @throws {WaryError} `not-configured`; `search-backoff` (nothing was sent); `http-*`; `search-answer` (breaks the protocol)
   */
  search(prefix: HashPrefix): Promise<CachedAnswer> {
    const server = this.#options.server()
    if (!server) return Promise.reject(new WaryError('not-configured', 'no verification server is configured'))
    const url = this.#address(server, prefix)
    const running = this.#inFlight.get(url)
    if (running) return running
    const search = this.#search(server, prefix).finally(() => this.#inFlight.delete(url))
    this.#inFlight.set(url, search)
    return search
  }

  async #search(server: string, prefix: HashPrefix): Promise<CachedAnswer> {
    const { clock, decoys } = this.#options
    const around = decoys ? await decoys.around(prefix) : [prefix]
    const startedAt = clock.now()
    if (this.#failing?.server === server && startedAt < this.#failing.until) {
      const { until, code } = this.#failing
      throw this.#counted(new WaryError('search-backoff', `not asked before ${new Date(until).toISOString()}: the server failed (${code})`))
    }
    try {
      const answer = await this.#askAmong(around, server, prefix)
      // Whoever keeps answers has dropped the former server's by now; this one must not come after them.
      if (this.#options.server() !== server) throw new WaryError('search-answer', 'another server was configured meanwhile')
      this.#failing = undefined
      return answer
    } catch (error) {
      const failure = this.#counted(asWaryError(error))
      this.#backOff(server, startedAt, failure)
      throw failure
    }
  }

  /** All set out in one go, in an order that says nothing of which is the real one; only that one's answer is waited for. */
  #askAmong(around: readonly HashPrefix[], server: string, prefix: HashPrefix): Promise<CachedAnswer> {
    let real: Promise<CachedAnswer> | undefined
    for (const each of around) {
      if (each === prefix) real = this.#ask(server, prefix, { decoy: false })
      else void this.#askDecoy(server, each)
    }
    return real ?? this.#ask(server, prefix, { decoy: false })
  }

  /**
   * The answer is checked and then dropped. Kept, it would leave this prefix out of the next set that it belongs to, as the real one or as
   * another's decoy, and sets that are not whole tell what was met before. A failure is the decoy's alone.
   */
  async #askDecoy(server: string, prefix: HashPrefix): Promise<void> {
    try {
      await this.#ask(server, prefix, { decoy: true })
    } catch (error) {
      this.#options.logger.warn('decoy-failed', this.#counted(asWaryError(error)))
    }
  }

  /** One request, of the same shape whoever it is for. */
  async #ask(server: string, prefix: HashPrefix, kind: { readonly decoy: boolean }): Promise<CachedAnswer> {
    const { fetch, clock, counters, source, timeoutMs = 3000 } = this.#options
    const url = this.#address(server, prefix)
    const { pathname, search } = new URL(url)
    // ASCII: a URL's path and query are percent-encoded.
    this.#lastSentBytes = pathname.length + search.length
    counters.countRequest(this.#lastSentBytes, kind)
    const { bytes, short } = await download(url, { fetch, limitBytes: LONGEST_ANSWER_BYTES, timeoutMs })
    return validated(decoded(bytes, short), { source: source ?? server, prefix, now: clock.now() })
  }

  #address(server: string, prefix: HashPrefix): string {
    return server.replace(/\/+$/, '') + searchPath(prefix, this.#options.apiKey?.())
  }

  #counted(failure: WaryError): WaryError {
    this.#options.counters.countError(failure.code)
    return failure
  }

  #backOff(server: string, startedAt: number, failure: WaryError): void {
    const now = this.#options.clock.now()
    const before = this.#failing?.server === server ? this.#failing : undefined
    // Requests that were in flight together fail together: one failure of the server, not several in a row.
    const count = before && startedAt < before.since ? before.count : (before?.count ?? 0) + 1
    const pause = Math.min(FIRST_BACKOFF_MS * 2 ** (count - 1), LONGEST_BACKOFF_MS)
    this.#failing = { server, count, since: now, until: now + pause, code: failure.code }
    this.#options.logger.warn('search-failed', failure, { failures: count, pauseMs: pause })
  }
}

function decoded(bytes: Uint8Array, short: boolean): SearchAnswer {
  try {
    return decodeSearchAnswer(bytes)
  } catch (error) {
    if (short) throw new WaryError('http-truncated', 'the answer ended before the length that the server announced', { cause: error })
    throw error
  }
}

/** What the v5 text lets a client believe of an answer, and nothing that a page's verdict could be bent with. */
function validated(
  answer: SearchAnswer,
  { source, prefix, now }: { readonly source: string; readonly prefix: HashPrefix; readonly now: number },
): CachedAnswer {
  const { cacheDurationMs } = answer
  if (cacheDurationMs === undefined || !(cacheDurationMs >= 0)) throw new WaryError('search-answer', 'the answer says no time to cache it')
  const fullHashes: CachedFullHash[] = []
  for (const { hash, details } of answer.fullHashes) {
    if (hash.length !== 32) throw new WaryError('search-answer', `a full hash of ${hash.length} bytes instead of 32`)
    if (hashPrefix(hash) !== prefix) continue
    if (fullHashes.length === MOST_FULL_HASHES) throw new WaryError('search-answer', `over ${MOST_FULL_HASHES} full hashes for one prefix`)
    const threatTypes = new Set<ThreatType>()
    const frameOnlyTypes = new Set<ThreatType>()
    for (const { threatType, attributes } of details) {
      const type = threatTypeOf(threatType)
      // An unknown type or attribute may restrict the detail in a way that this client cannot know, so the detail does not count.
      if (type === undefined || attributes.some((attribute) => attribute !== CANARY && attribute !== FRAME_ONLY)) continue
      if (attributes.includes(CANARY)) continue // not to be enforced
      if (attributes.includes(FRAME_ONLY)) frameOnlyTypes.add(type)
      else threatTypes.add(type)
    }
    // A full hash without a type left still answers for its prefix: the server knows it, so it does not deny the list's entry.
    const types = { hash: hash.slice(), threatTypes: [...threatTypes] }
    fullHashes.push(frameOnlyTypes.size > 0 ? { ...types, frameOnlyTypes: [...frameOnlyTypes] } : types)
  }
  fullHashes.sort((a, b) => compareBytes(a.hash, b.hash))
  return { source, prefix, expiresAt: now + Math.min(cacheDurationMs, LONGEST_CACHE_MS), fullHashes }
}
