import { toHex } from '../bytes.ts'
import { asWaryError, WaryError } from '../errors.ts'
import type { KeySet } from '../lists/key-set.ts'
import type { ListUpdate } from '../lists/list-update.ts'
import type { Fetch, ListStore, StoredList, VerifyEd25519 } from '../ports.ts'
import { download } from '../protocol/download.ts'
import { decodeBatch } from '../protocol/hash-list-message.ts'
import { batchPath } from '../protocol/paths.ts'
import { nextTask, type Pause } from './filter-building.ts'
import { type VerifiedList, verifyList } from './list-verification.ts'
import { mustWait } from './schedule.ts'
import { UpdateHistory, type UpdateHistoryOptions } from './update-history.ts'
import type { UpdateProgress, UpdateStatus } from './update-status.ts'

const LONGEST_BODY_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000
const IDLE_TIMEOUT_MS = 15_000

/** Where the lists come from. `server` is an address such as `https://lists.example`. */
export interface UpdateSource {
  readonly server: string
  /** Who must have signed the lists. */
  readonly keys: KeySet
  /** Names of the lists to hold. */
  readonly lists: readonly string[]
}

/** `aborted`: by `reset` or the caller's signal; the lists in force are as before. */
export type UpdateOutcome = 'updated' | 'unchanged' | 'too-early' | 'failed' | 'not-configured' | 'aborted'

export interface UpdateRequest {
  readonly force?: boolean
  readonly urgent?: boolean
  readonly signal?: AbortSignal
}

export interface UpdaterOptions extends UpdateHistoryOptions {
  readonly fetch: Fetch
  readonly store: ListStore
  readonly verify: VerifyEd25519
  /** Undefined when no server or no key is configured. */
  readonly source: () => UpdateSource | undefined
  /** False positive rate of the filters. */
  readonly filterRate?: number
  /** All lists in force, each time that they have changed; empty after a reset. */
  readonly onSwap: (lists: StoredList[]) => void
  /** Between slices of long work; by default a task of the event loop. */
  readonly pause?: Pause
  /** Milliseconds for a download as a whole and without any byte. */
  readonly timeoutMs?: number
  readonly idleTimeoutMs?: number
}

/** What can be wrong with a partial update although the server's lists are right: then a full update helps (v5, "updates"). */
const DELTA_FAULTS: ReadonlySet<string> = new Set(['list-checksum', 'list-format', 'state-mismatch'])

/** Holds the lists in force and replaces them by newer ones, never by anything that is not verified. */
export class Updater {
  /** Resolves when record and stored lists are read. Never rejects. */
  readonly ready: Promise<void>
  readonly #options: UpdaterOptions
  readonly #history: UpdateHistory
  #lists: readonly StoredList[] = []
  #damage: WaryError | undefined
  #progress: UpdateProgress | undefined
  #running: { readonly done: Promise<UpdateOutcome>; readonly controller: AbortController } | undefined
  #forgetting: Promise<void> | undefined

  constructor(options: UpdaterOptions) {
    this.#options = options
    this.#history = new UpdateHistory(options)
    this.ready = this.#load()
  }

  /** The lists in force. */
  get lists(): readonly StoredList[] {
    return this.#lists
  }

  /** Why the stored lists could not be read; undefined when they could, or an update has replaced them since. */
  get damage(): WaryError | undefined {
    return this.#damage
  }

  /** Where things stand now; `notBefore` says from when an update may be asked for. */
  status(): UpdateStatus {
    return { ...this.#history.record, progress: this.#progress }
  }

  /**
   * Downloads, verifies and swaps in what is new. One update at a time: a call during one joins it. Never rejects: what went wrong is in
   * `status().lastError` and the log, and the lists in force stay.
   *
   * @param force passes over the back-off after a failure (a person asked), not the server's minimum wait after a success
   * @param urgent passes over the minimum wait, a minute after the last attempt at the earliest (the server denies an entry in force)
   * @param signal ends the update as `aborted`
   */
  update({ force = false, urgent = false, signal }: UpdateRequest = {}): Promise<UpdateOutcome> {
    if (this.#running) return this.#running.done
    const controller = new AbortController()
    const onAbort = () => controller.abort(signal?.reason)
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort)
    const done = this.#run({ force, urgent }, controller.signal).finally(() => {
      this.#running = undefined
      this.#progress = undefined
      signal?.removeEventListener('abort', onAbort)
    })
    this.#running = { done, controller }
    return done
  }

  /**
   * Forgets lists and record, because the source has changed; a running update ends first.
   * @throws {WaryError} `storage-*` when the stored lists cannot be removed; none of them is in force even so
   */
  async reset(): Promise<void> {
    await this.ready
    this.#running?.controller.abort(new WaryError('internal', 'the source of the lists has changed'))
    await this.#running?.done
    this.#forgetting = this.#forget(sourceName(this.#options.source()))
    await this.#forgetting
  }

  async #load(): Promise<void> {
    const { store, logger } = this.#options
    await this.#history.load()
    try {
      this.#lists = await store.load()
    } catch (error) {
      this.#damage = asWaryError(error, 'storage-failed')
      logger.warn('lists-load', this.#damage)
    }
    try {
      await this.#followSource()
    } catch (error) {
      logger.warn('lists-forget', asWaryError(error, 'storage-failed'))
    }
  }

  async #run({ force, urgent }: { readonly force: boolean; readonly urgent: boolean }, signal: AbortSignal): Promise<UpdateOutcome> {
    const { source: configured, clock } = this.#options
    await this.ready
    // Its failure is for the caller of `reset`; what it left behind, the next lines or the swap will remove.
    await this.#forgetting?.catch(() => undefined)
    const source = configured()
    if (!source || source.server === '' || source.lists.length === 0) return 'not-configured'
    try {
      await this.#followSource()
      const complete = source.lists.every((name) => this.#held(name))
      if (mustWait(this.#history.record, clock.now(), { force, complete, urgent })) return 'too-early'
      await this.#history.began(sourceName(source) ?? '')
      return await this.#attempt(source, signal)
    } catch (error) {
      if (signal.aborted) await this.#history.aborted()
      else await this.#history.failed(asWaryError(error), { empty: this.#lists.length === 0 })
      return signal.aborted ? 'aborted' : 'failed'
    }
  }

  async #attempt(source: UpdateSource, signal: AbortSignal): Promise<UpdateOutcome> {
    const { logger } = this.#options
    let updates = await this.#fetch(source, true, signal)
    let verified: readonly VerifiedList[]
    try {
      verified = await this.#verify(source, updates, signal)
    } catch (error) {
      if (!updates.some((update) => update.partial) || !DELTA_FAULTS.has(asWaryError(error).code)) throw error
      logger.warn('update-delta-refused', asWaryError(error))
      updates = await this.#fetch(source, false, signal)
      verified = await this.#verify(source, updates, signal)
    }
    signal.throwIfAborted()
    await this.#swap(source, verified)
    await this.#history.succeeded(updates.filter(({ name }) => source.lists.includes(name)).map(({ minimumWaitMs }) => minimumWaitMs))
    const outcome = verified.some(({ change }) => change === 'entries') ? 'updated' : 'unchanged'
    logger.info('update', { outcome, lists: verified.length })
    return outcome
  }

  /** One request for all lists, with the versions held where a partial update will do. */
  async #fetch(source: UpdateSource, partial: boolean, signal: AbortSignal): Promise<ListUpdate[]> {
    const { fetch, timeoutMs = TIMEOUT_MS, idleTimeoutMs = IDLE_TIMEOUT_MS, pause = nextTask } = this.#options
    const versions = source.lists.map((name) => (partial && this.#held(name)?.list.version) || new Uint8Array(0))
    const { bytes, short } = await download(withoutSlash(source.server) + batchPath(source.lists, versions), {
      fetch,
      limitBytes: LONGEST_BODY_BYTES,
      timeoutMs,
      idleTimeoutMs,
      signal,
      onProgress: (receivedBytes, totalBytes) => {
        this.#progress = { phase: 'downloading', receivedBytes, totalBytes }
      },
    })
    this.#progress = { phase: 'verifying' }
    await pause()
    try {
      return decodeBatch(bytes)
    } catch (error) {
      if (short) throw new WaryError('http-truncated', 'the answer ended before the length that the server announced', { cause: error })
      throw error
    }
  }

  async #verify(source: UpdateSource, updates: readonly ListUpdate[], signal: AbortSignal): Promise<VerifiedList[]> {
    const { filterRate = 1e-3, clock, verify, pause = nextTask } = this.#options
    const onBuild = () => {
      this.#progress = { phase: 'building' }
    }
    const verified: VerifiedList[] = []
    for (const name of source.lists) {
      const [update, second] = updates.filter((candidate) => candidate.name === name)
      if (!update) throw new WaryError('list-missing', `the server does not carry the list ${name.slice(0, 80)}`)
      if (second) throw new WaryError('list-format', `the server sent the list ${name} twice`)
      this.#progress = { phase: 'verifying' }
      verified.push(
        await verifyList(update, this.#held(name), { rate: filterRate, keys: source.keys, clock, verify, pause, signal, onBuild }),
      )
    }
    return verified
  }

  /** All are verified by now. A store that fails half-way leaves some lists new and some old, each whole, and memory like the store. */
  async #swap(source: UpdateSource, verified: readonly VerifiedList[]): Promise<void> {
    const { store, onSwap } = this.#options
    this.#progress = { phase: 'storing' }
    const before = this.#lists
    try {
      for (const { stored, change } of verified) {
        if (change === 'none') continue
        await store.replace(stored)
        this.#lists = [...this.#lists.filter(({ list }) => list.name !== stored.list.name), stored]
      }
      await store.keepOnly(source.lists)
      this.#lists = source.lists.flatMap((name) => this.#held(name) ?? [])
      this.#damage = undefined
    } catch (error) {
      throw asWaryError(error, 'storage-failed')
    } finally {
      const same = this.#lists.length === before.length && this.#lists.every((stored, i) => stored === before[i])
      if (!same) onSwap([...this.#lists])
    }
  }

  /** Lists of another server or key are no protection for this one's, nor may their versions and sequence numbers be compared. */
  async #followSource(): Promise<void> {
    const name = sourceName(this.#options.source())
    if (name !== undefined && this.#history.source !== undefined && this.#history.source !== name) await this.#forget(name)
  }

  async #forget(source: string | undefined): Promise<void> {
    this.#lists = []
    this.#options.onSwap([])
    // The record names the old source until its lists are gone: a worker that dies in between starts over here.
    await this.#options.store.keepOnly([])
    this.#damage = undefined
    await this.#history.cleared(source)
  }

  #held(name: string): StoredList | undefined {
    return this.#lists.find(({ list }) => list.name === name)
  }
}

function withoutSlash(server: string): string {
  return server.replace(/\/+$/, '')
}

/** Server and keys: what makes versions and sequence numbers comparable. */
function sourceName(source: UpdateSource | undefined): string | undefined {
  return source && `${withoutSlash(source.server)} ${source.keys.keys.map(toHex).join(',')}`
}
