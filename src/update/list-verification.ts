import { equalBytes, toHex } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import type { HeldFilter } from '../filter/held-filter.ts'
import { highHalf, lowHalf } from '../filter/ready-hash.ts'
import { fullHash } from '../hash/full-hash.ts'
import { HashList } from '../lists/hash-list.ts'
import type { KeySet } from '../lists/key-set.ts'
import { applyingUpdate, type ListUpdate } from '../lists/list-update.ts'
import { checkState, decodeListState, type ListState, openStatement } from '../lists/signed-state.ts'
import type { SignedFacts } from '../lists/statement.ts'
import { TEST_ENTRIES } from '../lists/test-entries.ts'
import type { StoredList, VerifyEd25519 } from '../ports.ts'
import { parseListName } from '../protocol/threat-type.ts'
import type { Steps } from '../steps.ts'
import { buildFilter, type FilterBuilding } from './filter-building.ts'
import { inSlices } from './in-slices.ts'
import type { AcquiredList, Position } from './source.ts'

export interface ListBuilding extends FilterBuilding {
  /** Id of the source. */
  readonly source: string
  /** Called before a filter is built. */
  readonly onBuild: () => void
}

export interface Verification extends ListBuilding {
  readonly keys: KeySet
  readonly verify: VerifyEd25519
  /** The furthest that this list has ever come here, also where it is not held any more. */
  readonly seen?: Position | undefined
  /** Takes a state that has expired, as stale: for a list that comes with the extension itself, and where the clock of the device is wrong. */
  readonly mayBeExpired?: boolean
}

/**
 * Everything that must hold before an answer may replace the list in force: it applies, its checksum holds, a root key signed the state of
 * exactly these entries, that state is neither older than the one held nor expired, and list and filter find the test entries.
 *
 * @param held the list of the same name in force, which a partial update applies to
 * @throws {WaryError} `list-format`, `list-checksum`, `list-self-test`, `state-missing`, `state-format`, `state-key-unknown`,
 *   `state-signature`, `state-mismatch`, `state-rollback`, `state-expired`
 */
export async function verifyList(update: ListUpdate, held: StoredList | undefined, verification: Verification): Promise<AcquiredList> {
  const { source, clock, pause, keys, verify, seen, signal, mayBeExpired = false } = verification
  const list = await inSlices(applying(update, held), verification)
  await pause()
  if (!update.signed) throw new WaryError('state-missing', `${update.name}: the server sent no signed state`)
  const state = decodeListState(await openStatement(update.signed, keys, verify))
  checkState(state, list)
  refuseRollback(state, seen)
  refuseRollback(state, held?.state && positionOf(held.state))
  const now = clock.now()
  if (now >= state.expiresAt && !mayBeExpired) {
    const expired = new Date(state.expiresAt).toISOString()
    throw new WaryError('state-expired', `${update.name}: its signed state expired at ${expired}; the publisher must sign a new one`)
  }
  if (held?.state && list.entryLength === held.list.entryLength && equalBytes(state.checksum, held.state.checksum))
    return refreshed(held, held.state, list, state)
  signal.throwIfAborted()
  verification.onBuild()
  const filter = await buildFilter(list, verification)
  selfTest(list, filter)
  return { stored: { source, list, filter, state, updatedAt: now }, change: 'entries' }
}

/**
 * As `verifyList` for a source that signs nothing, such as Google's: the checksum alone must hold.
 * @throws {WaryError} `list-format`, `list-checksum`
 */
export async function buildUnsigned(update: ListUpdate, held: StoredList | undefined, building: ListBuilding): Promise<AcquiredList> {
  const { source, clock, pause, signal } = building
  const list = await inSlices(applying(update, held), building)
  await pause()
  if (held && list === held.list) return { stored: held, change: 'none' }
  signal.throwIfAborted()
  building.onBuild()
  const filter = await buildFilter(list, building)
  return { stored: { source, list, filter, state: undefined, updatedAt: clock.now() }, change: 'entries' }
}

/** For SourceMemory. */
export function positionOf({ epoch, sequence, checksum }: SignedFacts): Position {
  return { epoch, sequence, checksum: toHex(checksum) }
}

/** v5 says "nothing new" by a partial update without changes; the held list then serves as it is, without a copy. */
function* applying(update: ListUpdate, held: StoredList | undefined): Steps<HashList> {
  const { name, partial, additions, removals, checksum } = update
  const kind = parseListName(name)
  if (!kind) throw new WaryError('list-format', `${name}: a list of a kind that is not known`)
  const base = held?.list instanceof HashList ? held.list : undefined
  const changes = additions !== undefined || (removals !== undefined && removals.length > 0)
  if (base && partial && !changes && equalBytes(update.version, base.version)) {
    if (checksum.length === 0 || equalBytes(checksum, held?.state?.checksum ?? (yield* base.checksumming()))) return base
    throw new WaryError('list-checksum', `${name}: nothing new, but the checksum is of another list`)
  }
  const list = yield* applyingUpdate(partial ? base : undefined, update)
  if (list.entryLength === kind.entryLength) return list
  throw new WaryError('list-format', `${name}: entries of ${list.entryLength} bytes instead of ${kind.entryLength}`)
}

/**
 * The same (epoch, sequence) with other entries means that the publisher's key signed two lists in one place: refused like an older one.
 * @throws {WaryError} `state-rollback`
 */
export function refuseRollback(state: SignedFacts, before: Position | undefined): void {
  if (before === undefined) return
  const order = state.epoch - before.epoch || state.sequence - before.sequence
  const same = toHex(state.checksum) === before.checksum
  if (order > 0 || (order === 0 && same)) return
  const [now, then] = [state, before].map(({ epoch, sequence }) => `epoch ${epoch} sequence ${sequence}`)
  throw new WaryError('state-rollback', `${state.name}: the server sent ${now}${order === 0 ? ' with other entries' : ''}, after ${then}`)
}

function refreshed(held: StoredList, before: NonNullable<StoredList['state']>, list: HashList, state: ListState): AcquiredList {
  const moved = state.epoch !== before.epoch || state.sequence !== before.sequence
  // A mirror may serve the statement that was signed before the held one for the same version.
  const newer = moved || state.issuedAt > before.issuedAt || (state.issuedAt === before.issuedAt && state.expiresAt > before.expiresAt)
  const sameVersion = equalBytes(list.version, held.list.version)
  if (!newer && sameVersion) return { stored: held, change: 'none' }
  return { stored: { ...held, list: sameVersion ? held.list : list, state: newer ? state : before }, change: 'state' }
}

/** Every list that Wary publishes holds all test entries, so list, hashing and filter can be tried on them. */
function selfTest(list: HashList, filter: HeldFilter): void {
  for (const { expression } of TEST_ENTRIES) {
    const hash = fullHash(expression)
    if (!list.has(hash)) throw new WaryError('list-self-test', `${list.name} does not hold the test entry ${expression}`)
    if (filter.mightContainHash(highHalf(hash), lowHalf(hash, list.entryLength))) continue
    throw new WaryError('list-self-test', `the filter of ${list.name} denies the test entry ${expression}`)
  }
}
