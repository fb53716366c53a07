import { buildFuse, MOST_ATTEMPTS } from './binary-fuse-build.ts'
import { fuseCells, fuseFault, fuseSize } from './binary-fuse-size.ts'
import { encodeFilter, headBytes, openFile, refuseFile, verifyFile, wholeNumber } from './encoding.ts'
import { FuseCells } from './fuse-cells.ts'
import { hashKey, seedWords } from './key-hash.ts'
import type { Key, MembershipFilter } from './membership-filter.ts'
import { PackedArray } from './packed-array.ts'
import { checkedSeed, checkRate } from './parameters.ts'
import { seededHigh } from './seeded-hash.ts'

/** f, cells of a segment, segments, attempt */
const PARAMETERS = 4

/** The rate or the bits of a fingerprint, of which the other follows: rate = 2^-f. */
export type BinaryFuseOptions = (
  | { /** Between 0 and 1; kept by the fewest bits that do. */ readonly rate: number }
  | { readonly fingerprintBits: number }
) & {
  /** Any 32 bits. */
  readonly seed?: number
}

/**
 * Binary fuse filter (Graf, Lemire 2022), three-wise: made of all keys at once, it takes about 1.125 f bits a key, fewer than any other
 * here, and neither takes nor gives keys later. A key is (maybe) in if the exclusive or of three cells is the f bits of its fingerprint, so
 * the rate is 2^-f.
 *
 * Parameters: f (1 to 32), cells of a segment (a power of two from 4 to 2^18), segments that a key's first cell may lie in, and the attempt
 * (0 to 99) that succeeded. Body: the cells of those segments and two more, as a `PackedArray` (which ends in four zero bytes).
 */
export class BinaryFuseFilter implements MembershipFilter {
  readonly kind = 'binary-fuse'
  /** f */
  readonly fingerprintBits: number
  readonly seed: number
  /** Different keys. */
  readonly count: number
  readonly #cells: FuseCells
  readonly #file: Uint8Array | undefined
  readonly #seedHigh: number
  readonly #seedLow: number
  readonly #words = new Int32Array(4)

  private constructor(seed: number, count: number, cells: FuseCells, file?: Uint8Array) {
    this.fingerprintBits = cells.size.fingerprintBits
    this.seed = seed
    this.count = count
    this.#cells = cells
    this.#file = file
    const { high, low } = seedWords(seed)
    this.#seedHigh = high
    this.#seedLow = low
  }

  /**
   * The filter of all `keys`, each counted once; ask it with `mightContain`.
   * @throws {WaryError} `filter-parameter`
   * @throws {TypeError} for one key alone instead of several in a list
   */
  static from(keys: Iterable<Key>, options: BinaryFuseOptions): BinaryFuseFilter {
    // One key is an iterable too, of what is none of the keys meant.
    if (typeof keys === 'string' || ArrayBuffer.isView(keys)) throw new TypeError('keys must come as a list, not as one key')
    const seed = checkedSeed(options.seed ?? 0)
    const words = new Int32Array(4)
    let hashes = new Int32Array(1024)
    let length = 0
    for (const key of keys) {
      hashKey(key, seed, words)
      if (length === hashes.length) {
        const longer = new Int32Array(2 * length)
        longer.set(hashes)
        hashes = longer
      }
      hashes[length++] = words[0] as number
      hashes[length++] = words[1] as number
    }
    return BinaryFuseFilter.#built(hashes.subarray(0, length), seed, options)
  }

  /**
   * The filter of ready hashes, high and low halves in turn, each counted once; ask it with `mightContainHash`.
   * @throws {WaryError} `filter-parameter`
   * @throws {RangeError} for an odd number of halves
   */
  static fromHashes(hashes: Int32Array, options: BinaryFuseOptions): BinaryFuseFilter {
    if (hashes.length % 2 !== 0) throw new RangeError(`${hashes.length} halves of hashes`)
    const seed = checkedSeed(options.seed ?? 0)
    const words = seedWords(seed)
    const seeded = new Int32Array(hashes.length)
    for (let i = 0; i < hashes.length; i += 2) {
      const low = hashes[i + 1] as number
      seeded[i] = seededHigh(hashes[i] as number, low, words.low)
      seeded[i + 1] = low ^ words.high
    }
    return BinaryFuseFilter.#built(seeded, seed, options)
  }

  static #built(hashes: Int32Array, seed: number, options: BinaryFuseOptions): BinaryFuseFilter {
    const fingerprintBits = 'rate' in options ? bitsFor(options.rate) : options.fingerprintBits
    const { cells, count } = buildFuse(hashes, (keys) => fuseSize(keys, fingerprintBits))
    return new BinaryFuseFilter(seed, count, cells)
  }

  /**
   * The filter of a file, at once: the cells stay where they are, and only the head is looked at. What comes from elsewhere is for `verified`
   * to read.
   * @throws {WaryError} `filter-format`
   */
  static fromBytes(file: Uint8Array): BinaryFuseFilter {
    const { head, body } = openFile(file, 'binary-fuse', PARAMETERS)
    const [fingerprintBits = 0, segmentLength = 0, segmentCount = 0, attempt = 0] = head.parameters.map(wholeNumber)
    const size = { fingerprintBits, segmentLength, segmentCount }
    const fault = fuseFault(size)
    if (fault !== undefined) refuseFile(fault)
    if (attempt >= MOST_ATTEMPTS) refuseFile(`attempt ${attempt} is not made`)
    const length = fuseCells(size)
    if (body.length !== PackedArray.byteLength(length, fingerprintBits))
      refuseFile(`${length} cells of ${fingerprintBits} bits do not make a body of ${body.length} bytes`)
    if (head.count > length) refuseFile(`${head.count} keys are in ${length} cells`)
    const array = new PackedArray(body, length, fingerprintBits)
    if (!array.isPadded()) refuseFile('unused bits are set')
    return new BinaryFuseFilter(head.seed, head.count, new FuseCells(size, attempt, array), file)
  }

  /** As `fromBytes`, after reading all of the file. @throws {WaryError} `filter-format` */
  static verified(file: Uint8Array): BinaryFuseFilter {
    verifyFile(file)
    return BinaryFuseFilter.fromBytes(file)
  }

  /**
   * Reads the file that the filter was opened from, as it is now.
   * @throws {WaryError} `filter-format` where the checksum does not hold
   */
  verify(): void {
    if (this.#file) verifyFile(this.#file)
  }

  get byteLength(): number {
    return headBytes(PARAMETERS) + this.#cells.array.bytes.length
  }

  mightContain(key: Key): boolean {
    hashKey(key, this.seed, this.#words)
    return this.#has(this.#words[0] as number, this.#words[1] as number)
  }

  mightContainHash(high: number, low: number): boolean {
    return this.#has(seededHigh(high, low, this.#seedLow), low ^ this.#seedHigh)
  }

  #has(high: number, low: number): boolean {
    // The cells of no keys are all 0, a fingerprint as good as any.
    return this.count > 0 && this.#cells.has(high, low)
  }

  /** 2^-f, 0 to 1; 0 for a filter of no keys. */
  expectedRate(): number {
    return this.count > 0 ? 2 ** -this.fingerprintBits : 0
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    const { size, attempt, array } = this.#cells
    const parameters = [size.fingerprintBits, size.segmentLength, size.segmentCount, attempt].map(BigInt)
    return encodeFilter({ kind: 'binary-fuse', seed: this.seed, count: this.count, parameters }, array.bytes)
  }
}

/** The fewest whose 2^-f is at most `rate`. */
function bitsFor(rate: number): number {
  checkRate(rate)
  let bits = 1
  while (2 ** -bits > rate) bits++
  return bits
}
