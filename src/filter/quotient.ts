import { encodeFilter, headBytes, openFile, refuseFile, verifyFile, wholeNumber } from './encoding.ts'
import { hashKey, seedWords } from './key-hash.ts'
import type { Deletable, Insertable, Key, MembershipFilter } from './membership-filter.ts'
import { checkedSeed, refuseParameter } from './parameters.ts'
import { mostKeys, type QuotientSize, quotientBitsFor, quotientFault, quotientRate, quotientSize } from './quotient-size.ts'
import { QuotientTable } from './quotient-table.ts'
import { checkTable } from './quotient-table-check.ts'
import { seededHigh } from './seeded-hash.ts'

/** q, r */
const PARAMETERS = 2

/** The capacity is rounded up to what the next power of two of slots takes. */
export interface QuotientOptions {
  /** Keys to make room for. */
  readonly capacity: number
  /** The false positive rate with that many keys in, between 0 and 1. */
  readonly rate: number
  /** Any 32 bits. */
  readonly seed?: number
}

/**
 * Quotient filter (Bender et al. 2012, "Don't Thrash: How to Cache Your Hash on Flash"): of each key a fingerprint of q + r bits, the
 * highest of its hash, is kept exactly; q of them, the quotient, say about where among 2^q slots, and r, the remainder, lie there with three
 * bits more: 2^q (r + 3) bits. 2^q is a power of two with room for the keys in 0.95 of the slots: just
 * past such a number of keys the filter is twice as large as it must be (with one bit less for a remainder).
 *
 * Keys can be deleted, and each copy of a key counts. Because fingerprints are all there, filters can be merged, and made larger or
 * smaller, without the keys. The same keys in any order make the same bytes.
 *
 * Parameters: q (5 or more), r (1 to 31). Body: the slots, see quotient-table.ts.
 */
export class QuotientFilter implements MembershipFilter, Insertable, Deletable {
  readonly kind = 'quotient'
  /** q */
  readonly quotientBits: number
  /** r */
  readonly remainderBits: number
  readonly seed: number
  /** The most keys that fit: 0.95 of the slots. */
  readonly capacity: number
  readonly #table: QuotientTable
  readonly #file: Uint8Array | undefined
  readonly #seedHigh: number
  readonly #seedLow: number
  readonly #words = new Int32Array(4)
  #count: number

  private constructor(seed: number, count: number, table: QuotientTable, file?: Uint8Array) {
    this.quotientBits = table.quotientBits
    this.remainderBits = table.remainderBits
    this.seed = seed
    this.capacity = mostKeys(table.quotientBits)
    this.#count = count
    this.#table = table
    this.#file = file
    const words = seedWords(seed)
    this.#seedHigh = words.high
    this.#seedLow = words.low
  }

  /**
   * An empty filter that takes `capacity` keys and then errs at `rate` at most.
   * @throws {WaryError} `filter-parameter`
   */
  static create({ capacity, rate, seed = 0 }: QuotientOptions): QuotientFilter {
    return QuotientFilter.ofSize({ ...quotientSize(capacity, rate), seed })
  }

  /**
   * An empty filter of just this q and r.
   * @throws {WaryError} `filter-parameter`
   */
  static ofSize({ seed = 0, ...size }: QuotientSize & { readonly seed?: number }): QuotientFilter {
    const fault = quotientFault(size)
    if (fault !== undefined) refuseParameter(fault)
    return new QuotientFilter(checkedSeed(seed), 0, QuotientTable.empty(size.quotientBits, size.remainderBits))
  }

  /**
   * The filter of a file, at once: the slots stay where they are (later changes of one change the other), and only the head is looked at.
   * What comes from elsewhere is for `verified` to read: slots that contradict each other may come up later as `filter-format`, or as wrong
   * answers.
   * @throws {WaryError} `filter-format`
   */
  static fromBytes(file: Uint8Array): QuotientFilter {
    const { head, body } = openFile(file, 'quotient', PARAMETERS)
    const [quotientBits = 0, remainderBits = 0] = head.parameters.map(wholeNumber)
    const fault = quotientFault({ quotientBits, remainderBits })
    if (fault !== undefined) refuseFile(fault)
    if (body.length !== QuotientTable.byteLength(quotientBits, remainderBits))
      refuseFile(`2^${quotientBits} slots of ${remainderBits} + 3 bits do not make a body of ${body.length} bytes`)
    if (head.count > mostKeys(quotientBits)) refuseFile(`${head.count} keys are in 2^${quotientBits} slots`)
    const table = new QuotientTable(body, quotientBits, remainderBits)
    if (!table.remainders.isPadded()) refuseFile('unused bits are set')
    return new QuotientFilter(head.seed, head.count, table, file)
  }

  /** As `fromBytes`, after reading all of the file. @throws {WaryError} `filter-format` */
  static verified(file: Uint8Array): QuotientFilter {
    verifyFile(file)
    const filter = QuotientFilter.fromBytes(file)
    checkTable(filter.#table, filter.#count)
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
    return headBytes(PARAMETERS) + this.#table.bytes.length
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
    return this.#has(this.#words[0] as number, this.#words[1] as number)
  }

  mightContainHash(high: number, low: number): boolean {
    return this.#has(seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh)
  }

  delete(key: Key): boolean {
    hashKey(key, this.seed, this.#words)
    return this.#delete(this.#words[0] as number, this.#words[1] as number)
  }

  deleteHash(high: number, low: number): boolean {
    return this.#delete(seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh)
  }

  #add(high: number, low: number): boolean {
    if (this.#count >= this.capacity) return false
    this.#table.insert(this.#quotient(high), this.#remainder(high, low))
    this.#count++
    return true
  }

  #has(high: number, low: number): boolean {
    return this.#table.has(this.#quotient(high), this.#remainder(high, low))
  }

  #delete(high: number, low: number): boolean {
    if (!this.#table.remove(this.#quotient(high), this.#remainder(high, low))) return false
    this.#count--
    return true
  }

  #quotient(high: number): number {
    return high >>> (32 - this.quotientBits)
  }

  #remainder(high: number, low: number): number {
    return ((high << this.quotientBits) | (low >>> (32 - this.quotientBits))) >>> (32 - this.remainderBits)
  }

  /** The fingerprints of all keys, numbers of q + r bits in ascending order, repeats included. */
  *fingerprints(): Generator<number, void, undefined> {
    const table = this.#table
    const scale = 2 ** this.remainderBits
    for (const [quotient, slot] of table.entries()) yield quotient * scale + table.remainders.get(slot)
  }

  /**
   * The filter of all keys of both, with as many slots as the larger of them or as many more as it takes.
   * @throws {WaryError} `filter-parameter` for another seed, another size of fingerprints, or where these have too few bits for so many keys
   */
  merge(other: QuotientFilter): QuotientFilter {
    const bits = this.quotientBits + this.remainderBits
    if (other.seed !== this.seed || other.quotientBits + other.remainderBits !== bits)
      refuseParameter('only filters of the same seed and the same size of fingerprints can be merged')
    const keys = this.#count + other.#count
    const merged = this.#ofQuotientBits(quotientBitsFor(keys, Math.max(this.quotientBits, other.quotientBits)))
    merged.#take(this)
    merged.#take(other)
    return merged
  }

  /**
   * The filter of the same keys with 2^`quotientBits` slots. Fingerprints stay as they are, so it errs as before: bits move from the
   * remainder to the quotient or back.
   * @throws {WaryError} `filter-parameter` where the keys do not fit in or a fingerprint has too few bits
   */
  resized(quotientBits: number): QuotientFilter {
    if (mostKeys(quotientBits) < this.#count) refuseParameter(`2^${quotientBits} slots have no room for ${this.#count} keys`)
    const resized = this.#ofQuotientBits(quotientBits)
    resized.#take(this)
    return resized
  }

  #ofQuotientBits(quotientBits: number): QuotientFilter {
    const remainderBits = this.quotientBits + this.remainderBits - quotientBits
    return QuotientFilter.ofSize({ quotientBits, remainderBits, seed: this.seed })
  }

  #take(other: QuotientFilter): void {
    const scale = 2 ** this.remainderBits
    for (const fingerprint of other.fingerprints()) {
      const quotient = Math.floor(fingerprint / scale)
      this.#table.insert(quotient, fingerprint - quotient * scale)
    }
    this.#count += other.#count
  }

  /** The rate to expect with the keys that are in now, 0 to 1. */
  expectedRate(): number {
    return quotientRate(this, this.#count)
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    const parameters = [BigInt(this.quotientBits), BigInt(this.remainderBits)]
    return encodeFilter({ kind: 'quotient', seed: this.seed, count: this.#count, parameters }, this.#table.bytes)
  }
}
