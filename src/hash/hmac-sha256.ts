import { sha256Bytes } from './sha256.ts'

const BLOCK_BYTES = 64

/** HMAC-SHA-256 (RFC 2104): 32 bytes. Synchronous. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK_BYTES)
  block.set(key.length > BLOCK_BYTES ? sha256Bytes(key) : key)
  const digest = (pad: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
    const whole = new Uint8Array(BLOCK_BYTES + bytes.length)
    whole.set(block.map((byte) => byte ^ pad))
    whole.set(bytes, BLOCK_BYTES)
    return sha256Bytes(whole)
  }
  return digest(0x5c, digest(0x36, message))
}
