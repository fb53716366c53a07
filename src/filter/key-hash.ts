import { hashAscii } from './ascii-hash.ts'
import { checkBytes } from './byte-check.ts'
import type { Key } from './membership-filter.ts'
import { BLOCK, murmur3x128 } from './murmur3-128.ts'

const encoder = new TextEncoder()
/**
 * From this many characters on the encoder is faster, in one engine or the other (Node.js: from 50 on, Chromium: from 110, Firefox: never).
 */
const LONG = 96
/** Bytes and texts whose UTF-8 needs at most so many bytes are hashed in place of their own here, not in an array made for them. */
const COPIED = 3072
const scratch = new Uint8Array(COPIED + BLOCK)
const view = new DataView(scratch.buffer)

/** Golden ratio in 32 bits: makes a second number of a filter's seed. */
const GOLDEN = 0x9e3779b9

/**
 * Writes the MurmurHash3 x86_128 of `key` as UTF-8 to `out`, four signed words. Every filter places keys by the first two.
 * @throws {TypeError} for what is neither text nor bytes: all of that would be one and the same key
 */
export function hashKey(key: Key, seed: number, out: Int32Array): void {
  if (typeof key !== 'string') hashBytes(key, seed, out)
  else if (key.length < LONG && hashAscii(key, seed, out)) return
  else if (key.length * 3 > COPIED) hashBytes(encoder.encode(key), seed, out)
  else hashScratch(encoder.encodeInto(key, scratch).written, seed, out)
}

function hashBytes(bytes: Uint8Array, seed: number, out: Int32Array): void {
  checkBytes(bytes, 'a key that is no text')
  const { length } = bytes
  if (length <= COPIED) {
    scratch.set(bytes)
    hashScratch(length, seed, out)
    return
  }
  const copy = new Uint8Array(length + BLOCK)
  copy.set(bytes)
  murmur3x128(new DataView(copy.buffer), length, seed, out)
}

function hashScratch(length: number, seed: number, out: Int32Array): void {
  for (let at = length; at < length + BLOCK; at += 4) view.setInt32(at, 0)
  murmur3x128(view, length, seed, out)
}

/** A ready hash was made without the filter's seed; these two numbers are laid over it, so that filters of different seeds still differ. */
export function seedWords(seed: number): { readonly high: number; readonly low: number } {
  return { high: seed | 0, low: Math.imul(seed + 1, GOLDEN) }
}
