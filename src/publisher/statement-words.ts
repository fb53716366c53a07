import { toHex } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { decodeFilterState, FILTER_TAG } from '../lists/filter-state.ts'
import { decodeKeySet, KEY_SET_TAG, keySetFingerprint } from '../lists/key-set.ts'
import { decodeListState, keyId, LIST_TAG } from '../lists/signed-state.ts'

/** What a statement says, for the person who is about to sign it. */
export interface StatementWords {
  readonly title: string
  /** What it is about and what is said, line by line. */
  readonly rows: readonly (readonly [string, string])[]
  readonly kind: 'list' | 'filter' | 'keys'
  /** Of the list; empty for keys. */
  readonly name: string
  /** What must never go back within a kind: epoch and sequence; 0 and the version for keys. */
  readonly rank: readonly [number, number]
  /** Milliseconds since 1970; undefined for keys, which do not expire. */
  readonly expiresAt: number | undefined
}

/** @throws {WaryError} `sign-refused` for a statement of another kind: nobody signs what they cannot read; `state-format` for one that is damaged */
export function statementWords(statement: Uint8Array): StatementWords {
  if (startsWith(statement, LIST_TAG)) return listWords(statement)
  if (startsWith(statement, FILTER_TAG)) return filterWords(statement)
  if (startsWith(statement, KEY_SET_TAG)) return keyWords(statement)
  throw new WaryError('sign-refused', 'it is no statement of a list, a filter or a key set')
}

function startsWith(statement: Uint8Array, tag: string): boolean {
  return Buffer.from(statement.subarray(0, tag.length)).toString('latin1') === tag
}

function listWords(statement: Uint8Array): StatementWords {
  const state = decodeListState(statement)
  return {
    title: `The list ${state.name}`,
    rows: [
      ['entries', `${state.entryCount} of ${state.entryLength} bytes`],
      ['checksum', toHex(state.checksum)],
      ['public suffixes', state.pslVersion],
      ...edition(state),
    ],
    kind: 'list',
    name: state.name,
    rank: [state.epoch, state.sequence],
    expiresAt: state.expiresAt,
  }
}

function filterWords(statement: Uint8Array): StatementWords {
  const state = decodeFilterState(statement)
  return {
    title: `The filter of the list ${state.name}`,
    rows: [
      ['entries', String(state.entryCount)],
      ['file', `${state.byteLength} bytes`],
      ['checksum', toHex(state.checksum)],
      ...edition(state),
    ],
    kind: 'filter',
    name: state.name,
    rank: [state.epoch, state.sequence],
    expiresAt: state.expiresAt,
  }
}

function edition(state: { epoch: number; sequence: number; issuedAt: number; expiresAt: number }): (readonly [string, string])[] {
  return [
    ['epoch, sequence', `${state.epoch}, ${state.sequence}`],
    ['issued', moment(state.issuedAt)],
    ['expires', moment(state.expiresAt)],
  ]
}

function keyWords(statement: Uint8Array): StatementWords {
  const set = decodeKeySet(statement)
  return {
    title: `Version ${set.version} of the publisher's keys: from then on these sign, and no others`,
    rows: [
      ['needed', `${set.threshold} of ${set.keys.length}`],
      ...set.keys.map((key): readonly [string, string] => [`key ${toHex(keyId(key))}`, toHex(key)]),
      ['fingerprint', toHex(keySetFingerprint(set))],
    ],
    kind: 'keys',
    name: '',
    rank: [0, set.version],
    expiresAt: undefined,
  }
}

/** A time that no Date can hold is shown as its number: the statement may say it, and who signs shall see it. */
function moment(milliseconds: number): string {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? `${milliseconds / 1000} seconds after 1970` : date.toISOString().replace('.000Z', 'Z')
}
