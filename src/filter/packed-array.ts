/** Bytes that every packed array has behind its last number: zero, so that reading four bytes at a number's first one stays inside. */
const SPARE = 4
/** Numbers up to this many bits lie within four bytes, whichever bit they begin at. */
const WITHIN_FOUR_BYTES = 25

/**
 * Numbers of `width` bits (1 to 32) each, one behind the other: number i has the bits from i x width on, bit j is in byte j >> 3 at position
 * j & 7. Four zero bytes follow. 32-bit numbers are signed. Reads and writes whatever buffer it is given, at any offset of it.
 */
export class PackedArray {
  readonly length: number
  readonly width: number
  readonly bytes: Uint8Array
  readonly #view: DataView
  readonly #mask: number
  readonly #narrow: boolean

  /** @param bytes `PackedArray.byteLength(length, width)` of them */
  constructor(bytes: Uint8Array, length: number, width: number) {
    this.bytes = bytes
    this.length = length
    this.width = width
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#mask = -1 >>> (32 - width)
    this.#narrow = width <= WITHIN_FOUR_BYTES
  }

  static byteLength(length: number, width: number): number {
    return Math.ceil((length * width) / 8) + SPARE
  }

  /** All numbers 0. */
  static empty(length: number, width: number): PackedArray {
    return new PackedArray(new Uint8Array(PackedArray.byteLength(length, width)), length, width)
  }

  /** Whether all bits behind the last number are zero, as they are in a sound file. */
  isPadded(): boolean {
    const used = Math.ceil((this.length * this.width) / 8)
    const spare = this.bytes.subarray(used).every((byte) => byte === 0)
    const rest = (this.length * this.width) % 8
    return spare && (rest === 0 || (this.bytes[used - 1] as number) >> rest === 0)
  }

  /** 0 to 2^width - 1; of 32 bits a signed number. */
  get(i: number): number {
    const at = this.#byteOf(i)
    const shift = this.#bitOf(i)
    const low = this.#view.getInt32(at, true) >>> shift
    if (this.#narrow) return low & this.#mask
    return (low | ((this.#view.getUint8(at + 4) << 1) << (31 - shift))) & this.#mask
  }

  /** @param value its lowest `width` bits count */
  set(i: number, value: number): void {
    const at = this.#byteOf(i)
    const shift = this.#bitOf(i)
    const own = value & this.#mask
    const view = this.#view
    view.setInt32(at, (view.getInt32(at, true) & ~(this.#mask << shift)) | (own << shift), true)
    if (this.#narrow) return
    const above = ((this.#mask >>> 1) >>> (31 - shift)) & 0xff
    view.setUint8(at + 4, (view.getUint8(at + 4) & ~above) | (((own >>> 1) >>> (31 - shift)) & above))
  }

  /**
   * Moves the numbers `first` to `last` - 1 one place up, over number `last`, and puts `value` in the place of number `first`. 32 bits at a
   * time: up to 31 bits wide.
   */
  insertAt(first: number, last: number, value: number): void {
    const { width } = this
    const view = this.#view
    const end = this.#byteOf(last + 1)
    const below = this.#bitOf(first)
    const moved = -1 << below
    const inserted = value & this.#mask
    let at = this.#byteOf(first)
    let old = view.getInt32(at, true)
    let word = (old & ~moved) | (inserted << below) | ((old & moved) << width)
    let carry = ((old & moved) >>> (32 - width)) | ((inserted >>> 1) >>> (31 - below))
    while (at + 4 <= end) {
      view.setInt32(at, word, true)
      at += 4
      old = view.getInt32(at, true)
      word = (old << width) | carry
      carry = old >>> (32 - width)
    }
    const behind = -1 << ((end - at) * 8 + this.#bitOf(last + 1))
    view.setInt32(at, (old & behind) | (word & ~behind), true)
  }

  /** Moves the numbers `first` + 1 to `last` one place down, over number `first`, and puts `value` in the place of number `last`. */
  removeAt(first: number, last: number, value: number): void {
    const { width } = this
    const view = this.#view
    const end = this.#byteOf(last)
    const ahead = width >>> 3
    const shift = width & 7
    let at = this.#byteOf(first)
    let kept = ~(-1 << this.#bitOf(first))
    for (; at + 4 <= end; at += 4) {
      const moved = (view.getInt32(at + ahead, true) >>> shift) | ((view.getUint8(at + ahead + 4) << 1) << (31 - shift))
      view.setInt32(at, kept === 0 ? moved : (view.getInt32(at, true) & kept) | (moved & ~kept), true)
      kept = 0
    }
    const bits = (end - at) * 8 + this.#bitOf(last)
    if (bits > 0) {
      kept |= -1 << bits
      const moved = (view.getInt32(at + ahead, true) >>> shift) | ((view.getUint8(at + ahead + 4) << 1) << (31 - shift))
      view.setInt32(at, (view.getInt32(at, true) & kept) | (moved & ~kept), true)
    }
    this.set(last, value)
  }

  /** Byte and bit of it where number i begins: in eighths, because i x width may have more than 32 bits. */
  #byteOf(i: number): number {
    return Math.imul(i >>> 3, this.width) + (Math.imul(i & 7, this.width) >>> 3)
  }

  #bitOf(i: number): number {
    return Math.imul(i & 7, this.width) & 7
  }
}
