import { BUCKET, type CuckooSize, cuckooFault, cuckooRate, cuckooSize } from './cuckoo-size.ts'
import { encodeFilter, headBytes, openFile, refuseFile, verifyFile, wholeNumber } from './encoding.ts'
import { hashKey, seedWords } from './key-hash.ts'
import type { Deletable, Insertable, Key, MembershipFilter } from './membership-filter.ts'
import { avalanche } from './murmur3-128.ts'
import { PackedArray } from './packed-array.ts'
import { checkCapacity, checkedSeed, refuseParameter } from './parameters.ts'
import { scaled } from './probe.ts'
import { seededHigh } from './seeded-hash.ts'

/** As in the paper. */
const MOST_KICKS = 500
/** Buckets, bits of a fingerprint, capacity. */
const PARAMETERS = 3

interface Parts extends CuckooSize {
  readonly seed: number
  readonly capacity: number
  readonly count: number
  readonly slots: PackedArray
  readonly file?: Uint8Array
}

/** More keys than `capacity` may go in or be turned away. */
export interface CuckooOptions {
  /** Keys to make room for. */
  readonly capacity: number
  /** The false positive rate with that many keys in, between 0 and 1. */
  readonly rate: number
  /** Any 32 bits. */
  readonly seed?: number
}

/**
 * Cuckoo filter (Fan, Andersen, Kaminsky, Mitzenmacher 2014): of each key a fingerprint of f bits lies in one of two buckets of four. Keys
 * can be deleted; a key can be added eight times at most, because all its copies lie in the same two buckets.
 *
 * The two buckets of a fingerprint x add up to h(x) modulo the number of buckets, so that each follows from the other, as with the paper's
 * exclusive or, but for any even number of buckets instead of powers of two (which cost up to twice the space). h(x) is odd and the number
 * even: the two are never the same bucket.
 *
 * The paper's semi-sorted buckets are left out: they save one bit of a fingerprint (8 % at a rate of 1e-3), and every look at a bucket would
 * have to decode it by way of a table, every change sort and encode it. Who wants the space has the binary fuse and the quotient filter.
 *
 * Parameters: buckets (even), f (4 to 32), capacity. Body: the slots, bucket by bucket, as a `PackedArray` of f bits each (which ends in four
 * zero bytes); 0 is an empty slot.
 */
export class CuckooFilter implements MembershipFilter, Insertable, Deletable {
  readonly kind = 'cuckoo'
  readonly buckets: number
  /** f */
  readonly fingerprintBits: number
  readonly seed: number
  readonly capacity: number
  readonly #slots: PackedArray
  readonly #file: Uint8Array | undefined
  readonly #fingerprints: number
  readonly #seedHigh: number
  readonly #seedLow: number
  readonly #words = new Int32Array(4)
  readonly #path = new Int32Array(MOST_KICKS)
  #count: number

  private constructor(parts: Parts) {
    this.buckets = parts.buckets
    this.fingerprintBits = parts.fingerprintBits
    this.seed = parts.seed
    this.capacity = parts.capacity
    this.#count = parts.count
    this.#slots = parts.slots
    this.#file = parts.file
    this.#fingerprints = 2 ** parts.fingerprintBits - 1
    const { high, low } = seedWords(parts.seed)
    this.#seedHigh = high
    this.#seedLow = low
  }

  /**
   * An empty filter that takes `capacity` different keys (but for ill luck, see cuckoo-size.ts) and then errs at `rate` at most.
   * @throws {WaryError} `filter-parameter`
   */
  static create({ capacity, rate, seed = 0 }: CuckooOptions): CuckooFilter {
    return CuckooFilter.ofSize({ ...cuckooSize(capacity, rate), capacity, seed })
  }

  /**
   * An empty filter of just this size.
   * @throws {WaryError} `filter-parameter`
   */
  static ofSize(options: CuckooSize & { readonly capacity: number; readonly seed?: number }): CuckooFilter {
    const { buckets, fingerprintBits, capacity, seed = 0 } = options
    checkCapacity(capacity)
    const fault = cuckooFault(options)
    if (fault !== undefined) refuseParameter(fault)
    const slots = PackedArray.empty(buckets * BUCKET, fingerprintBits)
    return new CuckooFilter({ buckets, fingerprintBits, capacity, seed: checkedSeed(seed), count: 0, slots })
  }

  /**
   * The filter of a file, at once: the slots stay where they are (later changes of one change the other), and only the head is looked at.
   * What comes from elsewhere is for `verified` to read.
   * @throws {WaryError} `filter-format`
   */
  static fromBytes(file: Uint8Array): CuckooFilter {
    const { head, body } = openFile(file, 'cuckoo', PARAMETERS)
    const [buckets = 0, fingerprintBits = 0, capacity = 0] = head.parameters.map(wholeNumber)
    const fault = cuckooFault({ buckets, fingerprintBits })
    if (fault !== undefined) refuseFile(fault)
    const length = buckets * BUCKET
    if (body.length !== PackedArray.byteLength(length, fingerprintBits))
      refuseFile(`${buckets} buckets of ${fingerprintBits} bits do not make a body of ${body.length} bytes`)
    if (head.count > length) refuseFile(`${head.count} keys are in ${length} slots`)
    const slots = new PackedArray(body, length, fingerprintBits)
    if (!slots.isPadded()) refuseFile('unused bits are set')
    return new CuckooFilter({ buckets, fingerprintBits, seed: head.seed, capacity, count: head.count, slots, file })
  }

  /** As `fromBytes`, after reading all of the file. @throws {WaryError} `filter-format` */
  static verified(file: Uint8Array): CuckooFilter {
    verifyFile(file)
    const filter = CuckooFilter.fromBytes(file)
    let used = 0
    for (let i = 0; i < filter.#slots.length; i++) if (filter.#slots.get(i) !== 0) used++
    if (used !== filter.#count) refuseFile(`${used} slots are used for ${filter.#count} keys`)
    return filter
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
    return headBytes(PARAMETERS) + this.#slots.bytes.length
  }

  add(key: Key): boolean {
    hashKey(key, this.seed, this.#words)
    return this.#add(this.#words[0] as number, this.#words[1] as number)
  }

  addHash(high: number, low: number): boolean {
    return this.#add(seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh)
  }

  mightContain(key: Key): boolean {
    hashKey(key, this.seed, this.#words)
    return this.#slotOf(this.#words[0] as number, this.#words[1] as number) >= 0
  }

  mightContainHash(high: number, low: number): boolean {
    return this.#slotOf(seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh) >= 0
  }

  delete(key: Key): boolean {
    hashKey(key, this.seed, this.#words)
    return this.#delete(this.#words[0] as number, this.#words[1] as number)
  }

  deleteHash(high: number, low: number): boolean {
    return this.#delete(seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh)
  }

  #add(high: number, low: number): boolean {
    const fingerprint = this.#fingerprint(low)
    const bucket = scaled(high, this.buckets)
    const other = this.#otherBucket(bucket, fingerprint)
    let free = this.#find(bucket, 0)
    if (free < 0) free = this.#find(other, 0)
    if (free >= 0) this.#slots.set(free, fingerprint)
    else if (!this.#makeRoom(other, fingerprint, high)) return false
    this.#count++
    return true
  }

  /**
   * Puts `fingerprint` in the place of another, that in its other bucket or in turn in the place of another there, and so on. Without success
   * it goes all the way back: a filter that turns a key away has the same bytes as before.
   * @param random the start of the sequence that chooses: the key's own hash, so that the same keys make the same bytes everywhere, in a
   *   filter that was read from a file too
   */
  #makeRoom(from: number, fingerprint: number, random: number): boolean {
    const path = this.#path
    let bucket = from
    let held = fingerprint
    let state = random
    for (let i = 0; i < MOST_KICKS; i++) {
      // Two bits of the linear congruential generator of Numerical Recipes: the highest, as the others have short periods.
      state = (Math.imul(state, 1664525) + 1013904223) | 0
      const slot = bucket * BUCKET + (state >>> 30)
      path[i] = slot
      held = this.#exchange(slot, held)
      bucket = this.#otherBucket(bucket, held)
      const free = this.#find(bucket, 0)
      if (free < 0) continue
      this.#slots.set(free, held)
      return true
    }
    for (let i = MOST_KICKS - 1; i >= 0; i--) held = this.#exchange(path[i] as number, held)
    return false
  }

  #exchange(slot: number, fingerprint: number): number {
    const former = this.#slots.get(slot)
    this.#slots.set(slot, fingerprint)
    return former
  }

  #delete(high: number, low: number): boolean {
    const slot = this.#slotOf(high, low)
    if (slot < 0) return false
    this.#slots.set(slot, 0)
    this.#count--
    return true
  }

  #slotOf(high: number, low: number): number {
    const fingerprint = this.#fingerprint(low)
    const bucket = scaled(high, this.buckets)
    const slot = this.#find(bucket, fingerprint)
    return slot < 0 ? this.#find(this.#otherBucket(bucket, fingerprint), fingerprint) : slot
  }

  /** 1 to 2^f - 1, all equally likely. */
  #fingerprint(low: number): number {
    return (scaled(low, this.#fingerprints) + 1) | 0
  }

  #otherBucket(bucket: number, fingerprint: number): number {
    const other = 2 * scaled(avalanche(fingerprint), this.buckets / 2) + 1 - bucket
    return other < 0 ? other + this.buckets : other
  }

  /** The slot of `bucket` that has this fingerprint, or with 0 a free one; -1 if there is none. */
  #find(bucket: number, fingerprint: number): number {
    const slots = this.#slots
    const first = bucket * BUCKET
    if (slots.get(first) === fingerprint) return first
    if (slots.get(first + 1) === fingerprint) return first + 1
    if (slots.get(first + 2) === fingerprint) return first + 2
    if (slots.get(first + 3) === fingerprint) return first + 3
    return -1
  }

  /** The rate to expect with the keys that are in now, 0 to 1 (cuckoo-size.ts). */
  expectedRate(): number {
    return cuckooRate(this, this.#count)
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    const parameters = [BigInt(this.buckets), BigInt(this.fingerprintBits), BigInt(this.capacity)]
    return encodeFilter({ kind: 'cuckoo', seed: this.seed, count: this.#count, parameters }, this.#slots.bytes)
  }
}
