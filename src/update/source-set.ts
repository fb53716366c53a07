import { asWaryError, type WaryError } from '../errors.ts'
import type { Logger, StoredList } from '../ports.ts'
import type { ListSource } from './source.ts'
import type { UpdateStatus } from './update-status.ts'
import type { UpdateOutcome, UpdateRequest, Updater } from './updater.ts'

export interface SourceSetOptions {
  /** The updater of one source; `source` says how it is configured now. */
  readonly createUpdater: (id: string, source: () => ListSource | undefined, onSwap: () => void) => Updater
  /** Removes everything that is stored of sources other than these. */
  readonly keepOnly: (ids: readonly string[]) => Promise<void>
  /** Lists in force have changed. */
  readonly onSwap: () => void
  readonly logger: Logger
}

interface Member {
  source: ListSource | undefined
  updater: Updater
}

/** Every source that is configured, each with its own lists, record and errors: one that fails takes nothing from the others. */
export class SourceSet {
  readonly #options: SourceSetOptions
  readonly #members = new Map<string, Member>()
  #lists: readonly StoredList[] = []

  constructor(options: SourceSetOptions) {
    this.#options = options
  }

  /**
   * Takes over what is configured now; resolves when the stored lists of all of it are read. A source that is not named any more is out of
   * force at once, and what was stored of it is removed. Never rejects.
   */
  async configure(sources: readonly ListSource[]): Promise<void> {
    for (const [id, member] of this.#members) if (!sources.some((source) => source.id === id)) this.#remove(id, member)
    for (const source of sources) {
      const known = this.#members.get(source.id)
      if (known === undefined) this.#add(source)
      else {
        const former = known.source
        known.source = source
        if (former?.identity !== source.identity) await this.#attempt('lists-forget', () => known.updater.reset())
      }
    }
    await Promise.all([...this.#members.values()].map(({ updater }) => updater.ready))
    this.#collect()
    await this.#attempt('sources-forget', () => this.#options.keepOnly(sources.map(({ id }) => id)))
  }

  /** The lists in force, of all sources. */
  get lists(): readonly StoredList[] {
    return this.#lists
  }

  get sources(): readonly ListSource[] {
    return [...this.#members.values()].flatMap(({ source }) => source ?? [])
  }

  /** Why stored lists could not be read, of the first source where it is so. */
  get damage(): WaryError | undefined {
    for (const { updater } of this.#members.values()) if (updater.damage) return updater.damage
    return undefined
  }

  /** By how much the servers' clocks are ahead of this device's, where that is worth a word. */
  get clockSkewMs(): number | undefined {
    return this.status().clockSkewMs
  }

  /** Whether a list that should be in force is damaged and nothing stands in for it: what it holds would pass for safe. */
  get gap(): boolean {
    return [...this.#members.values()].some(({ source, updater }) => {
      const names = new Set(updater.lists.map(({ list }) => list.name))
      return updater.damage !== undefined && source?.lists.some((name) => !names.has(name)) === true
    })
  }

  /** Reads the stored lists of every source again: another worker has put others there. Never rejects. */
  async reload(): Promise<void> {
    await Promise.all([...this.#members.values()].map(({ updater }) => updater.reload()))
  }

  statusOf(id: string): UpdateStatus | undefined {
    return this.#members.get(id)?.updater.status()
  }

  statuses(): readonly UpdateStatus[] {
    return [...this.#members.values()].map(({ updater }) => updater.status())
  }

  /** All sources as one: what is running, the oldest of the successes, the earliest next attempt, the first failure. */
  status(): UpdateStatus {
    const all = this.statuses()
    const failing = all.find(({ lastError }) => lastError !== undefined)
    const times = (field: 'lastAttemptAt' | 'lastSuccessAt' | 'notBefore'): number[] => all.flatMap((status) => status[field] ?? [])
    return {
      progress: all.find(({ progress }) => progress !== undefined)?.progress,
      lastAttemptAt: failing?.lastAttemptAt ?? most(times('lastAttemptAt'), Math.max),
      lastSuccessAt: most(times('lastSuccessAt'), Math.min),
      notBefore: most(times('notBefore'), Math.min),
      failures: Math.max(0, ...all.map(({ failures }) => failures)),
      lastError: failing?.lastError,
      remarks: all.flatMap(({ remarks }) => remarks),
      clockSkewMs: all.find(({ clockSkewMs }) => clockSkewMs !== undefined)?.clockSkewMs,
    }
  }

  /** One source after the other, so that two lists are never built at a time. Without `only`, all. Never rejects. */
  async update(request: UpdateRequest = {}, only?: string): Promise<readonly UpdateOutcome[]> {
    const outcomes: UpdateOutcome[] = []
    for (const [id, { updater }] of [...this.#members]) {
      if (only !== undefined && id !== only) continue
      outcomes.push(await updater.update(request))
    }
    return outcomes
  }

  #add(source: ListSource): void {
    const { id } = source
    const configured: { source: ListSource | undefined } = { source }
    const updater = this.#options.createUpdater(
      id,
      () => configured.source,
      () => this.#swapped(),
    )
    this.#members.set(id, Object.assign(configured, { updater }))
  }

  #remove(id: string, member: Member): void {
    member.source = undefined
    this.#members.delete(id)
    this.#swapped()
    void this.#attempt('lists-forget', () => member.updater.reset())
  }

  #swapped(): void {
    this.#collect()
    this.#options.onSwap()
  }

  #collect(): void {
    this.#lists = [...this.#members.values()].flatMap(({ updater }) => updater.lists)
  }

  async #attempt(event: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.logger.warn(event, asWaryError(error, 'storage-failed'))
    }
  }
}

function most(times: readonly number[], choose: (...times: number[]) => number): number | undefined {
  return times.length === 0 ? undefined : choose(...times)
}
