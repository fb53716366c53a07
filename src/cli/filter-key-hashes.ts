import { endianness } from 'node:os'
import { hashKey, seedWords } from '../filter/key-hash.ts'
import type { Key } from '../filter/membership-filter.ts'
import { readyOf, seededHigh } from '../filter/seeded-hash.ts'

/** By the highest bits of a hash: sorted one by one, the buckets are sorted as a whole, and none is ever copied as a whole. */
const BUCKET_BITS = 8
const FIRST_ROOM = 64
/** Of a 64-bit number, where its halves are among the 32-bit numbers of the same memory. */
const HIGH = endianness() === 'LE' ? 1 : 0
const LOW = 1 - HIGH

/**
 * The hashes of many keys, each once: 8 to 16 bytes a key instead of the key itself. A filter sees no more of a key than these 64 bits,
 * so two keys that share them (one pair among 100 million: three chances in 10,000) are the same key to every filter, whether told apart here
 * or not. `addHash` of them makes the filter that `add` of the keys makes.
 */
export class KeyHashes {
  readonly #buckets = Array.from({ length: 1 << BUCKET_BITS }, () => new Bucket())
  readonly #seed: number
  readonly #seedWords: { readonly high: number; readonly low: number }
  readonly #words = new Int32Array(4)

  /** @param seed of the filter to be made */
  constructor(seed: number) {
    this.#seed = seed
    this.#seedWords = seedWords(seed)
  }

  add(key: Key): void {
    hashKey(key, this.#seed, this.#words)
    this.#push(this.#words[0] as number, this.#words[1] as number)
  }

  addHash(high: number, low: number): void {
    this.#push(seededHigh(high, low, this.#seedWords.low), low ^ this.#seedWords.high)
  }

  #push(a: number, b: number): void {
    this.#buckets[a >>> (32 - BUCKET_BITS)]?.push(a, b)
  }

  /** Sorts what is there and drops what is repeated. @returns how many are left */
  settle(): number {
    let count = 0
    for (const bucket of this.#buckets) count += bucket.settle()
    return count
  }

  /** Each as a ready hash; after `settle` in the order of the words that the filter places keys by, so that equal sets make equal files. */
  *entries(): Generator<readonly [high: number, low: number], void, undefined> {
    for (const bucket of this.#buckets)
      for (let i = 0; i < bucket.length; i++) yield readyOf(bucket.high(i), bucket.low(i), this.#seedWords)
  }

  /** The same in one array, high and low halves in turn. @param count of them, as `settle` has it */
  packed(count: number): Int32Array {
    const halves = new Int32Array(2 * count)
    let at = 0
    for (const [high, low] of this.entries()) {
      halves[at++] = high
      halves[at++] = low
    }
    return halves
  }
}

class Bucket {
  length = 0
  #hashes = new BigUint64Array(FIRST_ROOM)
  #halves = new Uint32Array(this.#hashes.buffer)

  push(high: number, low: number): void {
    if (this.length === this.#hashes.length) {
      const larger = new BigUint64Array(this.length * 2)
      larger.set(this.#hashes)
      this.#hashes = larger
      this.#halves = new Uint32Array(larger.buffer)
    }
    const at = 2 * this.length++
    this.#halves[at + HIGH] = high
    this.#halves[at + LOW] = low
  }

  high(i: number): number {
    return this.#halves[2 * i + HIGH] as number
  }

  low(i: number): number {
    return this.#halves[2 * i + LOW] as number
  }

  settle(): number {
    this.#hashes.subarray(0, this.length).sort()
    const halves = this.#halves
    let kept = 0
    for (let i = 0; i < this.length; i++) {
      const high = this.high(i)
      const low = this.low(i)
      if (kept > 0 && this.high(kept - 1) === high && this.low(kept - 1) === low) continue
      halves[2 * kept + HIGH] = high
      halves[2 * kept + LOW] = low
      kept++
    }
    this.length = kept
    return kept
  }
}
