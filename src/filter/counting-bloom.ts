import { setBits } from './bit-array.ts'
import { BloomFilter, type BloomOptions } from './bloom.ts'
import { bloomDelta } from './bloom-delta.ts'
import { addToCounters, bitsOfCounters, counter, counterBytes, countersHave, takeFromCounters } from './counters.ts'
import { encodeFilter, headBytes, openFile, refuseFile, verifyFile, wholeNumber } from './encoding.ts'
import { hashKey, seedWords } from './key-hash.ts'
import type { Deletable, Insertable, Key, MembershipFilter } from './membership-filter.ts'
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

/**
 * Counting Bloom filter (Fan, Cao, Almeida, Broder 2000): a counter of 4 bits in the place of each bit, so that keys can be deleted, at
 * four times the size. It answers as the standard filter of the same m, k and seed would that has the keys left in, and `toBloom` makes
 * that filter.
 *
 * A counter that has reached 15 stays there. So no key that is in is ever denied, and some that were deleted may go on to be taken for
 * members; with up to `capacity` keys in, one counter in 10^15 gets that far. Deleting a key that is not in, but for which the filter
 * answers "maybe", takes from the counters of others, which may then be denied: delete what was added only.
 *
 * Body of the file: ceil(m / 2) bytes, counter i in byte i >> 1, in the lower four bits where i is even; an unused last half is 0.
 * Parameters: m (1 to 2^32), k (1 to 32), capacity.
 */
export class CountingBloomFilter implements MembershipFilter, Insertable, Deletable {
  readonly kind = 'counting-bloom'
  /** m: bits of the standard filter, and counters here. */
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
   * An empty filter for `capacity` keys at the false positive rate `rate`: of the fewest counters that keep it.
   * @throws {WaryError} `filter-parameter`
   */
  static create({ capacity, rate, seed = 0 }: BloomOptions): CountingBloomFilter {
    return CountingBloomFilter.ofSize({ ...optimalSize(capacity, rate), capacity, seed })
  }

  /**
   * An empty filter of just this m and k.
   * @throws {WaryError} `filter-parameter`
   */
  static ofSize(options: BloomSize & { readonly capacity: number; readonly seed?: number }): CountingBloomFilter {
    const { bits, hashes, capacity, seed = 0 } = options
    checkCapacity(capacity)
    if (!Number.isSafeInteger(bits) || bits < 1 || bits > MOST_BITS)
      refuseParameter(`a filter has 1 to ${MOST_BITS} counters, not ${bits}: split the keys over several`)
    if (!Number.isSafeInteger(hashes) || hashes < 1 || hashes > MOST_HASHES)
      refuseParameter(`a filter has 1 to ${MOST_HASHES} hash functions, not ${hashes}`)
    return new CountingBloomFilter({ bits, hashes, capacity, seed: checkedSeed(seed), count: 0, array: new Uint8Array(counterBytes(bits)) })
  }

  /**
   * The filter of a file, at once: the counters stay where they are (later changes of one change the other), and only the head is looked
   * at. What comes from elsewhere is for `verify` to read.
   * @throws {WaryError} `filter-format`
   */
  static fromBytes(file: Uint8Array): CountingBloomFilter {
    const { head, body } = openFile(file, 'counting-bloom', PARAMETERS)
    const [bits, hashes, capacity] = head.parameters.map(wholeNumber)
    if (bits === undefined || bits < 1 || bits > MOST_BITS) refuseFile(`${bits} counters are out of range`)
    if (hashes === undefined || hashes < 1 || hashes > MOST_HASHES) refuseFile(`${hashes} hash functions are out of range`)
    if (capacity === undefined || body.length !== counterBytes(bits)) refuseFile(`${bits} counters are no body of ${body.length} bytes`)
    if (bits % 2 === 1 && counter(body, bits) !== 0) refuseFile('the unused counter is not 0')
    return new CountingBloomFilter({ bits, hashes, capacity, seed: head.seed, count: head.count, array: body, file })
  }

  /** As `fromBytes`, after reading all of the file. @throws {WaryError} `filter-format` */
  static verified(file: Uint8Array): CountingBloomFilter {
    verifyFile(file)
    return CountingBloomFilter.fromBytes(file)
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
    addToCounters(this.#array, this.bits, this.hashes, a, b)
    this.#count++
    return true
  }

  delete(key: Key): boolean {
    hashKey(key, this.seed, this.#words)
    return this.#delete(this.#words[0] as number, this.#words[1] as number)
  }

  deleteHash(high: number, low: number): boolean {
    return this.#delete(seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh)
  }

  #delete(a: number, b: number): boolean {
    const taken = takeFromCounters(this.#array, this.bits, this.hashes, a, b)
    // Where keys were deleted that were not in, more may be taken out than there are.
    if (taken && this.#count > 0) this.#count--
    return taken
  }

  mightContain(key: Key): boolean {
    hashKey(key, this.seed, this.#words)
    return countersHave(this.#array, this.bits, this.hashes, this.#words[0] as number, this.#words[1] as number)
  }

  mightContainHash(high: number, low: number): boolean {
    return countersHave(this.#array, this.bits, this.hashes, seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh)
  }

  /** Share of counters that are not 0, 0 to 1. Linear in the filter's size. */
  fillRatio(): number {
    return setBits(bitsOfCounters(this.#array, this.bits)) / this.bits
  }

  /** The rate to expect with the keys that are in now, 0 to 1, also past the capacity: that of the standard filter with `count` different keys. */
  expectedRate(): number {
    return expectedRate(this, this.#count)
  }

  /**
   * How many different keys the counters speak of (Swamidass, Baldi 2007); `count` has repeats in it. Infinity where no counter is 0. Linear in
   * the filter's size.
   */
  estimatedKeys(): number {
    return keysOfFill(this, this.fillRatio())
  }

  /** The standard filter of the keys that are in, of the same m, k, seed and capacity: the same file as one that was filled with them. */
  toBloom(): BloomFilter {
    const parameters = [BigInt(this.bits), BigInt(this.hashes), BigInt(this.capacity)]
    const head = { kind: 'bloom', seed: this.seed, count: this.#count, parameters } as const
    return BloomFilter.fromBytes(encodeFilter(head, bitsOfCounters(this.#array, this.bits)))
  }

  /**
   * What turns the standard filter of an earlier state into that of this one (bloom-delta.ts): for those who hold the small filter and are
   * to get no more than its changes.
   * @throws {WaryError} `filter-parameter` where `former` has another m, k or seed
   */
  delta(former: BloomFilter | CountingBloomFilter): Uint8Array<ArrayBuffer> {
    return bloomDelta(former.kind === 'bloom' ? former : former.toBloom(), this.toBloom())
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    const parameters = [BigInt(this.bits), BigInt(this.hashes), BigInt(this.capacity)]
    return encodeFilter({ kind: 'counting-bloom', seed: this.seed, count: this.#count, parameters }, this.#array)
  }
}
