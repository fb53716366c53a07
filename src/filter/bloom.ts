import { decodeBloom, encodeBloom, HEADER_BYTES } from './encoding.ts'
import type { Key, MembershipFilter } from './membership-filter.ts'
import { murmur3 } from './murmur3.ts'
import { expectedRate, optimalSize } from './parameters.ts'

const encoder = new TextEncoder()
/** Golden ratio in 32 bits: makes the second seed of the first. */
const SECOND_SEED = 0x9e3779b9

interface Parts {
  readonly bits: number
  readonly hashes: number
  readonly seed: number
  readonly capacity: number
  readonly count: number
  readonly array: Uint8Array
}

/**
 * Standard Bloom filter (Bloom 1970). Probes by enhanced double hashing (Dillinger, Manolios 2004) over two 32-bit hashes of the key,
 * each probe spread over all m bits by a final mix, so that 64 bits of hash reach every probe.
 */
export class BloomFilter implements MembershipFilter {
  readonly kind = 'bloom'
  /** m */
  readonly bits: number
  /** k */
  readonly hashes: number
  readonly seed: number
  readonly capacity: number
  #count: number
  readonly #array: Uint8Array

  private constructor(parts: Parts) {
    this.bits = parts.bits
    this.hashes = parts.hashes
    this.seed = parts.seed
    this.capacity = parts.capacity
    this.#count = parts.count
    this.#array = parts.array
  }

  /**
   * An empty filter for `capacity` keys at the false positive rate `rate`.
   * @throws {WaryError} `filter-parameter` for what no filter can have
   */
  static create(options: { readonly capacity: number; readonly rate: number; readonly seed?: number }): BloomFilter {
    const { capacity, rate, seed = 0 } = options
    const { bits, hashes } = optimalSize(capacity, rate)
    return new BloomFilter({ bits, hashes, seed: seed >>> 0, capacity, count: 0, array: new Uint8Array(Math.ceil(bits / 8)) })
  }

  /**
   * The filter of a file (encoding.ts), without copying its bits: later changes of `file` change the filter.
   * @throws {WaryError} `filter-format`
   */
  static fromBytes(file: Uint8Array): BloomFilter {
    const { header, bits } = decodeBloom(file)
    return new BloomFilter({ ...header, array: bits })
  }

  /** Keys added, repeats included. */
  get count(): number {
    return this.#count
  }

  /** Bytes of the filter file. */
  get byteLength(): number {
    return HEADER_BYTES + this.#array.length
  }

  add(key: Key): void {
    const bytes = typeof key === 'string' ? encoder.encode(key) : key
    let a = murmur3(bytes, this.seed)
    let b = murmur3(bytes, this.seed ^ SECOND_SEED)
    for (let i = 0; i < this.hashes; i++) {
      const bit = probe(a, b, this.bits)
      const byte = Math.floor(bit / 8)
      this.#array[byte] = (this.#array[byte] as number) | (1 << (bit & 7))
      a = (a + b) >>> 0
      b = (b + i + 1) >>> 0
    }
    this.#count++
  }

  mightContain(key: Key): boolean {
    const bytes = typeof key === 'string' ? encoder.encode(key) : key
    let a = murmur3(bytes, this.seed)
    let b = murmur3(bytes, this.seed ^ SECOND_SEED)
    for (let i = 0; i < this.hashes; i++) {
      const bit = probe(a, b, this.bits)
      if (((this.#array[Math.floor(bit / 8)] as number) & (1 << (bit & 7))) === 0) return false
      a = (a + b) >>> 0
      b = (b + i + 1) >>> 0
    }
    return true
  }

  /** Share of bits that are set, 0 to 1. Counts them: linear in the filter's size. */
  fillRatio(): number {
    let set = 0
    for (const byte of this.#array) {
      const pairs = byte - ((byte >> 1) & 0x55)
      const nibbles = (pairs & 0x33) + ((pairs >> 2) & 0x33)
      set += (nibbles + (nibbles >> 4)) & 0x0f
    }
    return set / this.bits
  }

  /** The false positive rate to expect with the keys that are in now. */
  expectedRate(): number {
    return expectedRate(this, this.#count)
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    return encodeBloom({ bits: this.bits, hashes: this.hashes, seed: this.seed, capacity: this.capacity, count: this.#count }, this.#array)
  }
}

/** One probe: both hashes mixed to 32 bits, then scaled to m by the high half of the product with m (Lemire 2016). */
function probe(a: number, b: number, bits: number): number {
  let h = a ^ Math.imul(b ^ (b >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  return scaled((h ^ (h >>> 15)) >>> 0, bits)
}

/**
 * floor(h x bits / 2^32) for 32-bit `h` and at most 2^32 bits. In halves, because the product may need 64 bits and a double holds 53:
 * rounded, a few hashes in 2^32 would probe another bit than programs that count in whole numbers.
 */
export function scaled(h: number, bits: number): number {
  return Math.floor(((h >>> 16) * bits + Math.floor(((h & 0xffff) * bits) / 0x10000)) / 0x10000)
}
