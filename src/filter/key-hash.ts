import type { Key } from './membership-filter.ts'
import { finish, mixBlock } from './murmur3-128.ts'

const encoder = new TextEncoder()
/** Text up to this many characters is encoded here, not to an array of its own. */
const LONGEST_COPY = 256
const scratch = new Uint8Array(LONGEST_COPY * 3)

/** Golden ratio in 32 bits: makes a second number of a filter's seed. */
const GOLDEN = 0x9e3779b9

/**
 * Writes the hash of `key` as UTF-8 to `out`, four signed words of MurmurHash3 x86_128. Every filter places keys by the first two.
 */
export function hashKey(key: Key, seed: number, out: Int32Array): void {
  if (typeof key !== 'string') hashBytes(key, key.length, seed, out)
  else if (!hashAscii(key, seed, out)) hashEncoded(key, seed, out)
}

function hashEncoded(key: string, seed: number, out: Int32Array): void {
  if (key.length <= LONGEST_COPY) hashBytes(scratch, encoder.encodeInto(key, scratch).written, seed, out)
  else {
    const bytes = encoder.encode(key)
    hashBytes(bytes, bytes.length, seed, out)
  }
}

/**
 * Keys are ASCII nearly always, and short: straight from the text is twice as fast as by way of the encoder.
 * @returns false, and nothing of use in `out`, where `key` is not ASCII
 */
function hashAscii(key: string, seed: number, out: Int32Array): boolean {
  const { length } = key
  const whole = length & -16
  out.fill(seed)
  let seen = 0
  for (let at = 0; at < whole; at += 16) {
    const a = key.charCodeAt(at) | (key.charCodeAt(at + 1) << 8) | (key.charCodeAt(at + 2) << 16) | (key.charCodeAt(at + 3) << 24)
    const b = key.charCodeAt(at + 4) | (key.charCodeAt(at + 5) << 8) | (key.charCodeAt(at + 6) << 16) | (key.charCodeAt(at + 7) << 24)
    const c = key.charCodeAt(at + 8) | (key.charCodeAt(at + 9) << 8) | (key.charCodeAt(at + 10) << 16) | (key.charCodeAt(at + 11) << 24)
    const d = key.charCodeAt(at + 12) | (key.charCodeAt(at + 13) << 8) | (key.charCodeAt(at + 14) << 16) | (key.charCodeAt(at + 15) << 24)
    seen |= a | b | c | d
    mixBlock(out, a, b, c, d)
  }
  finish(out, asciiWord(key, whole, length), asciiWord(key, whole + 4, length), asciiWord(key, whole + 8, length), asciiWord(key, whole + 12, length), length)
  return true
}

function asciiWord(key: string, at: number, end: number): number {
  if (at + 4 <= end) return key.charCodeAt(at) | (key.charCodeAt(at + 1) << 8) | (key.charCodeAt(at + 2) << 16) | (key.charCodeAt(at + 3) << 24)
  let w = 0
  for (let i = end - 1; i >= at; i--) w = (w << 8) | key.charCodeAt(i)
  return w
}

function hashBytes(bytes: Uint8Array, length: number, seed: number, out: Int32Array): void {
  const whole = length & -16
  out.fill(seed)
  for (let at = 0; at < whole; at += 16) mixBlock(out, word(bytes, at), word(bytes, at + 4), word(bytes, at + 8), word(bytes, at + 12))
  finish(out, tail(bytes, whole, length), tail(bytes, whole + 4, length), tail(bytes, whole + 8, length), tail(bytes, whole + 12, length), length)
}

/** Four bytes, little-endian. */
function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24)
}

/** As `word`, of the bytes before `end`. */
function tail(bytes: Uint8Array, at: number, end: number): number {
  if (at + 4 <= end) return word(bytes, at)
  let value = 0
  for (let i = end - 1; i >= at; i--) value = (value << 8) | (bytes[i] as number)
  return value
}

/** A ready hash was made without the filter's seed; these two numbers are laid over it, so that filters of different seeds still differ. */
export function seedWords(seed: number): { readonly high: number; readonly low: number } {
  return { high: seed | 0, low: Math.imul(seed, GOLDEN) }
}
