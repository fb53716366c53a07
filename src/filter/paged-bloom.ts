import { setBits } from './bit-array.ts'
import type { BloomOptions } from './bloom.ts'
import { encodeFilter, headBytes, openFile, refuseFile, verifyFile, wholeNumber } from './encoding.ts'
import { hashKey, seedWords } from './key-hash.ts'
import { checkRoom } from './many-keys.ts'
import type { Insertable, Key, MembershipFilter } from './membership-filter.ts'
import { bytesInPage, isInPage, pageStart, setInPage } from './paged-bits.ts'
import { expectedPagedRate, MOST_PAGES, optimalPages, PAGE_BITS, PAGE_BYTES, type PagedSize } from './paged-size.ts'
import { checkCapacity, checkedSeed, keysOfFill, MOST_HASHES, refuseParameter } from './parameters.ts'
import { scaled } from './probe.ts'
import { seededHigh } from './seeded-hash.ts'

interface Parts extends PagedSize {
  readonly seed: number
  readonly capacity: number
  readonly count: number
  readonly array: Uint8Array
  readonly file?: Uint8Array
}

/** What one must know of a filter to ask a page of it that was read alone. Every paged filter is one. */
export interface PagedShape extends PagedSize {
  readonly seed: number
}

const PARAMETERS = 3
const words = new Int32Array(4)

/**
 * Bloom filter whose k bits of a key all fall in one page of 4 KiB: whoever has the filter on a disk or in a database reads one page for a
 * look-up, not k. By the uneven spread of keys over pages it has some 0.3 % more bits than the standard form at the same rate
 * (paged-size.ts), and whole pages at least. In memory, keys are added in two thirds of the time and looked up as fast. (Putze, Sanders,
 * Singler 2007 call it a blocked filter, with blocks of a cache line.) Body of the file: the pages, bit i of a page in byte i >> 3 at
 * position i & 7. Parameters: pages (1 to 2^17), k (1 to 32), capacity.
 */
export class PagedBloomFilter implements MembershipFilter, Insertable {
  /** Bytes of a page. */
  static readonly PAGE_BYTES = PAGE_BYTES
  readonly kind = 'paged-bloom'
  readonly pages: number
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
    this.pages = parts.pages
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
   * An empty filter for `capacity` keys at the false positive rate `rate`: of the fewest pages that keep it.
   * @throws {WaryError} `filter-parameter`
   */
  static create({ capacity, rate, seed = 0 }: BloomOptions): PagedBloomFilter {
    return PagedBloomFilter.ofSize({ ...optimalPages(capacity, rate), capacity, seed })
  }

  /**
   * An empty filter of just so many pages and this k.
   * @throws {WaryError} `filter-parameter`
   */
  static ofSize(options: PagedSize & { readonly capacity: number; readonly seed?: number }): PagedBloomFilter {
    const { pages, hashes, capacity, seed = 0 } = options
    checkCapacity(capacity)
    if (!Number.isSafeInteger(pages) || pages < 1 || pages > MOST_PAGES)
      refuseParameter(`a filter has 1 to ${MOST_PAGES} pages, not ${pages}: split the keys over several`)
    if (!Number.isSafeInteger(hashes) || hashes < 1 || hashes > MOST_HASHES)
      refuseParameter(`a filter has 1 to ${MOST_HASHES} hash functions, not ${hashes}`)
    return new PagedBloomFilter({ pages, hashes, capacity, seed: checkedSeed(seed), count: 0, array: new Uint8Array(pages * PAGE_BYTES) })
  }

  /**
   * The filter of a file, at once: the bits stay where they are (later changes of one change the other), and only the head is looked at.
   * What comes from elsewhere is for `verify` to read.
   * @throws {WaryError} `filter-format`
   */
  static fromBytes(file: Uint8Array): PagedBloomFilter {
    const { head, body } = openFile(file, 'paged-bloom', PARAMETERS)
    const [pages, hashes, capacity] = head.parameters.map(wholeNumber)
    if (pages === undefined || pages < 1 || pages > MOST_PAGES) refuseFile(`${pages} pages are out of range`)
    if (hashes === undefined || hashes < 1 || hashes > MOST_HASHES) refuseFile(`${hashes} hash functions are out of range`)
    if (capacity === undefined || body.length !== pages * PAGE_BYTES) refuseFile(`${pages} pages are no body of ${body.length} bytes`)
    return new PagedBloomFilter({ pages, hashes, capacity, seed: head.seed, count: head.count, array: body, file })
  }

  /** As `fromBytes`, after reading all of the file. @throws {WaryError} `filter-format` */
  static verified(file: Uint8Array): PagedBloomFilter {
    verifyFile(file)
    return PagedBloomFilter.fromBytes(file)
  }

  /**
   * Number of the page that a key's bits are in, from 0 on, for whoever has the pages elsewhere.
   * @throws {RangeError} no filter has this shape
   */
  static pageOf({ pages, seed }: PagedShape, key: Key): number {
    checkPages(pages)
    hashKey(key, seed, words)
    return scaled(words[0] as number, pages)
  }

  /** As `pageOf`, of a ready hash. */
  static pageOfHash({ pages, seed }: PagedShape, high: number, low: number): number {
    checkPages(pages)
    return scaled(seededHigh(high, low, seedWords(seed).low), pages)
  }

  /**
   * Whether a key might be in, asked of its page (`pageOf`) alone. Another page answers nonsense.
   * @throws {RangeError} `page` is not 4096 bytes long, or no filter has this shape
   */
  static pageMightContain({ hashes, seed }: PagedShape, page: Uint8Array, key: Key): boolean {
    checkPage(page, hashes)
    hashKey(key, seed, words)
    return isInPage(page, 0, hashes, words[0] as number, words[1] as number)
  }

  /** As `pageMightContain`, of a ready hash. */
  static pageMightContainHash({ hashes, seed }: PagedShape, page: Uint8Array, high: number, low: number): boolean {
    checkPage(page, hashes)
    const over = seedWords(seed)
    return isInPage(page, 0, hashes, seededHigh(high, low, over.low), low ^ over.high)
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

  /** m, of all pages together. */
  get bits(): number {
    return this.pages * PAGE_BITS
  }

  get byteLength(): number {
    return headBytes(PARAMETERS) + this.#array.length
  }

  /**
   * The 4096 bytes of a page, not a copy.
   * @throws {RangeError} there is no such page
   */
  page(number: number): Uint8Array {
    if (!Number.isInteger(number) || number < 0 || number >= this.pages) throw new RangeError(`no page ${number} among ${this.pages}`)
    return this.#array.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES)
  }

  add(key: Key): true {
    hashKey(key, this.seed, this.#words)
    return this.#add(this.#words[0] as number, this.#words[1] as number)
  }

  addHash(high: number, low: number): true {
    return this.#add(seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh)
  }

  #add(a: number, b: number): true {
    setInPage(this.#array, pageStart(a, this.pages), this.hashes, a, b)
    this.#count++
    return true
  }

  mightContain(key: Key): boolean {
    hashKey(key, this.seed, this.#words)
    const a = this.#words[0] as number
    return isInPage(this.#array, pageStart(a, this.pages), this.hashes, a, this.#words[1] as number)
  }

  mightContainHash(high: number, low: number): boolean {
    const a = seededHigh(high, low, this.#seedLow)
    return isInPage(this.#array, pageStart(a, this.pages), this.hashes, a, low ^ this.#seedHigh)
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
    const { pages, hashes } = this
    const seedHigh = this.#seedHigh
    const seedLow = this.#seedLow
    let kept = 0
    for (let i = 0; i < count; i++) {
      const low = ready[2 * i + 1] as number
      const a = seededHigh(ready[2 * i] as number, low, seedLow)
      if (isInPage(array, pageStart(a, pages), hashes, a, low ^ seedHigh)) found[kept++] = i
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
    const a = seededHigh(high, low, this.#seedLow)
    return bytesInPage(pageStart(a, this.pages), this.hashes, a, low ^ this.#seedHigh).map((byte) => headBytes(PARAMETERS) + byte)
  }

  /** Share of bits that are set, 0 to 1. Counts them: linear in the filter's size. */
  fillRatio(): number {
    return setBits(this.#array) / this.bits
  }

  /** The rate to expect with the keys that are in now, 0 to 1, also past the capacity (paged-size.ts). */
  expectedRate(): number {
    return expectedPagedRate(this, this.#count)
  }

  /** How many different keys the set bits speak of; `count` has repeats in it. Infinity if a page is full. Linear in the filter's size. */
  estimatedKeys(): number {
    let keys = 0
    for (let i = 0; i < this.pages; i++) keys += keysOfFill({ bits: PAGE_BITS, hashes: this.hashes }, setBits(this.page(i)) / PAGE_BITS)
    return keys
  }

  /**
   * The filter of all keys of both: of the same pages, k and seed only. `count` becomes their sum, though keys may be in both.
   * @throws {WaryError} `filter-parameter`
   */
  union(other: PagedBloomFilter): PagedBloomFilter {
    const { pages, hashes, seed, capacity } = this
    if (other.pages !== pages || other.hashes !== hashes || other.seed !== seed)
      refuseParameter('only filters of the same pages, hash functions and seed can be combined')
    const array = this.#array.map((byte, i) => byte | (other.#array[i] as number))
    return new PagedBloomFilter({ pages, hashes, seed, capacity, count: this.#count + other.#count, array })
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    const parameters = [BigInt(this.pages), BigInt(this.hashes), BigInt(this.capacity)]
    return encodeFilter({ kind: 'paged-bloom', seed: this.seed, count: this.#count, parameters }, this.#array)
  }
}

function checkPages(pages: number): void {
  if (!Number.isInteger(pages) || pages < 1 || pages > MOST_PAGES)
    throw new RangeError(`a filter has 1 to ${MOST_PAGES} pages, not ${pages}`)
}

function checkPage(page: Uint8Array, hashes: number): void {
  if (!Number.isInteger(hashes) || hashes < 1 || hashes > MOST_HASHES)
    throw new RangeError(`a filter has 1 to ${MOST_HASHES} hash functions, not ${hashes}`)
  if (page.length !== PAGE_BYTES) throw new RangeError(`a page has ${PAGE_BYTES} bytes, not ${page.length}`)
}
