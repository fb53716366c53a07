import { equalBytes, toHex } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import type { EntryLength, HashList } from '../lists/hash-list.ts'
import { applyUpdate, updatedList } from '../lists/list-update.ts'
import { checkState, decodeListState, type SignedStatement } from '../lists/signed-state.ts'
import { about, type ListFile } from './list-file.ts'
import { grouped, moment } from './output.ts'

/** Of a Date (ECMAScript, "Time Values and Time Range"). */
const LATEST_MS = 8.64e15

/** What there is to know about a hash list file and the list that it makes. */
export interface ListFacts {
  readonly name: string
  /** Hexadecimal, as the checksums. */
  readonly version: string
  /** Whether the file changes another list. */
  readonly partial: boolean
  readonly entryLength: EntryLength
  /** Entries of the list that it makes. */
  readonly count: number
  /** What the file carries. */
  readonly additions: number
  readonly removals: number
  /** Of the entries that there are. */
  readonly checksum: string
  /** That the file announces; null when it does not. */
  readonly expectedChecksum: string | null
  /** Whether both are the same; null when the file announces none. */
  readonly holds: boolean | null
  /** Of the file. */
  readonly bytes: number
  /** Of the file, for each addition and removal; null when there is none. */
  readonly bitsPerEntry: number | null
  readonly minimumWaitMs: number
  /** Null when there is none. */
  readonly signedState: StateFacts | null
}

interface StateFacts {
  readonly name: string
  readonly epoch: number
  readonly sequence: number
  readonly entries: number
  readonly issuedAt: string
  readonly expiresAt: string
  readonly keyIds: readonly string[]
  /** Whether it is about exactly these entries. */
  readonly matches: boolean
  /** Nobody gave a key to verify it with. */
  readonly verified: false
}

/**
 * The list that `file` makes of `base`, whether its checksum holds or not.
 * @param base needed for a partial update
 * @throws {WaryError} `list-missing` without a needed base, `list-format`, `list-checksum` for the base
 */
export function listOf({ path, update }: ListFile, base: ListFile | undefined): HashList {
  if (update.partial && base === undefined)
    throw new WaryError('list-missing', `${path} only changes another version of ${update.name}; name that file by --base FILE`)
  const held = update.partial && base !== undefined ? wholeList(base) : undefined
  return about(path, () => updatedList(held, update))
}

function wholeList({ path, update }: ListFile): HashList {
  if (update.partial) throw new WaryError('list-format', `${path} only changes another list, and cannot be a base`)
  return about(path, () => applyUpdate(undefined, update))
}

export function listFacts({ path, bytes, update }: ListFile, list: HashList): ListFacts {
  const { signed } = update
  const checksum = list.checksum()
  const announced = update.checksum.length > 0
  const additions = update.additions === undefined ? 0 : update.additions.entries.length / update.additions.entryLength
  const removals = update.removals?.length ?? 0
  return {
    name: update.name,
    version: toHex(update.version),
    partial: update.partial,
    entryLength: list.entryLength,
    count: list.count,
    additions,
    removals,
    checksum: toHex(checksum),
    expectedChecksum: announced ? toHex(update.checksum) : null,
    holds: announced ? equalBytes(update.checksum, checksum) : null,
    bytes,
    bitsPerEntry: additions + removals === 0 ? null : (8 * bytes) / (additions + removals),
    minimumWaitMs: update.minimumWaitMs,
    signedState: signed === undefined ? null : about(path, () => stateFacts(signed, list)),
  }
}

function stateFacts({ statement, signatures }: SignedStatement, list: HashList): StateFacts {
  const state = decodeListState(statement)
  return {
    name: state.name,
    epoch: state.epoch,
    sequence: state.sequence,
    entries: state.entryCount,
    issuedAt: stateMoment(state.issuedAt),
    expiresAt: stateMoment(state.expiresAt),
    keyIds: signatures.map(({ keyId }) => toHex(keyId)),
    matches: matches(() => checkState(state, list)),
    verified: false,
  }
}

/** A statement can hold years that a calendar cannot. */
function stateMoment(milliseconds: number): string {
  if (milliseconds > LATEST_MS) throw new WaryError('state-format', 'a time is out of range')
  return moment(milliseconds)
}

function matches(check: () => void): boolean {
  try {
    check()
    return true
  } catch (error) {
    if (error instanceof WaryError && error.code === 'state-mismatch') return false
    throw error
  }
}

export function listRows(facts: ListFacts): string[][] {
  const { entryLength, additions, removals, bytes, bitsPerEntry, signedState: state } = facts
  return [
    ['name', facts.name],
    ['version', facts.version || 'none'],
    ['kind', facts.partial ? 'partial update' : 'full update'],
    ['carries', `${grouped(additions)} additions, ${grouped(removals)} removals`],
    ['entries', `${grouped(facts.count)} of ${entryLength} bytes`],
    ['checksum', facts.checksum],
    ['announced', facts.expectedChecksum ?? 'none'],
    ['holds', facts.holds === null ? 'nothing to compare with' : facts.holds ? 'yes' : 'NO'],
    ['file', `${grouped(bytes)} bytes${bitsPerEntry === null ? '' : `, ${bitsPerEntry.toFixed(2)} bits for each addition and removal`}`],
    ['minimum wait', `${facts.minimumWaitMs / 1000} s`],
    ...(state === null ? [['signed state', 'none']] : stateRows(state)),
  ]
}

function stateRows(state: StateFacts): string[][] {
  const { name, epoch, sequence, entries, issuedAt, expiresAt, keyIds } = state
  return [
    ['signed state', `${name}, epoch ${epoch} sequence ${sequence}, ${grouped(entries)} entries`],
    ['', `issued ${issuedAt}, expires ${expiresAt}`],
    ['', `key ${keyIds.join(', ') || 'none'}; not verified here, that takes the public key`],
    ['', state.matches ? 'it is about these entries' : 'it is NOT about these entries'],
  ]
}
