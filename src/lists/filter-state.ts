import { encodeStatement, StatementReader } from './statement.ts'

export const FILTER_TAG = 'wary-filter-state-v1'

/** What a publisher signs about a LIST.filter file. Times are milliseconds since 1970, in whole seconds. */
export interface FilterState {
  readonly name: string
  readonly epoch: number
  readonly sequence: number
  readonly entryCount: number
  /** Of the file. */
  readonly byteLength: number
  /** SHA-256 of the file. */
  readonly checksum: Uint8Array
  readonly issuedAt: number
  readonly expiresAt: number
}

export function encodeFilterState(state: FilterState): Uint8Array<ArrayBuffer> {
  const { name, epoch, sequence, entryCount, byteLength, checksum, issuedAt, expiresAt } = state
  const times = [Math.floor(issuedAt / 1000), Math.floor(expiresAt / 1000)]
  return encodeStatement(FILTER_TAG, [name, epoch, sequence, entryCount, byteLength, checksum, ...times])
}

/** @throws {WaryError} `state-format` */
export function decodeFilterState(statement: Uint8Array): FilterState {
  const reader = new StatementReader(FILTER_TAG, statement)
  const state = {
    name: reader.text(),
    epoch: reader.number(),
    sequence: reader.number(),
    entryCount: reader.number(),
    byteLength: reader.number(),
    checksum: reader.hash(),
    issuedAt: reader.time(),
    expiresAt: reader.time(),
  }
  reader.end()
  return state
}
