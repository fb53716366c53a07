/**
 * What the core needs from the world. The extension implements these under extension/platform and extension/storage,
 * the Node programs in their mains; tests pass fakes for clock, randomness and faults only.
 */
import type { WaryError } from './errors.ts'
import type { HeldFilter } from './filter/held-filter.ts'
import type { FilterState } from './lists/filter-state.ts'
import type { HeldList } from './lists/held-list.ts'
import type { ListState } from './lists/signed-state.ts'
import type { ThreatType } from './protocol/threat-type.ts'

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00Z, as `Date.now`. */
  now(): number
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** `offline`: the browser knows that nothing can be reached. `metered`: the person wants data to be saved. */
export type NetworkState = 'offline' | 'metered' | 'open'

export interface Random {
  /** Uniform in [0, 1). */
  next(): number
}

/** Facts about errors and decisions. Never a URL of a page, an expression or a hash. */
export interface Logger {
  info(event: string, facts?: Readonly<Record<string, unknown>>): void
  warn(event: string, error: WaryError, facts?: Readonly<Record<string, unknown>>): void
}

/** Ed25519 (RFC 8032) verification; `publicKey` is 32 raw bytes, `signature` 64. False for a signature that does not hold. */
export type VerifyEd25519 = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => Promise<boolean>

/** What a check needs of a list in force. */
export interface CheckedList {
  /** Id of the source that gave it (src/update/source.ts). */
  readonly source: string
  readonly list: HeldList
  readonly filter: Pick<HeldFilter, 'mightContainHash'>
  /** What its publisher signed; undefined for sources that sign nothing. */
  readonly state: ListState | FilterState | undefined
}

/** A list in force, with its filter. */
export interface StoredList extends CheckedList {
  readonly filter: HeldFilter
  /** When this version was fetched and verified, milliseconds since 1970. */
  readonly updatedAt: number
}

/** A stored list that could not be read; the others can be in order. */
export interface DamagedList {
  readonly name: string
  /** `storage-damaged`: pages are missing, or do not match their checksums. */
  readonly error: WaryError
}

export interface LoadedLists {
  readonly lists: readonly StoredList[]
  readonly damaged: readonly DamagedList[]
}

/** The lists of one source. */
export interface ListStore {
  /** Every list that is whole, and the names of those that are not. Rejects with WaryError `storage-failed` when the database cannot be opened. */
  load(): Promise<LoadedLists>
  /** Writes a shadow generation and swaps it in by one transaction: after any interruption the old or the new list is whole. */
  replace(stored: StoredList): Promise<void>
  /** Removes lists that are not named. */
  keepOnly(names: readonly string[]): Promise<void>
}

/** The answer of hashes:search for one prefix, as cached. */
export interface CachedAnswer {
  /** Id of the source that was asked. */
  readonly source: string
  /** First four bytes of the hash, big-endian. */
  readonly prefix: number
  /** Milliseconds since 1970; expired at `now >= expiresAt`. */
  readonly expiresAt: number
  /** Every full hash with this prefix that the server knows, whether or not a threat type is left of it; empty for a negative answer. */
  readonly fullHashes: readonly CachedFullHash[]
}

export interface CachedFullHash {
  /** 32 bytes. */
  readonly hash: Uint8Array
  /** Threat types that apply to every page. */
  readonly threatTypes: readonly ThreatType[]
  /** Threat types that apply in frames only (v5 attribute FRAME_ONLY); absent where there are none. */
  readonly frameOnlyTypes?: readonly ThreatType[]
}

export interface FullHashCacheStore {
  load(): Promise<CachedAnswer[]>
  /** Adds or replaces by source and prefix. */
  put(answer: CachedAnswer): Promise<void>
  delete(answers: readonly Pick<CachedAnswer, 'source' | 'prefix'>[]): Promise<void>
  clear(): Promise<void>
}
