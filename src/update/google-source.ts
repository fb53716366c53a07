import { asWaryError } from '../errors.ts'
import type { Clock, Fetch, Logger } from '../ports.ts'
import { download } from '../protocol/download.ts'
import { decodingBatch } from '../protocol/hash-list-message.ts'
import { batchPath } from '../protocol/paths.ts'
import { inSlices, nextTask, type Pause } from './in-slices.ts'
import { buildUnsigned } from './list-verification.ts'
import type { Acquired, AcquiredList, Acquisition, ListSource } from './source.ts'
import { heldList, updateOf, versionOf } from './wary-source.ts'

export const GOOGLE_ID = 'google'
export const GOOGLE_SERVER = 'https://safebrowsing.googleapis.com'
/** Its lists for computers (the documentation's table, as in test/vectors/sb_v5_hash_lists.json); the others are for phones. */
export const GOOGLE_LISTS: readonly string[] = ['se-4b', 'mw-4b', 'uws-4b']
const LONGEST_BODY_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000
const IDLE_TIMEOUT_MS = 15_000

export interface GoogleSourceOptions {
  /** Default: Google's. Another speaks the same protocol, such as a stand-in for tests. */
  readonly server?: string
  /** The user's own. Part of each request's address, never of a message or a log. */
  readonly apiKey: string
  readonly lists: readonly string[]
  readonly fetch: Fetch
  readonly clock: Clock
  readonly logger: Logger
  readonly filterRate?: number
  readonly pause?: Pause
}

/** Google Safe Browsing v5 with the user's own API key. Nothing is signed there: checksum and TLS stand for the list. */
export class GoogleSource implements ListSource {
  readonly id = GOOGLE_ID
  readonly identity: string
  readonly lists: readonly string[]
  readonly #options: GoogleSourceOptions
  readonly #server: string

  constructor(options: GoogleSourceOptions) {
    this.#options = options
    this.#server = (options.server ?? GOOGLE_SERVER).replace(/\/+$/, '')
    this.identity = this.#server
    this.lists = options.lists
  }

  async acquire(acquisition: Acquisition): Promise<Acquired> {
    const { held, memory, signal, onProgress } = acquisition
    const { fetch, clock, logger, apiKey, filterRate: rate = 1e-3, pause = nextTask } = this.#options
    // A list that does not apply, or whose checksum does not hold, is fetched whole by the next request (v5, "updates").
    let fresh: ReadonlySet<string> = new Set()
    for (let attempt = 0; ; attempt++) {
      const versions = this.lists.map((name) => (!fresh.has(name) && versionOf(heldList(held, name))) || new Uint8Array(0))
      const { bytes } = await download(this.#server + batchPath(this.lists, versions, apiKey), {
        fetch,
        limitBytes: LONGEST_BODY_BYTES,
        timeoutMs: TIMEOUT_MS,
        idleTimeoutMs: IDLE_TIMEOUT_MS,
        signal,
        onProgress: (receivedBytes, totalBytes) => onProgress({ phase: 'downloading', receivedBytes, totalBytes }),
      })
      onProgress({ phase: 'verifying' })
      await pause()
      const updates = await inSlices(decodingBatch(bytes), { clock, pause, signal })
      const lists: AcquiredList[] = []
      const failed: string[] = []
      for (const name of this.lists) {
        const onBuild = (): void => onProgress({ phase: 'building' })
        const update = updateOf(updates, name)
        try {
          lists.push(await buildUnsigned(update, heldList(held, name), { source: this.id, rate, clock, pause, signal, onBuild }))
        } catch (error) {
          signal.throwIfAborted()
          if (!update.partial || attempt > 0) throw error
          logger.warn('update-again', asWaryError(error))
          failed.push(name)
        }
      }
      if (failed.length === 0) return { lists, minimumWaitsMs: updates.map(({ minimumWaitMs }) => minimumWaitMs), memory }
      fresh = new Set(failed)
    }
  }
}
