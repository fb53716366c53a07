import { equalBytes } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { type EntryLength, HashList } from './hash-list.ts'
import type { SignedStatement } from './signed-state.ts'

/** What a server answers for one list (v5, message HashList). */
export interface ListUpdate {
  readonly name: string
  readonly version: Uint8Array
  /** True: removals and additions to the version that the client holds. False: the whole list. */
  readonly partial: boolean
  /** Packed, ascending. Undefined where nothing is added. */
  readonly additions: { readonly entryLength: EntryLength; readonly entries: Uint8Array } | undefined
  /** Ascending indices into the list before this update. */
  readonly removals: Uint32Array | undefined
  /** SHA-256 of the resulting entries; empty where the server says none. */
  readonly checksum: Uint8Array
  readonly minimumWaitMs: number
  readonly signed: SignedStatement | undefined
}

/**
 * The list that `update` makes of `base`: removals first, then additions; the checksum must hold.
 * @throws {WaryError} `list-format` (indices or entries that cannot be) or `list-checksum`; `base` is not changed
 */
export function applyUpdate(base: HashList | undefined, update: ListUpdate): HashList {
  if (update.partial && base === undefined) throw new WaryError('list-format', 'a partial update needs a list to apply to')
  const held = update.partial ? base : undefined
  const entryLength = update.additions?.entryLength ?? held?.entryLength ?? entryLengthOf(update.name)
  if (held !== undefined && update.additions !== undefined && update.additions.entryLength !== held.entryLength) {
    throw new WaryError('list-format', `additions of ${update.additions.entryLength} bytes to entries of ${held.entryLength}`)
  }
  const kept = held === undefined ? new Uint8Array(0) : remove(held, update.removals)
  if (held === undefined && update.removals !== undefined && update.removals.length > 0) {
    throw new WaryError('list-format', 'a full update removes nothing')
  }
  const entries = update.additions === undefined ? kept : merge(kept, update.additions.entries, entryLength)
  const list = HashList.fromSorted({ name: update.name, version: update.version, entryLength, entries })
  if (update.checksum.length > 0 && !equalBytes(update.checksum, list.checksum())) {
    throw new WaryError('list-checksum', `the entries of ${update.name} do not match the list's own checksum`)
  }
  return list
}

function entryLengthOf(name: string): EntryLength {
  const length = Number(/-(4|8|16|32)b$/.exec(name)?.[1])
  if (length === 4 || length === 8 || length === 16 || length === 32) return length
  throw new WaryError('list-format', `the name ${name} does not say how long its entries are`)
}

function remove(held: HashList, removals: Uint32Array | undefined): Uint8Array {
  if (removals === undefined || removals.length === 0) return held.entries
  const { entryLength, entries } = held
  let former = -1
  for (const index of removals) {
    if (index <= former || index >= held.count) throw new WaryError('list-format', `a removal of entry ${index} is not possible`)
    former = index
  }
  const kept = new Uint8Array(entries.length - removals.length * entryLength)
  let from = 0
  let to = 0
  for (const index of removals) {
    const piece = entries.subarray(from, index * entryLength)
    kept.set(piece, to)
    to += piece.length
    from = (index + 1) * entryLength
  }
  kept.set(entries.subarray(from), to)
  return kept
}

/** Both packed and ascending; an entry in both is kept twice here, and refused where the list is made. */
function merge(a: Uint8Array, b: Uint8Array, entryLength: number): Uint8Array {
  if (a.length === 0) return b
  const merged = new Uint8Array(a.length + b.length)
  const left = new DataView(a.buffer, a.byteOffset, a.byteLength)
  const right = new DataView(b.buffer, b.byteOffset, b.byteLength)
  let i = 0
  let j = 0
  let at = 0
  while (i < a.length || j < b.length) {
    let order = i >= a.length ? 1 : j >= b.length ? -1 : 0
    for (let k = 0; order === 0 && k < entryLength; k += 4) order = left.getUint32(i + k) - right.getUint32(j + k)
    if (order <= 0) {
      merged.set(a.subarray(i, i + entryLength), at)
      i += entryLength
    } else {
      merged.set(b.subarray(j, j + entryLength), at)
      j += entryLength
    }
    at += entryLength
  }
  return merged
}
