/** Constants of MurmurHash3_x86_128 (Austin Appleby, public domain, smhasher/src/MurmurHash3.cpp). */
const C1 = 0x239b961b
const C2 = 0xab0e9789
const C3 = 0x38b34ae5
const C4 = 0xa1e38b93

/** Takes 16 bytes, as four little-endian words, into `state`. */
export function mixBlock(state: Int32Array, k1: number, k2: number, k3: number, k4: number): void {
  let h1 = state[0] as number
  let h2 = state[1] as number
  let h3 = state[2] as number
  let h4 = state[3] as number
  h1 ^= mixed(k1, C1, C2, 15)
  h1 = (Math.imul(((h1 << 19) | (h1 >>> 13)) + h2, 5) + 0x561ccd1b) | 0
  h2 ^= mixed(k2, C2, C3, 16)
  h2 = (Math.imul(((h2 << 17) | (h2 >>> 15)) + h3, 5) + 0x0bcaa747) | 0
  h3 ^= mixed(k3, C3, C4, 17)
  h3 = (Math.imul(((h3 << 15) | (h3 >>> 17)) + h4, 5) + 0x96cd1c35) | 0
  h4 ^= mixed(k4, C4, C1, 18)
  h4 = (Math.imul(((h4 << 13) | (h4 >>> 19)) + h1, 5) + 0x32ac3b17) | 0
  state[0] = h1
  state[1] = h2
  state[2] = h3
  state[3] = h4
}

/** Takes the bytes behind the last whole block, filled up with zeros, and makes the hash of `state`. */
export function finish(state: Int32Array, k1: number, k2: number, k3: number, k4: number, length: number): void {
  let h1 = (state[0] as number) ^ mixed(k1, C1, C2, 15) ^ length
  let h2 = (state[1] as number) ^ mixed(k2, C2, C3, 16) ^ length
  let h3 = (state[2] as number) ^ mixed(k3, C3, C4, 17) ^ length
  let h4 = (state[3] as number) ^ mixed(k4, C4, C1, 18) ^ length
  h1 = (h1 + h2 + h3 + h4) | 0
  h2 = avalanche(h2 + h1)
  h3 = avalanche(h3 + h1)
  h4 = avalanche(h4 + h1)
  h1 = (avalanche(h1) + h2 + h3 + h4) | 0
  state[0] = h1
  state[1] = h2 + h1
  state[2] = h3 + h1
  state[3] = h4 + h1
}

function mixed(k: number, first: number, second: number, turn: number): number {
  const product = Math.imul(k, first)
  return Math.imul((product << turn) | (product >>> (32 - turn)), second)
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
