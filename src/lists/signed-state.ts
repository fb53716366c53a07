import { equalBytes } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { sha256Bytes } from '../hash/sha256.ts'
import type { VerifyEd25519 } from '../ports.ts'
import { type EntryLength, type HashList, isEntryLength } from './hash-list.ts'
import { encodeStatement, StatementReader } from './statement.ts'

export const LIST_TAG = 'wary-list-state-v1'
export const KEY_ID_BYTES = 8

/** What a publisher signs about a list: the resulting list, whichever way a client gets there. Times are milliseconds since 1970, in whole seconds. */
export interface ListState {
  readonly name: string
  /** Raised to recover from a lost sequence number. */
  readonly epoch: number
  /** Raised by every publication within an epoch. */
  readonly sequence: number
  readonly entryCount: number
  readonly entryLength: EntryLength
  /** SHA-256 of the sorted entries. */
  readonly checksum: Uint8Array
  /** Library and version that made the expressions. */
  readonly pslVersion: string
  readonly issuedAt: number
  readonly expiresAt: number
}

/** A statement as it travels: exactly the bytes that were signed. */
export interface SignedStatement {
  readonly statement: Uint8Array
  readonly signatures: readonly { readonly keyId: Uint8Array; readonly signature: Uint8Array }[]
}

/** The bytes that are signed (docs/protocol.md, "Signed state"). */
export function encodeListState(state: ListState): Uint8Array<ArrayBuffer> {
  return encodeStatement(LIST_TAG, [
    state.name,
    state.epoch,
    state.sequence,
    state.entryCount,
    state.entryLength,
    state.checksum,
    state.pslVersion,
    Math.floor(state.issuedAt / 1000),
    Math.floor(state.expiresAt / 1000),
  ])
}

/** @throws {WaryError} `state-format` for anything that `encodeListState` does not make */
export function decodeListState(statement: Uint8Array): ListState {
  const reader = new StatementReader(LIST_TAG, statement)
  const name = reader.text()
  const epoch = reader.number()
  const sequence = reader.number()
  const entryCount = reader.number()
  const entryLength = reader.number()
  if (!isEntryLength(entryLength)) throw new WaryError('state-format', `entries of ${entryLength} bytes are not known`)
  const state = {
    name,
    epoch,
    sequence,
    entryCount,
    entryLength,
    checksum: reader.hash(),
    pslVersion: reader.text(),
    issuedAt: reader.time(),
    expiresAt: reader.time(),
  }
  reader.end()
  return state
}

/** The first 8 bytes of the public key's SHA-256: which key a signature is of. */
export function keyId(publicKey: Uint8Array): Uint8Array {
  return sha256Bytes(publicKey).slice(0, KEY_ID_BYTES)
}

/**
 * The statement's bytes, if one of the trusted keys (32 raw bytes each) signed them.
 * @throws {WaryError} `state-key-unknown` when no signature names a trusted key, `state-signature` when one does and does not hold
 */
export async function openStatement(
  signed: SignedStatement,
  trustedKeys: readonly Uint8Array[],
  verify: VerifyEd25519,
): Promise<Uint8Array> {
  let known = false
  for (const { keyId: id, signature } of signed.signatures) {
    for (const key of trustedKeys) {
      if (!equalBytes(keyId(key), id)) continue
      known = true
      if (signature.length === 64 && (await verify(key, signed.statement, signature))) return signed.statement
    }
  }
  if (known) throw new WaryError('state-signature', 'the signature of the list does not hold')
  throw new WaryError('state-key-unknown', 'the list is signed by a key that is not trusted here')
}

/** @throws {WaryError} `state-mismatch` when the statement is not about exactly this list */
export function checkState(state: ListState, list: HashList): void {
  const same =
    state.name === list.name &&
    state.entryCount === list.count &&
    state.entryLength === list.entryLength &&
    equalBytes(state.checksum, list.checksum())
  if (!same) throw new WaryError('state-mismatch', `the signed statement is not about this version of ${list.name}`)
}
