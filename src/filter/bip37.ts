import { checkBytes } from './byte-check.ts'
import { refuseFile } from './encoding.ts'
import { murmur3 } from './murmur3.ts'
import { checkCapacity, checkedSeed, checkRate } from './parameters.ts'

/** BIP37: "the maximum size is 36,000 bytes", "the maximum is 50 hash functions". */
const MOST_BYTES = 36_000
const MOST_HASHES = 50
/** Makes the seed of each hash function. */
const STEP = 0xfba4c795
const TAIL_BYTES = 9

/** Sizes by BIP37's own formulas, which round down. */
export interface Bip37Options {
  /** Elements to make room for. */
  readonly capacity: number
  /** The false positive rate with that many elements in, between 0 and 1. Missed a little, as the size is rounded down. */
  readonly rate: number
  /** nTweak, any 32 bits. */
  readonly tweak?: number
  /** nFlags: what a node adds on a hit. 0 none, 1 all outpoints, 2 those of pay-to-pubkey and multisig. */
  readonly flags?: number
}

/**
 * Bloom filter of Bitcoin's `filterload` message (BIP37), as Bitcoin Core has it, for exchange with such programs; their murmur3 is of 32
 * bits, and sizes are bounded. Bit i is in byte i >> 3 at position i & 7.
 */
export class Bip37Filter {
  /** nHashFuncs */
  readonly hashes: number
  readonly tweak: number
  readonly flags: number
  readonly #array: Uint8Array

  private constructor(array: Uint8Array, hashes: number, tweak: number, flags: number) {
    this.#array = array
    this.hashes = hashes
    this.tweak = tweak
    this.flags = flags
  }

  /**
   * An empty filter of at most 36,000 bytes and 50 hash functions, however many elements are asked for: past that it errs more than `rate`.
   * @throws {WaryError} `filter-parameter`
   */
  static create({ capacity, rate, tweak = 0, flags = 0 }: Bip37Options): Bip37Filter {
    checkCapacity(capacity)
    checkRate(rate)
    const bits = Math.min(Math.floor((-capacity * Math.log(rate)) / Math.LN2 ** 2), MOST_BYTES * 8)
    const bytes = Math.floor(bits / 8)
    const hashes = Math.min(Math.floor(((bytes * 8) / Math.max(capacity, 1)) * Math.LN2), MOST_HASHES)
    return new Bip37Filter(new Uint8Array(bytes), hashes, checkedSeed(tweak, 'tweak'), flags & 0xff)
  }

  /**
   * The filter of a `filterload` message's payload; its bits are a copy.
   * @throws {WaryError} `filter-format`
   */
  static fromBytes(message: Uint8Array): Bip37Filter {
    checkBytes(message, 'a filterload message')
    const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
    const first = message[0]
    // The length in one byte below 253, in two behind a 253; larger filters are not allowed.
    const wide = first === 0xfd
    const from = wide ? 3 : 1
    if (first === undefined || first > 0xfd || message.length < from) refuseFile('the message does not begin with the length of a filter')
    const length = wide ? view.getUint16(1, true) : first
    if (wide && length < 0xfd) refuseFile('the length is written in more bytes than it needs')
    if (length > MOST_BYTES) refuseFile(`a filter of ${length} bytes is larger than ${MOST_BYTES}`)
    if (message.length !== from + length + TAIL_BYTES) refuseFile(`a filter of ${length} bytes makes no message of ${message.length}`)
    const hashes = view.getUint32(from + length, true)
    if (hashes > MOST_HASHES) refuseFile(`${hashes} hash functions are more than ${MOST_HASHES}`)
    const tweak = view.getUint32(from + length + 4, true)
    // Not `slice`: that of a Node.js Buffer does not copy.
    return new Bip37Filter(new Uint8Array(message.subarray(from, from + length)), hashes, tweak, view.getUint8(from + length + 8))
  }

  /** Elements are bytes, as Bitcoin serialises them. In a filter without a byte nothing can be put; it holds all. */
  add(element: Uint8Array): void {
    for (const bit of this.#bits(element)) this.#array[bit >>> 3] = (this.#array[bit >>> 3] as number) | (1 << (bit & 7))
  }

  /** False: the element was never added. True: it was, or this is a false positive. */
  mightContain(element: Uint8Array): boolean {
    return this.#bits(element).every((bit) => (((this.#array[bit >>> 3] as number) >> (bit & 7)) & 1) !== 0)
  }

  #bits(element: Uint8Array): number[] {
    checkBytes(element, 'an element')
    const bits = this.#array.length * 8
    if (bits === 0) return []
    return Array.from({ length: this.hashes }, (_, i) => murmur3(element, Math.imul(i, STEP) + this.tweak) % bits)
  }

  /** The payload of a `filterload` message: length, bits, nHashFuncs, nTweak, nFlags. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const { length } = this.#array
    const from = length < 0xfd ? 1 : 3
    const message = new Uint8Array(from + length + TAIL_BYTES)
    const view = new DataView(message.buffer)
    if (from === 1) message[0] = length
    else {
      message[0] = 0xfd
      view.setUint16(1, length, true)
    }
    message.set(this.#array, from)
    view.setUint32(from + length, this.hashes, true)
    view.setUint32(from + length + 4, this.tweak, true)
    view.setUint8(from + length + 8, this.flags)
    return message
  }
}
