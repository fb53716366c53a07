import { equalBytes } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { finished, type Steps } from '../steps.ts'
import { type EntryLength, HashList } from './hash-list.ts'
import type { SignedStatement } from './signed-state.ts'

/** Takes about a millisecond. */
const CHANGES_A_STEP = 2048

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
 * The list that `update` makes of `base`: removals first, then additions; the checksum must hold. Only a partial update that changes nothing may
 * leave it out: an update that was cut off behind its version would otherwise be an empty list.
 * @throws {WaryError} `list-format` (indices or entries that cannot be) or `list-checksum`; `base` is not changed
 */
export function applyUpdate(base: HashList | undefined, update: ListUpdate): HashList {
  return finished(applyingUpdate(base, update))
}

/** As `applyUpdate`, in steps. */
export function* applyingUpdate(base: HashList | undefined, update: ListUpdate): Steps<HashList> {
  const list = yield* updatingList(base, update)
  const { name, partial, additions, removals, checksum } = update
  const same = partial && additions === undefined && (removals === undefined || removals.length === 0)
  if (checksum.length === 0 && same) return list
  if (checksum.length === 0) throw new WaryError('list-checksum', `the update of ${name} carries no checksum`)
  if (!equalBytes(checksum, yield* list.checksumming())) {
    throw new WaryError('list-checksum', `the entries of ${name} do not match the list's own checksum`)
  }
  return list
}

/** As `applyUpdate`, for who looks at the checksum otherwise. @throws {WaryError} `list-format` */
export function updatedList(base: HashList | undefined, update: ListUpdate): HashList {
  return finished(updatingList(base, update))
}

function* updatingList(base: HashList | undefined, update: ListUpdate): Steps<HashList> {
  if (update.partial && base === undefined) throw new WaryError('list-format', 'a partial update needs a list to apply to')
  const held = update.partial ? base : undefined
  const entryLength = update.additions?.entryLength ?? held?.entryLength ?? entryLengthOf(update.name)
  if (held !== undefined && update.additions !== undefined && update.additions.entryLength !== held.entryLength) {
    throw new WaryError('list-format', `additions of ${update.additions.entryLength} bytes to entries of ${held.entryLength}`)
  }
  if (held === undefined && update.removals !== undefined && update.removals.length > 0) {
    throw new WaryError('list-format', 'a full update removes nothing')
  }
  const added = update.additions?.entries ?? new Uint8Array(0)
  const entries = held === undefined ? added : yield* patching(held, update.removals ?? new Uint32Array(0), added)
  return yield* HashList.checking({ name: update.name, version: update.version, entryLength, entries })
}

function entryLengthOf(name: string): EntryLength {
  const length = Number(/-(4|8|16|32)b$/.exec(name)?.[1])
  if (length === 4 || length === 8 || length === 16 || length === 32) return length
  throw new WaryError('list-format', `the name ${name} does not say how long its entries are`)
}

/**
 * The entries of `held` without those at `removals` and with the ascending ones of `added`, in one new array: between two changes entries are copied
 * as one run. An entry in both is in the outcome twice, which is refused where the list is made.
 */
function* patching(held: HashList, removals: Uint32Array, added: Uint8Array): Steps<Uint8Array> {
  const { entries, entryLength } = held
  checkRemovals(removals, held.count)
  if (removals.length === 0 && added.length === 0) return entries
  const whole = new Uint8Array(entries.length - removals.length * entryLength + added.length)
  let to = 0
  const copy = (from: Uint8Array, start: number, end: number): void => {
    whole.set(from.subarray(start, end), to)
    to += end - start
  }
  let from = 0
  let next = 0
  let changes = 0
  for (let i = 0; i <= removals.length; i++) {
    if (++changes % CHANGES_A_STEP === 0) yield
    const index = removals[i]
    const end = index === undefined ? entries.length : index * entryLength
    while (next < added.length) {
      const place = held.lowerBound(added, next, from, end)
      // Behind all of this run: it may belong into one of the next runs.
      if (place === end && index !== undefined) break
      copy(entries, from, place)
      from = place
      copy(added, next, next + entryLength)
      next += entryLength
      if (++changes % CHANGES_A_STEP === 0) yield
    }
    copy(entries, from, end)
    from = end + entryLength
  }
  return whole
}

function checkRemovals(removals: Uint32Array, count: number): void {
  let former = -1
  for (const index of removals) {
    if (index <= former || index >= count) throw new WaryError('list-format', `a removal of entry ${index} is not possible`)
    former = index
  }
}
