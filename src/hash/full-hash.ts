import { WaryError } from '../errors.ts'
import { sha256Bytes } from './sha256.ts'

/** SHA-256 of an expression: 32 bytes (Safe Browsing v5, "Hash computations"). */
export type FullHash = Uint8Array & { readonly fullHash: unique symbol }

const encoder = new TextEncoder()

/** The full hash of an expression such as `host.example/path`. Synchronous: cheaper than crypto.subtle for a page's few expressions. */
export function fullHash(expression: string): FullHash {
  return sha256Bytes(encoder.encode(expression)) as FullHash
}

/** @throws {WaryError} `list-format` unless `bytes` has 32 bytes */
export function asFullHash(bytes: Uint8Array): FullHash {
  if (bytes.length !== 32) throw new WaryError('list-format', `a full hash has 32 bytes, not ${bytes.length}`)
  return bytes as FullHash
}
