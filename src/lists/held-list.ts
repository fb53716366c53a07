import { WaryError } from '../errors.ts'
import type { EntryLength } from './hash-list.ts'

/** What a check needs of a list: HashList has all entries, FilterOnlyList none. */
export interface HeldList {
  readonly name: string
  /** Opaque to clients (v5, "HashList.version"). */
  readonly version: Uint8Array
  readonly entryLength: EntryLength
  /** Entries of the list, held or not. */
  readonly count: number
  /** Whether the first `entryLength` bytes of `hash` are an entry, as far as is known here. */
  has(hash: Uint8Array): boolean
}

/**
 * A list of which the device holds the filter alone: what passes the filter may be an entry, and nobody here can tell. So its "maybe"
 * always asks, and an answer that denies it contradicts nothing.
 */
export class FilterOnlyList implements HeldList {
  readonly name: string
  readonly version: Uint8Array
  readonly entryLength: EntryLength
  readonly count: number

  /** @throws {WaryError} `list-format` for entries of 32 bytes: a filter's "maybe" can never be certain */
  constructor(parts: Omit<HeldList, 'has'>) {
    if (parts.entryLength === 32) throw new WaryError('list-format', `${parts.name}: full hashes need their list, a filter does not do`)
    this.name = parts.name
    this.version = parts.version
    this.entryLength = parts.entryLength
    this.count = parts.count
  }

  has(_hash: Uint8Array): boolean {
    return true
  }
}
