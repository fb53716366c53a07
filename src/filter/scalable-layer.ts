import { hasKey, setKey } from './bloom-bits.ts'
import { refuseFile, wholeNumber } from './encoding.ts'
import { type BloomSize, expectedRate, MOST_BITS, MOST_HASHES, optimalSize } from './parameters.ts'

/** Bytes that a layer has in the table at the beginning of the body: m, k, capacity and keys in, 8 each, little-endian. */
export const LAYER_HEAD_BYTES = 32

/** One Bloom filter of a scalable one. Keys come as 64 bits of hash that are the same for all layers. */
export class ScalableLayer implements BloomSize {
  readonly bits: number
  readonly hashes: number
  readonly capacity: number
  readonly array: Uint8Array
  count: number

  constructor(parts: BloomSize & { readonly capacity: number; readonly count: number; readonly array: Uint8Array }) {
    this.bits = parts.bits
    this.hashes = parts.hashes
    this.capacity = parts.capacity
    this.count = parts.count
    this.array = parts.array
  }

  /** An empty layer; undefined where it would be larger, or stricter, than a filter can be. @throws {WaryError} `filter-parameter` */
  static create(capacity: number, rate: number): ScalableLayer | undefined {
    if (!Number.isSafeInteger(capacity) || rate === 0) return undefined
    const { bits, hashes } = optimalSize(capacity, rate)
    if (bits > MOST_BITS) return undefined
    return new ScalableLayer({ bits, hashes, capacity, count: 0, array: new Uint8Array(Math.ceil(bits / 8)) })
  }

  /**
   * The layer whose head is at `at` of `body`, its bits from `from` on.
   * @throws {WaryError} `filter-format`
   */
  static read(body: Uint8Array, at: number, from: number): ScalableLayer {
    const view = new DataView(body.buffer, body.byteOffset + at, LAYER_HEAD_BYTES)
    const [bits = 0, hashes = 0, capacity = 0, count = 0] = [0, 8, 16, 24].map((field) => wholeNumber(view.getBigUint64(field, true)))
    if (bits < 1 || bits > MOST_BITS) refuseFile(`${bits} bits are out of range`)
    if (hashes < 1 || hashes > MOST_HASHES) refuseFile(`${hashes} hash functions are out of range`)
    if (capacity < 1 || count > capacity) refuseFile(`${count} keys are more than a layer for ${capacity} takes`)
    const array = body.subarray(from, from + Math.ceil(bits / 8))
    if (array.length !== Math.ceil(bits / 8)) refuseFile('the file ends within a layer')
    if (bits % 8 !== 0 && (array[array.length - 1] as number) >> (bits % 8) !== 0) refuseFile('unused bits are set')
    return new ScalableLayer({ bits, hashes, capacity, count, array })
  }

  /** Writes the layer's head at `at` of `body` and its bits from `from` on. */
  write(body: Uint8Array, at: number, from: number): void {
    const view = new DataView(body.buffer, body.byteOffset + at, LAYER_HEAD_BYTES)
    for (const [i, number] of [this.bits, this.hashes, this.capacity, this.count].entries()) view.setBigUint64(8 * i, BigInt(number), true)
    body.set(this.array, from)
  }

  /** Whether it has all the keys that it keeps its rate with: the next one goes to another layer. */
  isFull(): boolean {
    return this.count >= this.capacity
  }

  /** `a` and `b` are the two words of the key's hash, here and in `add`. */
  has(a: number, b: number): boolean {
    return hasKey(this.array, this.bits, this.hashes, a, b)
  }

  /** Takes the key also where the layer is full: that is for the filter to look after. */
  add(a: number, b: number): void {
    setKey(this.array, this.bits, this.hashes, a, b)
    this.count++
  }

  /** 0 to 1. */
  expectedRate(): number {
    return expectedRate(this, this.count)
  }
}
