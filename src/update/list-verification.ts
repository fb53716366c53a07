import { equalBytes } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import type { BloomFilter } from '../filter/bloom.ts'
import { highHalf, lowHalf } from '../filter/ready-hash.ts'
import { fullHash } from '../hash/full-hash.ts'
import type { HashList } from '../lists/hash-list.ts'
import type { KeySet } from '../lists/key-set.ts'
import { applyUpdate, type ListUpdate } from '../lists/list-update.ts'
import { checkState, decodeListState, type ListState, openStatement } from '../lists/signed-state.ts'
import { TEST_ENTRIES } from '../lists/test-entries.ts'
import type { StoredList, VerifyEd25519 } from '../ports.ts'
import { parseListName } from '../protocol/threat-type.ts'
import { buildFilter, type FilterBuilding } from './filter-building.ts'

export interface Verification extends FilterBuilding {
  /** Who must have signed. */
  readonly keys: KeySet
  readonly verify: VerifyEd25519
  /** Called before a filter is built. */
  readonly onBuild: () => void
}

export interface VerifiedList {
  readonly stored: StoredList
  /** What differs from the list that was held: nothing, its signed state or version alone, or its entries. */
  readonly change: 'none' | 'state' | 'entries'
}

/**
 * Everything that must hold before an answer may replace the list in force: it applies, its checksum holds, the publisher's keys signed the state of
 * exactly these entries, that state is neither older than the one held nor expired, and list and filter find the test entries.
 *
 * @param held the list of the same name in force, which a partial update applies to
 * @throws {WaryError} `list-format`, `list-checksum`, `list-self-test`, `state-missing`, `state-format`, `state-key-unknown`,
 *   `state-signature`, `state-threshold`, `state-mismatch`, `state-rollback`, `state-expired`
 */
export async function verifyList(update: ListUpdate, held: StoredList | undefined, verification: Verification): Promise<VerifiedList> {
  const { clock, keys, pause, verify, signal } = verification
  const list = applied(update, held)
  await pause()
  if (!update.signed) throw new WaryError('state-missing', `${update.name}: the server sent no signed state`)
  const state = decodeListState(await openStatement(update.signed, keys, verify))
  checkState(state, list)
  if (held) refuseRollback(state, held.state)
  const now = clock.now()
  if (now >= state.expiresAt) {
    const expired = new Date(state.expiresAt).toISOString()
    throw new WaryError('state-expired', `${update.name}: its signed state expired at ${expired}; the publisher must sign a new one`)
  }
  if (held && list.entryLength === held.list.entryLength && equalBytes(state.checksum, held.state.checksum))
    return refreshed(held, list, state)

  signal.throwIfAborted()
  verification.onBuild()
  const filter = await buildFilter(list, verification)
  selfTest(list, filter)
  return { stored: { list, filter, state, updatedAt: now }, change: 'entries' }
}

/** v5 says "nothing new" by a partial update without changes; the held list then serves as it is, without a copy. */
function applied(update: ListUpdate, held: StoredList | undefined): HashList {
  const { name, partial, additions, removals, checksum } = update
  const kind = parseListName(name)
  if (!kind) throw new WaryError('list-format', `${name}: a list of a kind that is not known`)
  const changes = additions !== undefined || (removals !== undefined && removals.length > 0)
  if (held && partial && !changes && equalBytes(update.version, held.list.version)) {
    if (checksum.length === 0 || equalBytes(checksum, held.state.checksum)) return held.list
    throw new WaryError('list-checksum', `${name}: nothing new, but the checksum is of another list`)
  }
  const list = applyUpdate(partial ? held?.list : undefined, update)
  if (list.entryLength === kind.entryLength) return list
  throw new WaryError('list-format', `${name}: entries of ${list.entryLength} bytes instead of ${kind.entryLength}`)
}

/** The same (epoch, sequence) with other entries means that the publisher's key signed two lists in one place: refused like an older one. */
function refuseRollback(state: ListState, before: ListState): void {
  const order = state.epoch - before.epoch || state.sequence - before.sequence
  if (order > 0 || (order === 0 && equalBytes(state.checksum, before.checksum))) return
  const [now, then] = [state, before].map(({ epoch, sequence }) => `epoch ${epoch} sequence ${sequence}`)
  throw new WaryError('state-rollback', `${state.name}: the server sent ${now}${order === 0 ? ' with other entries' : ''}, after ${then}`)
}

function refreshed(held: StoredList, list: HashList, state: ListState): VerifiedList {
  const before = held.state
  const moved = state.epoch !== before.epoch || state.sequence !== before.sequence
  // A mirror may serve the statement that was signed before the held one for the same version.
  const newer = moved || state.issuedAt > before.issuedAt || (state.issuedAt === before.issuedAt && state.expiresAt > before.expiresAt)
  const sameVersion = equalBytes(list.version, held.list.version)
  if (!newer && sameVersion) return { stored: held, change: 'none' }
  return { stored: { ...held, list: sameVersion ? held.list : list, state: newer ? state : before }, change: 'state' }
}

/** Every list that Wary publishes holds all test entries, so list, hashing and filter can be tried on them. */
function selfTest(list: HashList, filter: BloomFilter): void {
  for (const { expression } of TEST_ENTRIES) {
    const hash = fullHash(expression)
    if (!list.has(hash)) throw new WaryError('list-self-test', `${list.name} does not hold the test entry ${expression}`)
    if (filter.mightContainHash(highHalf(hash), lowHalf(hash, list.entryLength))) continue
    throw new WaryError('list-self-test', `the filter of ${list.name} denies the test entry ${expression}`)
  }
}
