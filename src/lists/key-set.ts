import { compareBytes } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { sha256Bytes } from '../hash/sha256.ts'
import { encodeStatement, StatementReader } from './statement.ts'

export const KEY_SET_TAG = 'wary-key-set-v1'
export const MOST_KEYS = 16
export const PUBLIC_KEY_BYTES = 32

/** Who may sign for a publisher: any `threshold` of the keys (docs/protocol.md, "Key sets"). */
export interface KeySet {
  /** From 1 on; each rotation raises it by one. */
  readonly version: number
  /** How many different keys must sign, 1 to the number of keys. */
  readonly threshold: number
  /** 1 to 16 raw Ed25519 public keys of 32 bytes, ascending as bytes, no two alike. */
  readonly keys: readonly Uint8Array[]
}

/**
 * A key set of public keys in any order.
 * @throws {WaryError} `key-set` that says what is wrong: a key twice, too many keys, a threshold that they cannot reach
 */
export function makeKeySet(version: number, threshold: number, publicKeys: readonly Uint8Array[]): KeySet {
  const set = { version, threshold, keys: [...publicKeys].sort(compareBytes) }
  const fault = keySetFault(set)
  if (fault !== undefined) throw new WaryError('key-set', fault)
  return set
}

/** The set of a publisher with one key, as which a public key alone is read. @throws {WaryError} `key-set` */
export function singleKey(publicKey: Uint8Array): KeySet {
  return makeKeySet(1, 1, [publicKey])
}

/** What keeps `set` from being a key set, in words; undefined where nothing does. */
function keySetFault({ version, threshold, keys }: KeySet): string | undefined {
  if (!Number.isSafeInteger(version) || version < 1) return `a key set cannot have the version ${version}`
  if (keys.length < 1 || keys.length > MOST_KEYS) return `a key set has 1 to ${MOST_KEYS} keys, not ${keys.length}`
  if (!Number.isSafeInteger(threshold) || threshold < 1 || threshold > keys.length)
    return `${keys.length === 1 ? 'one key' : `${keys.length} keys`} cannot give ${threshold} signatures`
  const short = keys.find((key) => key.length !== PUBLIC_KEY_BYTES)
  if (short) return `a public key has ${short.length} bytes instead of ${PUBLIC_KEY_BYTES}`
  for (let i = 1; i < keys.length; i++) {
    const order = compareBytes(keys[i - 1] as Uint8Array, keys[i] as Uint8Array)
    if (order === 0) return 'a key set has the same key twice'
    if (order > 0) return 'the keys of a key set are not in order'
  }
  return undefined
}

/** The bytes that are signed and that the fingerprint is of. @throws {WaryError} `state-format` for what `decodeKeySet` would refuse */
export function encodeKeySet(set: KeySet): Uint8Array<ArrayBuffer> {
  const fault = keySetFault(set)
  if (fault !== undefined) throw new WaryError('state-format', fault)
  return encodeStatement(KEY_SET_TAG, [set.version, set.threshold, set.keys.length, ...set.keys])
}

/** @throws {WaryError} `state-format` for anything that `encodeKeySet` does not make */
export function decodeKeySet(statement: Uint8Array): KeySet {
  const reader = new StatementReader(KEY_SET_TAG, statement)
  const version = reader.number()
  const threshold = reader.number()
  const count = reader.number()
  if (count > MOST_KEYS) throw new WaryError('state-format', `a key set has 1 to ${MOST_KEYS} keys, not ${count}`)
  const keys = Array.from({ length: count }, () => reader.hash())
  reader.end()
  const set = { version, threshold, keys }
  const fault = keySetFault(set)
  if (fault !== undefined) throw new WaryError('state-format', fault)
  return set
}

/** What a subscribe link carries: SHA-256 of the statement, 32 bytes. One set has one fingerprint, and no two sets share one. */
export function keySetFingerprint(set: KeySet): Uint8Array {
  return sha256Bytes(encodeKeySet(set))
}
