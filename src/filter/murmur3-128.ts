/** Bytes that are mixed in at a time. */
export const BLOCK = 16

/**
 * MurmurHash3 x86_128 (Austin Appleby, public domain, smhasher/src/MurmurHash3.cpp) of the first `length` bytes of `view`, as four signed
 * words in `out`. This variant because it needs no product wider than 32 bits, and because its 64 bits are made of the key in one go: two
 * 32-bit hashes of two seeds tend to collide together.
 * @param view must hold zeros behind those bytes, up to a multiple of 16: missing bytes count as zeros, so ends need no care
 * @param seed any 32 bits
 */
export function murmur3x128(view: DataView, length: number, seed: number, out: Int32Array): void {
  let h1 = seed | 0
  let h2 = h1
  let h3 = h1
  let h4 = h1
  const whole = length & -BLOCK
  for (let at = 0; at < whole; at += BLOCK) {
    h1 ^= mixed1(view.getInt32(at, true))
    h1 = (Math.imul(((h1 << 19) | (h1 >>> 13)) + h2, 5) + 0x561ccd1b) | 0
    h2 ^= mixed2(view.getInt32(at + 4, true))
    h2 = (Math.imul(((h2 << 17) | (h2 >>> 15)) + h3, 5) + 0x0bcaa747) | 0
    h3 ^= mixed3(view.getInt32(at + 8, true))
    h3 = (Math.imul(((h3 << 15) | (h3 >>> 17)) + h4, 5) + 0x96cd1c35) | 0
    h4 ^= mixed4(view.getInt32(at + 12, true))
    h4 = (Math.imul(((h4 << 13) | (h4 >>> 19)) + h1, 5) + 0x32ac3b17) | 0
  }
  if (whole < length) {
    h1 ^= mixed1(view.getInt32(whole, true))
    h2 ^= mixed2(view.getInt32(whole + 4, true))
    h3 ^= mixed3(view.getInt32(whole + 8, true))
    h4 ^= mixed4(view.getInt32(whole + 12, true))
  }
  finish(h1, h2, h3, h4, length, out)
}

/**
 * The words of a block, as they go into the four words of state. With literal numbers, because V8 reads a module's constants from memory,
 * those above 2^31 as doubles: that alone makes hashing a quarter slower.
 */
export function mixed1(k: number): number {
  const product = Math.imul(k, 0x239b961b)
  return Math.imul((product << 15) | (product >>> 17), 0xab0e9789)
}

/** As `mixed1`, of a block's second word. */
export function mixed2(k: number): number {
  const product = Math.imul(k, 0xab0e9789)
  return Math.imul((product << 16) | (product >>> 16), 0x38b34ae5)
}

/** As `mixed1`, of the third. */
export function mixed3(k: number): number {
  const product = Math.imul(k, 0x38b34ae5)
  return Math.imul((product << 17) | (product >>> 15), 0xa1e38b93)
}

/** As `mixed1`, of the fourth. */
export function mixed4(k: number): number {
  const product = Math.imul(k, 0xa1e38b93)
  return Math.imul((product << 18) | (product >>> 14), 0x239b961b)
}

/** The hash of a state that has all words of a key of `length` bytes in it. */
export function finish(word1: number, word2: number, word3: number, word4: number, length: number, out: Int32Array): void {
  let h1 = word1 ^ length
  let h2 = word2 ^ length
  let h3 = word3 ^ length
  let h4 = word4 ^ length
  h1 = (h1 + h2 + h3 + h4) | 0
  h2 = avalanche(h2 + h1)
  h3 = avalanche(h3 + h1)
  h4 = avalanche(h4 + h1)
  h1 = (avalanche(h1) + h2 + h3 + h4) | 0
  out[0] = h1
  out[1] = h2 + h1
  out[2] = h3 + h1
  out[3] = h4 + h1
}

/** fmix32: every bit of the input reaches every bit of the outcome, and no two inputs have the same one. */
export function avalanche(value: number): number {
  let h = value
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return h ^ (h >>> 16)
}
