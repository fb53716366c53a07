import { createPublicKey, verify } from 'node:crypto'
import { concatBytes } from '../bytes.ts'

/** Ed25519 public keys in DER end in their 32 raw bytes (RFC 8410); this is what stands before them. */
const SPKI_HEADER = Uint8Array.from([0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00])

/** Whether `signature` (64 bytes) is that of `publicKey` (32 raw bytes) over `message`. */
export function verifiesEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.from(concatBytes([SPKI_HEADER, publicKey])), format: 'der', type: 'spki' })
  return verify(null, message, key, signature)
}
