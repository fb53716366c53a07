import { freshnessOf } from '../../src/check/freshness.ts'
import type { ListsInForce } from '../../src/check/url-checker.ts'
import type { UncheckedReason } from '../../src/check/verdict.ts'
import type { WaryError } from '../../src/errors.ts'
import type { ListState } from '../../src/lists/signed-state.ts'
import type { Clock, StoredList } from '../../src/ports.ts'
import type { ListView, Protection as ProtectionView } from '../messaging/messages.ts'

/** What the hold of this browser lacks to see or stop navigations. */
export type Obstacle = 'no-permission'

/** Who holds the lists in force: the updater. */
export interface ListHolder {
  readonly lists: readonly StoredList[]
  /** Why the stored lists could not be read. */
  readonly damage: WaryError | undefined
}

/** Whether this browser is protected, and if not why: read from what is really loaded, never from a flag that somebody set. */
export class Protection {
  readonly #holder: ListHolder
  readonly #clock: Clock
  readonly #source: () => string | undefined
  readonly #onObstacle: () => void
  #obstacle: Obstacle | undefined

  constructor(options: {
    readonly holder: ListHolder
    readonly clock: Clock
    /** The server whose lists these are; undefined when none is configured. */
    readonly source: () => string | undefined
    /** Fires when an obstacle came or went. */
    readonly onObstacle: () => void
  }) {
    this.#holder = options.holder
    this.#clock = options.clock
    this.#source = options.source
    this.#onObstacle = options.onObstacle
  }

  get lists(): readonly StoredList[] {
    return this.#holder.lists
  }

  /** For the cascade. */
  inForce(): ListsInForce {
    if (this.lists.length > 0) return { kind: 'lists', lists: this.lists, source: this.#source() ?? '', signed: true }
    return { kind: 'none', reason: this.#absence() }
  }

  stateOf(list: string): ListState | undefined {
    return this.lists.find((stored) => stored.list.name === list)?.state
  }

  obstruct(obstacle: Obstacle | undefined): void {
    if (this.#obstacle === obstacle) return
    this.#obstacle = obstacle
    this.#onObstacle()
  }

  view(): ProtectionView {
    if (this.#obstacle !== undefined) return { state: 'off', reason: this.#obstacle }
    if (this.#source() === undefined) return { state: 'off', reason: 'not-configured' }
    if (this.lists.length === 0) return { state: this.#holder.damage === undefined ? 'starting' : 'damaged' }
    const freshness = freshnessOf(this.lists, this.#clock.now())
    return freshness.kind === 'stale' ? { state: 'stale', since: freshness.since } : { state: 'protected' }
  }

  listViews(): readonly ListView[] {
    return this.lists.map(({ list, filter, state, updatedAt }) => ({
      name: list.name,
      sequence: state.sequence,
      entries: list.count,
      entryLength: list.entryLength,
      updatedAt,
      issuedAt: state.issuedAt,
      expiresAt: state.expiresAt,
      filter: { bits: filter.bits, hashes: filter.hashes, fillRatio: filter.fillRatio(), expectedRate: filter.expectedRate() },
    }))
  }

  #absence(): UncheckedReason {
    if (this.#obstacle !== undefined) return this.#obstacle
    if (this.#source() === undefined) return 'not-configured'
    return this.#holder.damage === undefined ? 'no-list' : 'damaged'
  }
}
