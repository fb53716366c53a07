import { asWaryError, WaryError } from '../errors.ts'
import { HashList } from '../lists/hash-list.ts'
import type { KeySet } from '../lists/key-set.ts'
import type { ListUpdate } from '../lists/list-update.ts'
import type { Clock, Fetch, Logger, StoredList, VerifyEd25519 } from '../ports.ts'
import { type DownloadOptions, download } from '../protocol/download.ts'
import { decodingBatch, decodingHashList } from '../protocol/hash-list-message.ts'
import type { PartStore } from '../protocol/part-store.ts'
import { batchPath } from '../protocol/paths.ts'
import { downloadResumably } from '../protocol/resumable-download.ts'
import { clockSkew, staleAnyhow } from './clock-skew.ts'
import { inSlices, nextTask, type Pause } from './in-slices.ts'
import { KeyTrust, type Trust } from './key-trust.ts'
import { positionOf, verifyList } from './list-verification.ts'
import type { Acquired, AcquiredList, Acquisition, ListSource, SourceMemory } from './source.ts'

const LONGEST_BODY_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000
const IDLE_TIMEOUT_MS = 15_000
/** What can be wrong with a partial update although the server's lists are right: then a full update helps (v5, "updates"). */
const DELTA_FAULTS: ReadonlySet<string> = new Set(['list-checksum', 'list-format', 'state-mismatch'])
export interface WarySourceOptions {
  readonly id: string
  /** Address such as `https://lists.example`. */
  readonly server: string
  readonly trust: Trust
  readonly lists: readonly string[]
  readonly fetch: Fetch
  readonly clock: Clock
  readonly logger: Logger
  readonly verify: VerifyEd25519
  /** Keeps long downloads over the worker's death; without it each begins anew. */
  readonly parts?: PartStore
  /** False positive rate of the filters; default 0.001. */
  readonly filterRate?: number
  /** A list that came with the extension, as a published LIST.hashlist; undefined where there is none of this name. */
  readonly seed?: (name: string) => Promise<Uint8Array | undefined>
  /** Between slices of long work; by default a task of the event loop. */
  readonly pause?: Pause
  /** Milliseconds for a download as a whole and without any byte. */
  readonly timeoutMs?: number
  readonly idleTimeoutMs?: number
}

/** Signed hash lists of a Wary server: one request for all lists, as deltas where versions are held. */
export class WarySource implements ListSource {
  readonly id: string
  readonly identity: string
  readonly lists: readonly string[]
  readonly #options: WarySourceOptions
  readonly #server: string
  readonly #trust: KeyTrust

  constructor(options: WarySourceOptions) {
    this.#options = options
    this.#server = options.server.replace(/\/+$/, '')
    this.#trust = new KeyTrust({ ...options, server: this.#server })
    this.id = options.id
    this.lists = options.lists
    this.identity = `${this.#server} ${this.#trust.pin}`
  }

  acquire(acquisition: Acquisition): Promise<Acquired> {
    return this.#trust.with(acquisition, async (keys) => {
      try {
        return await this.#acquire(acquisition, keys, true)
      } catch (error) {
        const failure = asWaryError(error)
        const held = this.lists.some((name) => versionOf(heldList(acquisition.held, name)) !== undefined)
        if (!held || !DELTA_FAULTS.has(failure.code)) throw error
        this.#options.logger.warn('update-again', failure)
        return await this.#acquire(acquisition, keys, false)
      }
    })
  }

  async bundled(acquisition: Acquisition): Promise<Acquired> {
    const { trust, seed = async () => undefined, filterRate: rate = 1e-3, clock, verify, pause = nextTask } = this.#options
    const { held, memory, signal, onProgress } = acquisition
    const lists: AcquiredList[] = []
    for (const name of this.lists) {
      if (heldList(held, name) !== undefined) continue
      const bytes = await seed(name)
      // Keys that a link names by their fingerprint alone are not known before the first answer of the server.
      if (bytes === undefined || !('keys' in trust)) continue
      const onBuild = (): void => onProgress({ phase: 'building' })
      const common = { source: this.id, rate, keys: trust.keys, clock, verify, pause, signal, onBuild }
      lists.push(
        await verifyList(await inSlices(decodingHashList(bytes), common), undefined, {
          ...common,
          seen: memory.seen[name],
          mayBeExpired: true,
        }),
      )
    }
    return { lists, minimumWaitsMs: [], memory: remembered(memory, lists) }
  }

  async #acquire(acquisition: Acquisition, keys: KeySet, partial: boolean): Promise<Acquired> {
    const { updates, clockSkewMs } = await this.#fetch(acquisition, partial)
    try {
      const lists = await this.#verify(acquisition, updates, keys, clockSkewMs)
      const minimumWaitsMs = updates.filter(({ name }) => this.lists.includes(name)).map(({ minimumWaitMs }) => minimumWaitMs)
      return { lists, minimumWaitsMs, memory: remembered(acquisition.memory, lists), clockSkewMs }
    } finally {
      await this.#options.parts?.clear()
    }
  }

  async #fetch({ held, signal, onProgress }: Acquisition, partial: boolean): Promise<Fetched> {
    const { fetch, clock, logger, parts, timeoutMs = TIMEOUT_MS, idleTimeoutMs = IDLE_TIMEOUT_MS, pause = nextTask } = this.#options
    const versions = this.lists.map((name) => (partial && versionOf(heldList(held, name))) || new Uint8Array(0))
    let clockSkewMs: number | undefined
    const options: DownloadOptions = {
      fetch,
      onHead: ({ headers }) => {
        clockSkewMs = clockSkew(headers, clock.now())
      },
      limitBytes: LONGEST_BODY_BYTES,
      timeoutMs,
      idleTimeoutMs,
      signal,
      onProgress: (receivedBytes, totalBytes) => onProgress({ phase: 'downloading', receivedBytes, totalBytes }),
    }
    const url = this.#server + batchPath(this.lists, versions)
    const { bytes, short } = await (parts ? downloadResumably(url, { ...options, parts, clock, logger }) : download(url, options))
    onProgress({ phase: 'verifying' })
    await pause()
    try {
      return { updates: await inSlices(decodingBatch(bytes), { clock, pause, signal }), clockSkewMs }
    } catch (error) {
      if (short) throw new WaryError('http-truncated', 'the answer ended before the length that the server announced', { cause: error })
      await parts?.clear()
      throw error
    }
  }

  async #verify(
    { held, memory, signal, onProgress }: Acquisition,
    updates: readonly ListUpdate[],
    keys: KeySet,
    clockSkewMs: number | undefined,
  ): Promise<AcquiredList[]> {
    const { filterRate: rate = 1e-3, clock, verify, pause = nextTask } = this.#options
    const acquired: AcquiredList[] = []
    for (const name of this.lists) {
      const update = updateOf(updates, name)
      onProgress({ phase: 'verifying' })
      const onBuild = (): void => onProgress({ phase: 'building' })
      const before = heldList(held, name)
      const mayBeExpired = staleAnyhow(before, clock.now(), clockSkewMs)
      const verification = { source: this.id, rate, keys, clock, verify, pause, signal, onBuild, mayBeExpired, seen: memory.seen[name] }
      acquired.push(await verifyList(update, before, verification))
    }
    return acquired
  }
}

interface Fetched {
  readonly updates: readonly ListUpdate[]
  readonly clockSkewMs: number | undefined
}

/** The server's answer for one list. @throws {WaryError} `list-missing`, or `list-format` for two answers */
export function updateOf(updates: readonly ListUpdate[], name: string): ListUpdate {
  const [update, second] = updates.filter((candidate) => candidate.name === name)
  if (!update) throw new WaryError('list-missing', `the server does not carry the list ${name.slice(0, 80)}`)
  if (second) throw new WaryError('list-format', `the server sent the list ${name} twice`)
  return update
}

export function heldList(held: readonly StoredList[], name: string): StoredList | undefined {
  return held.find(({ list }) => list.name === name)
}

/** What a delta can start from; a filter alone is no such thing. */
export function versionOf(stored: StoredList | undefined): Uint8Array | undefined {
  return stored?.list instanceof HashList ? stored.list.version : undefined
}

function remembered(memory: SourceMemory, lists: readonly AcquiredList[]): SourceMemory {
  const seen = { ...memory.seen }
  for (const { stored } of lists) if (stored.state !== undefined) seen[stored.list.name] = positionOf(stored.state)
  return { ...memory, seen }
}
