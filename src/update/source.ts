import type { StoredList } from '../ports.ts'
import type { UpdateProgress } from './update-status.ts'

/** How far a signed list has come: nothing older is taken. */
export interface Position {
  readonly epoch: number
  readonly sequence: number
  /** Of the state's checksum, hexadecimal: one position must never stand for two lists. */
  readonly checksum: string
}

/** What must outlive even a lost database: kept apart from the lists. */
export interface SourceMemory {
  /** By list name. */
  readonly seen: Readonly<Record<string, Position>>
  /** The newest key set that was trusted (its statement, hexadecimal). */
  readonly keySet?: string
}

export const BLANK_MEMORY: SourceMemory = { seen: {} }

export interface Acquisition {
  readonly held: readonly StoredList[]
  readonly memory: SourceMemory
  readonly signal: AbortSignal
  readonly onProgress: (progress: UpdateProgress) => void
}

export interface AcquiredList {
  readonly stored: StoredList
  /** What differs from the list that was held: nothing, its signed state or version alone, or its entries. */
  readonly change: 'none' | 'state' | 'entries'
}

export interface Acquired {
  /** One for each list of the source. */
  readonly lists: readonly AcquiredList[]
  /** How long the source asks to be left alone, each list by itself. */
  readonly minimumWaitsMs: readonly number[]
  readonly memory: SourceMemory
  /** What a person should know of a source that works, such as lines of a feed that say nothing. */
  readonly remarks?: readonly string[]
  /** By how many milliseconds the source's clock is ahead of this device's (clock-skew.ts), where that is worth a word. */
  readonly clockSkewMs?: number | undefined
}

/**
 * One place that lists come from: a Wary server, a filter file, Google, a feed. It downloads, verifies and builds; what it answers may be
 * put in force as it is. Schedule, storage and the swap are the updater's.
 */
export interface ListSource {
  /** The same for the same address; hits and stored lists carry it. */
  readonly id: string
  /** What makes versions and sequence numbers comparable (address and keys): lists of another identity are forgotten. */
  readonly identity: string
  /** Names of the lists to hold. */
  readonly lists: readonly string[]
  /** @throws {WaryError} whatever went wrong; what is held stays in force */
  acquire(acquisition: Acquisition): Promise<Acquired>
  /**
   * Lists that came with the extension itself, of those that are not held: verified as any other, but they may have expired, and are stale
   * then. Absent where there are none. @throws {WaryError} as `acquire`
   */
  bundled?(acquisition: Acquisition): Promise<Acquired>
}
