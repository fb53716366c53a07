import { equalBytes } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { sha256Bytes } from '../hash/sha256.ts'
import type { VerifyEd25519 } from '../ports.ts'
import { type EntryLength, type HashList, isEntryLength } from './hash-list.ts'
import { type KeySet, MOST_KEYS } from './key-set.ts'
import { encodeStatement, StatementReader } from './statement.ts'
import { type Verifying, verified } from './verifying.ts'

export const LIST_TAG = 'wary-list-state-v1'
export const KEY_ID_BYTES = 8
/** Of a rotation: all keys of the former set and all of the new one. */
export const MOST_SIGNATURES = 2 * MOST_KEYS
const SIGNATURE_BYTES = 64

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
 * The statement's bytes, if at least `threshold` different keys of the set signed them. Signatures of other keys count for nothing, and
 * however often a key has signed, it counts once.
 *
 * @throws {WaryError} `state-key-unknown` when no signature names a key of the set, `state-signature` when some do and none holds,
 *   `state-threshold` when too few hold, `state-format` for more signatures than anybody needs
 */
export function openStatement(signed: SignedStatement, keySet: KeySet, verify: VerifyEd25519): Promise<Uint8Array> {
  return verified(opening(signed, keySet), verify)
}

/** `openStatement` for whoever answers the questions. */
export function* opening({ statement, signatures }: SignedStatement, keySet: KeySet): Verifying<Uint8Array> {
  if (signatures.length > MOST_SIGNATURES)
    throw new WaryError('state-format', `a statement has at most ${MOST_SIGNATURES} signatures, not ${signatures.length}`)
  let held = 0
  let named = false
  for (const publicKey of keySet.keys) {
    const id = keyId(publicKey)
    for (const { keyId: of, signature } of signatures) {
      if (!equalBytes(of, id)) continue
      named = true
      if (signature.length !== SIGNATURE_BYTES || !(yield { publicKey, message: statement, signature })) continue
      held++
      break
    }
  }
  if (signatures.length === 0) throw new WaryError('state-key-unknown', 'nobody has signed it')
  if (!named) throw new WaryError('state-key-unknown', 'signed by a key that is not trusted here')
  if (held === 0) throw new WaryError('state-signature', 'the signature does not hold')
  if (held < keySet.threshold)
    throw new WaryError(
      'state-threshold',
      `signed by ${held} of the publisher's ${keySet.keys.length} keys, where ${keySet.threshold} are needed`,
    )
  return statement
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
