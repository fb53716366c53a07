import { freshnessOf } from '../../src/check/freshness.ts'
import type { ListsInForce } from '../../src/check/url-checker.ts'
import type { UncheckedReason } from '../../src/check/verdict.ts'
import type { WaryError } from '../../src/errors.ts'
import { FilterOnlyList } from '../../src/lists/held-list.ts'
import type { Clock, StoredList } from '../../src/ports.ts'
import type { ListView, Protection as ProtectionView } from '../messaging/messages.ts'

/** What the hold of this browser lacks to see or stop navigations. */
export type Obstacle = 'no-permission'

/** Who holds the lists in force: the set of sources. */
export interface ListHolder {
  readonly lists: readonly StoredList[]
  /** Why stored lists could not be read. */
  readonly damage: WaryError | undefined
  /** What the servers' clocks say of this device's. */
  readonly clockSkewMs: number | undefined
  /** Whether one of them is missing for that, and nothing stands in for it. */
  readonly gap: boolean
}

/** Whether this browser is protected, and if not why: read from what is really loaded, never from a flag that somebody set. */
export class Protection {
  readonly #holder: ListHolder
  readonly #clock: Clock
  readonly #configured: () => boolean
  readonly #onObstacle: () => void
  #obstacle: Obstacle | undefined

  constructor(options: {
    readonly holder: ListHolder
    readonly clock: Clock
    /** Whether there is any source to get lists from. */
    readonly configured: () => boolean
    /** Fires when an obstacle came or went. */
    readonly onObstacle: () => void
  }) {
    this.#holder = options.holder
    this.#clock = options.clock
    this.#configured = options.configured
    this.#onObstacle = options.onObstacle
  }

  get lists(): readonly StoredList[] {
    return this.#holder.lists
  }

  /** For the cascade. */
  inForce(): ListsInForce {
    if (this.lists.length > 0) return { kind: 'lists', lists: this.lists, gap: this.#holder.gap ? 'damaged' : undefined }
    return { kind: 'none', reason: this.#absence() }
  }

  stateOf(source: string, list: string): StoredList['state'] {
    return this.lists.find((stored) => stored.source === source && stored.list.name === list)?.state
  }

  obstruct(obstacle: Obstacle | undefined): void {
    if (this.#obstacle === obstacle) return
    this.#obstacle = obstacle
    this.#onObstacle()
  }

  view(): ProtectionView {
    if (this.#obstacle !== undefined) return { state: 'off', reason: this.#obstacle }
    if (!this.#configured()) return { state: 'off', reason: 'not-configured' }
    if (this.lists.length === 0) return { state: this.#holder.damage === undefined ? 'starting' : 'damaged' }
    if (this.#holder.gap) return { state: 'damaged' }
    const freshness = freshnessOf(this.lists, this.#clock.now())
    if (freshness.kind !== 'stale') return { state: 'protected' }
    return { state: 'stale', since: freshness.since, clockSkewMs: this.#holder.clockSkewMs }
  }

  /** @param source of these alone; without it, of all */
  listViews(source?: string): readonly ListView[] {
    return this.lists
      .filter((stored) => source === undefined || stored.source === source)
      .map(({ list, filter, state, updatedAt }) => ({
        name: list.name,
        entries: list.count,
        entryLength: list.entryLength,
        filterOnly: list instanceof FilterOnlyList,
        updatedAt,
        ...(state && { signed: { sequence: state.sequence, issuedAt: state.issuedAt, expiresAt: state.expiresAt } }),
        filter: { bits: filter.bits, hashes: filter.hashes, fillRatio: filter.fillRatio(), expectedRate: filter.expectedRate() },
      }))
  }

  #absence(): UncheckedReason {
    if (this.#obstacle !== undefined) return this.#obstacle
    if (!this.#configured()) return 'not-configured'
    return this.#holder.damage === undefined ? 'no-list' : 'damaged'
  }
}
