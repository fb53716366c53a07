import { asWaryError, WaryError } from '../errors.ts'
import type { DamagedList, ListStore, NetworkState, StoredList } from '../ports.ts'
import { mayWaitMetered, mustWait } from './schedule.ts'
import type { Acquired, ListSource } from './source.ts'
import { UpdateHistory, type UpdateHistoryOptions } from './update-history.ts'
import type { UpdateProgress, UpdateStatus } from './update-status.ts'

/**
 * `aborted`: by `reset` or the caller's signal; the lists in force are as before. `elsewhere`: another context of the extension is at it.
 * `offline`: the browser says that there is no network, which counts as no attempt.
 */
export type UpdateOutcome = 'updated' | 'unchanged' | 'too-early' | 'failed' | 'not-configured' | 'aborted' | 'elsewhere' | 'offline'

export interface UpdateRequest {
  readonly force?: boolean
  readonly urgent?: boolean
  readonly signal?: AbortSignal
}

export interface UpdaterOptions extends UpdateHistoryOptions {
  readonly store: ListStore
  /** Undefined when none is configured. The id never changes; lists, address and keys may. */
  readonly source: () => ListSource | undefined
  /** All lists in force, each time that they have changed; empty after a reset. */
  readonly onSwap: (lists: readonly StoredList[]) => void
  /** Runs the work unless another context of the same browser runs it: then undefined. By default there is no other context. */
  readonly exclusive?: <T>(work: () => Promise<T>) => Promise<T | undefined>
  /** Default `open`. */
  readonly network?: () => NetworkState
}

/** Holds the lists in force and replaces them by newer ones, never by anything that is not verified. */
export class Updater {
  /** Resolves when record and stored lists are read. Never rejects. */
  readonly ready: Promise<void>
  readonly #options: UpdaterOptions
  readonly #history: UpdateHistory
  #lists: readonly StoredList[] = []
  /** By list; the empty name stands for the database as a whole. */
  #damaged: readonly DamagedList[] = []
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

  /** Why stored lists could not be read; undefined when they could, or an update has replaced them since. */
  get damage(): WaryError | undefined {
    return this.#damaged[0]?.error
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
    this.#forgetting = this.#forget(this.#options.source()?.identity)
    await this.#forgetting
  }

  /** Reads record and stored lists again: another worker has put others there. Never rejects; `damage` says what could not be read. */
  async reload(): Promise<void> {
    await this.ready
    await this.#read()
    this.#options.onSwap(this.#lists)
  }

  async #read(): Promise<void> {
    const { store, logger } = this.#options
    await this.#history.load()
    try {
      const { lists, damaged } = await store.load()
      this.#lists = lists
      this.#damaged = [...damaged, ...this.#evicted(damaged)]
    } catch (error) {
      this.#damaged = [{ name: '', error: asWaryError(error, 'storage-failed') }]
    }
    for (const { error } of this.#damaged) logger.warn('lists-load', error)
  }

  async #load(): Promise<void> {
    const { logger } = this.#options
    await this.#read()
    try {
      await this.#followSource()
    } catch (error) {
      logger.warn('lists-forget', asWaryError(error, 'storage-failed'))
    }
    await this.#takeBundled()
  }

  /** What the extension carries stands in until an update brings what is newer, and counts as no update. */
  async #takeBundled(): Promise<void> {
    const source = this.#options.source()
    if (!source?.bundled || source.lists.every((name) => this.#held(name))) return
    try {
      const signal = new AbortController().signal
      const bundled = await source.bundled({ held: this.#lists, memory: this.#history.memory, signal, onProgress: () => undefined })
      if (bundled.lists.length > 0) await this.#swap(source, bundled)
    } catch (error) {
      this.#options.logger.warn('bundled-list-refused', asWaryError(error))
    } finally {
      this.#progress = undefined
    }
  }

  /** Lists that were in force once, by a memory that is kept elsewhere, and that the database knows nothing of: the browser has cleared it. */
  #evicted(damaged: readonly DamagedList[]): DamagedList[] {
    const wanted = new Set(this.#options.source()?.lists ?? [])
    const known = new Set([...this.#lists.map(({ list }) => list.name), ...damaged.map(({ name }) => name)])
    return Object.keys(this.#history.memory.seen)
      .filter((name) => wanted.has(name) && !known.has(name))
      .map((name) => ({
        name,
        error: new WaryError('storage-evicted', `the browser has removed the stored list ${name}: it is fetched anew`),
      }))
  }

  async #run(request: Required<Omit<UpdateRequest, 'signal'>>, signal: AbortSignal): Promise<UpdateOutcome> {
    const { exclusive = (work) => work() } = this.#options
    await this.ready
    // Its failure is for the caller of `reset`; what it left behind, the next lines or the swap will remove.
    await this.#forgetting?.catch(() => undefined)
    const source = this.#options.source()
    if (!source || source.lists.length === 0) return 'not-configured'
    return (await exclusive(() => this.#exclusively(source, request, signal))) ?? 'elsewhere'
  }

  async #exclusively(
    source: ListSource,
    { force, urgent }: Required<Omit<UpdateRequest, 'signal'>>,
    signal: AbortSignal,
  ): Promise<UpdateOutcome> {
    const { clock, network = () => 'open' } = this.#options
    try {
      await this.#followSource()
      const complete = source.lists.every((name) => this.#held(name))
      if (mustWait(this.#history.record, clock.now(), { force, complete, urgent })) return 'too-early'
      if (network() === 'offline') return 'offline'
      const asked = force || urgent
      if (network() === 'metered' && !asked && complete && mayWaitMetered(this.#history.record, this.#lists, clock.now()))
        return 'too-early'
      await this.#history.began(source.identity)
      return await this.#attempt(source, signal)
    } catch (error) {
      if (signal.aborted) await this.#history.aborted()
      else await this.#history.failed(asWaryError(error), { empty: this.#lists.length === 0 })
      return signal.aborted ? 'aborted' : 'failed'
    }
  }

  async #attempt(source: ListSource, signal: AbortSignal): Promise<UpdateOutcome> {
    const acquired = await source.acquire({
      held: this.#lists,
      memory: this.#history.memory,
      signal,
      onProgress: (progress) => {
        this.#progress = progress
      },
    })
    signal.throwIfAborted()
    await this.#swap(source, acquired)
    await this.#history.succeeded(acquired)
    const outcome = acquired.lists.some(({ change }) => change === 'entries') ? 'updated' : 'unchanged'
    this.#options.logger.info('update', { source: source.id, outcome, lists: acquired.lists.length })
    return outcome
  }

  /** All are verified by now. A store that fails half-way leaves some lists new and some old, each whole, and memory like the store. */
  async #swap(source: ListSource, { lists, memory }: Acquired): Promise<void> {
    const { store, onSwap } = this.#options
    this.#progress = { phase: 'storing' }
    const before = this.#lists
    try {
      await this.#history.remember(source.identity, memory)
      for (const { stored, change } of lists) {
        // What nobody could read is written anew, even if nothing of it has changed.
        if (change === 'none' && this.#damaged.every(({ name }) => name !== stored.list.name)) continue
        await store.replace(stored)
        this.#lists = [...this.#lists.filter(({ list }) => list.name !== stored.list.name), stored]
      }
      await store.keepOnly(source.lists)
      this.#lists = source.lists.flatMap((name) => this.#held(name) ?? [])
      this.#damaged = []
    } catch (error) {
      throw asWaryError(error, 'storage-failed')
    } finally {
      const same = this.#lists.length === before.length && this.#lists.every((stored, i) => stored === before[i])
      if (!same) onSwap([...this.#lists])
    }
  }

  /** Lists of another server or key are no protection for this one's, nor may their versions and sequence numbers be compared. */
  async #followSource(): Promise<void> {
    const name = this.#options.source()?.identity
    if (name !== undefined && this.#history.source !== undefined && this.#history.source !== name) await this.#forget(name)
  }

  async #forget(source: string | undefined): Promise<void> {
    this.#lists = []
    this.#options.onSwap([])
    // The record names the old source until its lists are gone: a worker that dies in between starts over here.
    await this.#options.store.keepOnly([])
    this.#damaged = []
    await this.#history.cleared(source)
  }

  #held(name: string): StoredList | undefined {
    return this.#lists.find(({ list }) => list.name === name)
  }
}
