import { setBits } from './bit-array.ts'
import { bytesOfKey, hasKey, setKey } from './bloom-bits.ts'
import { encodeFilter, headBytes, openFile, refuseFile, verifyFile, wholeNumber } from './encoding.ts'
import { hashKey, seedWords } from './key-hash.ts'
import { checkRoom } from './many-keys.ts'
import type { Insertable, Key, MembershipFilter } from './membership-filter.ts'
import {
  type BloomSize,
  checkCapacity,
  checkedSeed,
  expectedRate,
  keysOfFill,
  MOST_BITS,
  MOST_HASHES,
  optimalSize,
  refuseParameter,
  sizeOfBytes,
} from './parameters.ts'
import { seededHigh } from './seeded-hash.ts'

interface Parts extends BloomSize {
  readonly seed: number
  readonly capacity: number
  readonly count: number
  readonly array: Uint8Array
  readonly file?: Uint8Array
}

const PARAMETERS = 3

/** What standard, paged and counting Bloom filters are sized by. */
export interface BloomOptions {
  /** Keys to make room for. */
  readonly capacity: number
  /** The false positive rate with that many keys in, between 0 and 1. */
  readonly rate: number
  /** Any 32 bits. */
  readonly seed?: number
}

/**
 * Standard Bloom filter (Bloom 1970): k bits of m are set for each key. Body of the file: ceil(m / 8) bytes, bit i in byte i >> 3 at
 * position i & 7, unused bits of the last byte 0. Parameters: m (1 to 2^32), k (1 to 32), capacity.
 */
export class BloomFilter implements MembershipFilter, Insertable {
  readonly kind = 'bloom'
  /** m */
  readonly bits: number
  /** k */
  readonly hashes: number
  readonly seed: number
  readonly capacity: number
  readonly #array: Uint8Array
  readonly #file: Uint8Array | undefined
  readonly #seedHigh: number
  readonly #seedLow: number
  readonly #words = new Int32Array(4)
  #count: number

  private constructor(parts: Parts) {
    this.bits = parts.bits
    this.hashes = parts.hashes
    this.seed = parts.seed
    this.capacity = parts.capacity
    this.#count = parts.count
    this.#array = parts.array
    this.#file = parts.file
    const { high, low } = seedWords(parts.seed)
    this.#seedHigh = high
    this.#seedLow = low
  }

  /**
   * An empty filter for `capacity` keys at the false positive rate `rate`: of the fewest bits that keep it.
   * @throws {WaryError} `filter-parameter`
   */
  static create({ capacity, rate, seed = 0 }: BloomOptions): BloomFilter {
    return BloomFilter.ofSize({ ...optimalSize(capacity, rate), capacity, seed })
  }

  /**
   * An empty filter of `bytes` bytes of bits, with the k that suits `capacity` keys best.
   * @throws {WaryError} `filter-parameter`
   */
  static ofBytes({
    bytes,
    capacity,
    seed = 0,
  }: {
    readonly bytes: number
    readonly capacity: number
    readonly seed?: number
  }): BloomFilter {
    return BloomFilter.ofSize({ ...sizeOfBytes(bytes, capacity), capacity, seed })
  }

  /**
   * An empty filter of just this m and k.
   * @throws {WaryError} `filter-parameter`
   */
  static ofSize(options: BloomSize & { readonly capacity: number; readonly seed?: number }): BloomFilter {
    const { bits, hashes, capacity, seed = 0 } = options
    checkCapacity(capacity)
    if (!Number.isSafeInteger(bits) || bits < 1 || bits > MOST_BITS)
      refuseParameter(`a filter has 1 to ${MOST_BITS} bits, not ${bits}: split the keys over several`)
    if (!Number.isSafeInteger(hashes) || hashes < 1 || hashes > MOST_HASHES)
      refuseParameter(`a filter has 1 to ${MOST_HASHES} hash functions, not ${hashes}`)
    return new BloomFilter({ bits, hashes, capacity, seed: checkedSeed(seed), count: 0, array: new Uint8Array(Math.ceil(bits / 8)) })
  }

  /**
   * The filter of a file, at once: the bits stay where they are (later changes of one change the other), and only the head is looked at.
   * What comes from elsewhere is for `verify` to read.
   * @throws {WaryError} `filter-format`
   */
  static fromBytes(file: Uint8Array): BloomFilter {
    const { head, body } = openFile(file, 'bloom', PARAMETERS)
    const [bits, hashes, capacity] = head.parameters.map(wholeNumber)
    if (bits === undefined || bits < 1 || bits > MOST_BITS) refuseFile(`${bits} bits are out of range`)
    if (hashes === undefined || hashes < 1 || hashes > MOST_HASHES) refuseFile(`${hashes} hash functions are out of range`)
    if (capacity === undefined || body.length !== Math.ceil(bits / 8)) refuseFile(`${bits} bits do not make a body of ${body.length} bytes`)
    if (bits % 8 !== 0 && (body[body.length - 1] as number) >> (bits % 8) !== 0) refuseFile('unused bits are set')
    return new BloomFilter({ bits, hashes, capacity, seed: head.seed, count: head.count, array: body, file })
  }

  /** As `fromBytes`, after reading all of the file. @throws {WaryError} `filter-format` */
  static verified(file: Uint8Array): BloomFilter {
    verifyFile(file)
    return BloomFilter.fromBytes(file)
  }

  /**
   * Reads the file that the filter was opened from, as it is now.
   * @throws {WaryError} `filter-format` where the checksum does not hold
   */
  verify(): void {
    if (this.#file) verifyFile(this.#file)
  }

  get count(): number {
    return this.#count
  }

  get byteLength(): number {
    return headBytes(PARAMETERS) + this.#array.length
  }

  add(key: Key): true {
    hashKey(key, this.seed, this.#words)
    return this.#add(this.#words[0] as number, this.#words[1] as number)
  }

  addHash(high: number, low: number): true {
    return this.#add(seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh)
  }

  #add(a: number, b: number): true {
    setKey(this.#array, this.bits, this.hashes, a, b)
    this.#count++
    return true
  }

  mightContain(key: Key): boolean {
    hashKey(key, this.seed, this.#words)
    return hasKey(this.#array, this.bits, this.hashes, this.#words[0] as number, this.#words[1] as number)
  }

  mightContainHash(high: number, low: number): boolean {
    return hasKey(this.#array, this.bits, this.hashes, seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh)
  }

  /**
   * Asks about `count` ready hashes at once, high and low halves in turn in `ready`. The numbers of those that might be in are written to
   * `found` in ascending order.
   * @returns how many might be in
   * @throws {RangeError} `ready` or `found` too short for `count`, or more than 256 numbers for bytes
   */
  hasMany(ready: Int32Array, count: number, found: Uint8Array | Uint32Array): number {
    checkRoom(ready, count, found)
    const array = this.#array
    const { bits, hashes } = this
    const seedHigh = this.#seedHigh
    const seedLow = this.#seedLow
    let kept = 0
    for (let i = 0; i < count; i++) {
      const low = ready[2 * i + 1] as number
      if (hasKey(array, bits, hashes, seededHigh(ready[2 * i] as number, low, seedLow), low ^ seedHigh)) found[kept++] = i
    }
    return kept
  }

  /**
   * Whether any of `count` ready hashes might be in. As `hasMany`, for who need not know which.
   * @throws {RangeError} `ready` too short for `count`
   */
  hasAny(ready: Int32Array, count: number): boolean {
    checkRoom(ready, count)
    for (let i = 0; i < count; i++) if (this.mightContainHash(ready[2 * i] as number, ready[2 * i + 1] as number)) return true
    return false
  }

  /** Where in the file (`toBytes`) the bits of a ready hash are, a byte for each of the k: for whoever has the file elsewhere, in parts. */
  placesOfHash(high: number, low: number): number[] {
    const bytes = bytesOfKey(this.bits, this.hashes, seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh)
    return bytes.map((byte) => headBytes(PARAMETERS) + byte)
  }

  /** Share of bits that are set, 0 to 1. Counts them: linear in the filter's size. */
  fillRatio(): number {
    return setBits(this.#array) / this.bits
  }

  /**
   * The rate to expect with the keys that are in now, 0 to 1, also past the capacity: (1 - e^(-kn/m))^k (Bloom 1970) with n = `count`, so a
   * filter with repeats in it errs less than this says.
   */
  expectedRate(): number {
    return expectedRate(this, this.#count)
  }

  /**
   * How many different keys the set bits speak of (Swamidass, Baldi 2007); `count` has repeats in it. Infinity for a filter of ones only. Linear
   * in the filter's size.
   */
  estimatedKeys(): number {
    return keysOfFill(this, this.fillRatio())
  }

  /**
   * The filter of all keys of both: of the same m, k and seed only. `count` becomes their sum, though keys may be in both.
   * @throws {WaryError} `filter-parameter`
   */
  union(other: BloomFilter): BloomFilter {
    return this.#combined(other, this.#count + other.#count, (a, b) => a | b)
  }

  /**
   * A filter that holds every key of both, and errs about more than a filter made of those keys alone would. `count` becomes what the bits
   * speak of.
   * @throws {WaryError} `filter-parameter`
   */
  intersection(other: BloomFilter): BloomFilter {
    const both = this.#combined(other, 0, (a, b) => a & b)
    const estimate = Math.round(both.estimatedKeys())
    both.#count = Math.min(this.#count, other.#count, estimate)
    return both
  }

  #combined(other: BloomFilter, count: number, combine: (a: number, b: number) => number): BloomFilter {
    if (other.bits !== this.bits || other.hashes !== this.hashes || other.seed !== this.seed)
      refuseParameter('only filters of the same bits, hash functions and seed can be combined')
    const array = this.#array.map((byte, i) => combine(byte, other.#array[i] as number))
    return new BloomFilter({ bits: this.bits, hashes: this.hashes, seed: this.seed, capacity: this.capacity, count, array })
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    const parameters = [BigInt(this.bits), BigInt(this.hashes), BigInt(this.capacity)]
    return encodeFilter({ kind: 'bloom', seed: this.seed, count: this.#count, parameters }, this.#array)
  }
}
