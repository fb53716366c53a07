import { type FuseSize, fuseCells } from './binary-fuse-size.ts'
import { avalanche } from './murmur3-128.ts'
import { PackedArray } from './packed-array.ts'
import { scaled } from './probe.ts'

/** Make other numbers of each attempt: odd, from the golden ratio and from the square root of three. */
const FIRST_STEP = 0x9e3779b1
const SECOND_STEP = 0xbb67ae85

/*
 * What a key is known by: two words, by two rounds of a Feistel network, so that hashes that differ still do so afterwards. Each attempt to
 * build a filter mixes them in another way.
 */

/** The first word, which the key's first cell follows from. */
export function mixedFirst(high: number, low: number, attempt: number): number {
  return high ^ avalanche(low ^ Math.imul(attempt, FIRST_STEP))
}

/** The second, which the places in the other two segments follow from. `first` is of `mixedFirst`. */
export function mixedSecond(first: number, low: number, attempt: number): number {
  return low ^ avalanche(first ^ Math.imul(attempt, SECOND_STEP))
}

/**
 * The cells of a binary fuse filter. Those of a key lie in three segments one behind the other, and the exclusive or of what is in them is
 * the key's fingerprint.
 */
export class FuseCells {
  readonly size: FuseSize
  readonly attempt: number
  readonly array: PackedArray
  readonly #starts: number
  readonly #segmentLength: number
  readonly #offsetMask: number
  readonly #offsetShift: number
  readonly #fingerprintMask: number

  /** @param array `fuseCells(size)` numbers of as many bits as a fingerprint */
  constructor(size: FuseSize, attempt: number, array: PackedArray) {
    this.size = size
    this.attempt = attempt
    this.array = array
    this.#starts = size.segmentCount * size.segmentLength
    this.#segmentLength = size.segmentLength
    this.#offsetMask = size.segmentLength - 1
    this.#offsetShift = 32 - Math.log2(size.segmentLength)
    this.#fingerprintMask = -1 >>> (32 - size.fingerprintBits)
  }

  /** All cells 0. */
  static empty(size: FuseSize, attempt: number): FuseCells {
    return new FuseCells(size, attempt, PackedArray.empty(fuseCells(size), size.fingerprintBits))
  }

  /** Whether the cells of the key with this hash hold its fingerprint. */
  has(high: number, low: number): boolean {
    const first = mixedFirst(high, low, this.attempt)
    const second = mixedSecond(first, low, this.attempt)
    return this.stored(first, second) === this.fingerprint(first, second)
  }

  /** What is stored for a key. */
  stored(first: number, second: number): number {
    const { array } = this
    const cell = scaled(first, this.#starts)
    return array.get(cell) ^ array.get(this.#secondCell(cell, second)) ^ array.get(this.#thirdCell(cell, second))
  }

  /** Writes the three cells of a key to `out`. */
  locate(first: number, second: number, out: Int32Array): void {
    const cell = scaled(first, this.#starts)
    out[0] = cell
    out[1] = this.#secondCell(cell, second)
    out[2] = this.#thirdCell(cell, second)
  }

  #secondCell(cell: number, second: number): number {
    return (cell + this.#segmentLength) ^ (second & this.#offsetMask)
  }

  #thirdCell(cell: number, second: number): number {
    return (cell + 2 * this.#segmentLength) ^ (second >>> this.#offsetShift)
  }

  /** What must be stored for a key. In it are the bits of both words too that its cells do not follow from. */
  fingerprint(first: number, second: number): number {
    return avalanche(first ^ ((second << 16) | (second >>> 16))) & this.#fingerprintMask
  }
}
