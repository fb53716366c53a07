import { bigEndian32 } from '../bytes.ts'
import type { Steps } from '../steps.ts'

/** FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
// biome-ignore format: a table
const K = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
])
/** 5.3.3: the same of the square roots of the first eight primes. */
const START = new Int32Array([0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19])
const BLOCK = 64
/** Takes less than a millisecond. */
const BYTES_A_STEP = 64 * 1024

const schedule = new Int32Array(64)
const state = new Int32Array(8)

/**
 * SHA-256 (FIPS 180-4) of `bytes[start, end)`, its eight words (big-endian, signed) to `out` from `at` on. Allocates nothing: an expression is
 * one block mostly, and of a general library's time for one block two thirds are spent around it. Tests hold it to @noble/hashes.
 */
export function sha256(bytes: Uint8Array, start: number, end: number, out: Int32Array, at: number): void {
  for (let i = 0; i < 8; i++) state[i] = START[i] as number
  finish(bytes, start, end, end - start, out, at)
}

/** Whole blocks of `bytes[start, end)` into `state`. Answers where the rest begins. */
function compressBlocks(bytes: Uint8Array, start: number, end: number): number {
  let from = start
  for (; end - from >= BLOCK; from += BLOCK) {
    for (let i = 0; i < 16; i++) schedule[i] = bigEndian32(bytes, from + 4 * i)
    compress()
  }
  return from
}

/** The last of a message of `length` bytes, from `state` to its digest. */
function finish(bytes: Uint8Array, start: number, end: number, length: number, out: Int32Array, at: number): void {
  const from = compressBlocks(bytes, start, end)
  const rest = end - from
  const whole = rest >> 2
  for (let i = 0; i < whole; i++) schedule[i] = bigEndian32(bytes, from + 4 * i)
  // 5.1.1: the bit after the last byte is set, the last two words are the length in bits.
  let last = 0
  for (let i = 4 * whole; i < rest; i++) last = (last << 8) | (bytes[from + i] as number)
  schedule[whole] = ((last << 8) | 0x80) << (8 * (3 - (rest & 3)))
  for (let i = whole + 1; i < 16; i++) schedule[i] = 0
  if (whole >= 14) {
    compress()
    schedule.fill(0, 0, 14)
  }
  schedule[14] = Math.floor(length / 0x20000000)
  schedule[15] = length << 3
  compress()
  for (let i = 0; i < 8; i++) out[at + i] = state[i] as number
}

/** The 32 bytes of SHA-256 of all of `bytes`. */
export function sha256Bytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const words = new Int32Array(8)
  sha256(bytes, 0, bytes.length, words, 0)
  return digestOf(words)
}

/** As `sha256Bytes`, in steps: of tens of megabytes. */
export function* hashing(bytes: Uint8Array): Steps<Uint8Array<ArrayBuffer>> {
  const words = START.slice()
  let at = 0
  for (; bytes.length - at >= BYTES_A_STEP; at += BYTES_A_STEP) {
    // Between two steps others hash.
    state.set(words)
    compressBlocks(bytes, at, at + BYTES_A_STEP)
    words.set(state)
    yield
  }
  state.set(words)
  finish(bytes, at, bytes.length, bytes.length, words, 0)
  return digestOf(words)
}

function digestOf(words: Int32Array): Uint8Array<ArrayBuffer> {
  const digest = new Uint8Array(32)
  const view = new DataView(digest.buffer)
  for (let i = 0; i < 8; i++) view.setInt32(4 * i, words[i] as number)
  return digest
}

/** 6.2.2 of one block, whose 16 words are in `schedule`. Eight rounds a turn: the eight names then stand again where they began, and nothing is moved. */
function compress(): void {
  for (let i = 16; i < 64; i++) {
    const x = schedule[i - 15] as number
    const y = schedule[i - 2] as number
    const sigma0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const sigma1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    schedule[i] = ((schedule[i - 16] as number) + sigma0 + (schedule[i - 7] as number) + sigma1) | 0
  }
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  let e = state[4] as number
  let f = state[5] as number
  let g = state[6] as number
  let h = state[7] as number
  for (let i = 0; i < 64; i += 8) {
    h = (h + bigSigma1(e) + choose(e, f, g) + (K[i] as number) + (schedule[i] as number)) | 0
    d = (d + h) | 0
    h = (h + bigSigma0(a) + majority(a, b, c)) | 0
    g = (g + bigSigma1(d) + choose(d, e, f) + (K[i + 1] as number) + (schedule[i + 1] as number)) | 0
    c = (c + g) | 0
    g = (g + bigSigma0(h) + majority(h, a, b)) | 0
    f = (f + bigSigma1(c) + choose(c, d, e) + (K[i + 2] as number) + (schedule[i + 2] as number)) | 0
    b = (b + f) | 0
    f = (f + bigSigma0(g) + majority(g, h, a)) | 0
    e = (e + bigSigma1(b) + choose(b, c, d) + (K[i + 3] as number) + (schedule[i + 3] as number)) | 0
    a = (a + e) | 0
    e = (e + bigSigma0(f) + majority(f, g, h)) | 0
    d = (d + bigSigma1(a) + choose(a, b, c) + (K[i + 4] as number) + (schedule[i + 4] as number)) | 0
    h = (h + d) | 0
    d = (d + bigSigma0(e) + majority(e, f, g)) | 0
    c = (c + bigSigma1(h) + choose(h, a, b) + (K[i + 5] as number) + (schedule[i + 5] as number)) | 0
    g = (g + c) | 0
    c = (c + bigSigma0(d) + majority(d, e, f)) | 0
    b = (b + bigSigma1(g) + choose(g, h, a) + (K[i + 6] as number) + (schedule[i + 6] as number)) | 0
    f = (f + b) | 0
    b = (b + bigSigma0(c) + majority(c, d, e)) | 0
    a = (a + bigSigma1(f) + choose(f, g, h) + (K[i + 7] as number) + (schedule[i + 7] as number)) | 0
    e = (e + a) | 0
    a = (a + bigSigma0(b) + majority(b, c, d)) | 0
  }
  state[0] = (state[0] as number) + a
  state[1] = (state[1] as number) + b
  state[2] = (state[2] as number) + c
  state[3] = (state[3] as number) + d
  state[4] = (state[4] as number) + e
  state[5] = (state[5] as number) + f
  state[6] = (state[6] as number) + g
  state[7] = (state[7] as number) + h
}

function bigSigma0(a: number): number {
  return ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
}

function bigSigma1(e: number): number {
  return ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
}

function choose(e: number, f: number, g: number): number {
  return g ^ (e & (f ^ g))
}

function majority(a: number, b: number, c: number): number {
  return (a & b) ^ (c & (a ^ b))
}
