import { WaryError } from '../errors.ts'
import type { EntryLength } from './hash-list.ts'

/** A sorted list as its first value and Rice-Golomb coded differences (v5, "Decoding hash prefixes and hashes"). */
export interface RiceEncoded {
  /** The first entry, big-endian, `entryLength` bytes. */
  readonly firstValue: Uint8Array
  readonly riceParameter: number
  /** Differences that follow the first value. */
  readonly entriesCount: number
  /** Bits from the least significant one of each byte on: a unary quotient, ended by a zero bit, then the remainder, lowest bit first. */
  readonly encodedData: Uint8Array
}

/**
 * The v5 text allows the parameters 3 to 30 for 4 bytes, 35 to 62 for 8, 99 to 126 for 16 and 227 to 254 for 32: always 3 to 30 above the
 * bits of all 32-bit words but the top one. So the lower words of a difference are remainder as they stand, quotient and the rest of the
 * remainder share the top word, and no number here is wider than a double holds.
 */
const LEAST = 3
const MOST = 30

function lowerBits(entryLength: EntryLength): number {
  return 8 * entryLength - 32
}

function refuse(message: string): never {
  throw new WaryError('list-format', message)
}

class BitReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#end = bytes.length * 8
  }

  /** Ones up to the next zero, which is taken too. */
  unary(): number {
    let ones = 0
    for (;;) {
      if (this.#at >= this.#end) refuse('the coded data ends too early')
      const bit = ((this.#bytes[this.#at >>> 3] as number) >> (this.#at & 7)) & 1
      this.#at++
      if (bit === 0) return ones
      ones++
    }
  }

  /** Up to 32 bits, lowest first. */
  bits(count: number): number {
    if (this.#at + count > this.#end) refuse('the coded data ends too early')
    let value = 0
    let taken = 0
    while (taken < count) {
      const offset = this.#at & 7
      const take = Math.min(8 - offset, count - taken)
      const piece = ((this.#bytes[this.#at >>> 3] as number) >> offset) & ((1 << take) - 1)
      value |= piece << taken
      taken += take
      this.#at += take
    }
    return value >>> 0
  }
}

class BitWriter {
  #bytes = new Uint8Array(1024)
  #at = 0

  unary(ones: number): void {
    let left = ones
    for (; left >= 31; left -= 31) this.bits(0x7fffffff, 31)
    this.bits(2 ** left - 1, left + 1)
  }

  /** The `count` lowest bits of `value`, up to 32; higher ones must be zero. */
  bits(value: number, count: number): void {
    if ((this.#at + count) / 8 + 1 > this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2)
      grown.set(this.#bytes)
      this.#bytes = grown
    }
    let rest = value
    let left = count
    while (left > 0) {
      const offset = this.#at & 7
      const put = Math.min(8 - offset, left)
      this.#bytes[this.#at >>> 3] = (this.#bytes[this.#at >>> 3] as number) | ((rest & ((1 << put) - 1)) << offset)
      rest >>>= put
      left -= put
      this.#at += put
    }
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, Math.ceil(this.#at / 8))
  }
}

/**
 * Packed, sorted entries of `encoded`. Memory is bounded by the data that is there, never by the count that is claimed.
 * @throws {WaryError} `list-format`: parameter out of range, data too short, values that overflow or do not ascend
 */
export function decodeRice(entryLength: EntryLength, encoded: RiceEncoded): Uint8Array {
  const { firstValue, riceParameter, entriesCount, encodedData } = encoded
  if (firstValue.length !== entryLength) refuse(`the first value has ${firstValue.length} bytes instead of ${entryLength}`)
  if (!Number.isSafeInteger(entriesCount) || entriesCount < 0) refuse(`a count of ${entriesCount} is not possible`)
  if (entriesCount === 0) return firstValue.slice()
  const shift = riceParameter - lowerBits(entryLength)
  if (shift < LEAST) refuse(`the Rice parameter ${riceParameter} is too small`)
  if (shift > MOST) refuse(`the Rice parameter ${riceParameter} is too large`)
  // Every difference takes its remainder and at least one bit of quotient.
  if (entriesCount * (riceParameter + 1) > encodedData.length * 8) refuse('the coded data ends too early')
  const packed = new Uint8Array((entriesCount + 1) * entryLength)
  packed.set(firstValue)
  const view = new DataView(packed.buffer)
  const reader = new BitReader(encodedData)
  const scale = 2 ** shift
  for (let at = entryLength as number; at < packed.length; at += entryLength) {
    const quotient = reader.unary()
    let carry = 0
    let repeated = true
    for (let i = entryLength - 4; i > 0; i -= 4) {
      const word = reader.bits(32)
      const sum = view.getUint32(at - entryLength + i) + word + carry
      view.setUint32(at + i, sum)
      carry = sum > 0xffffffff ? 1 : 0
      if (word !== 0) repeated = false
    }
    const top = quotient * scale + reader.bits(shift)
    if (repeated && top === 0) refuse('an entry is repeated')
    const sum = view.getUint32(at - entryLength) + top + carry
    if (sum > 0xffffffff) refuse('an entry overflows')
    view.setUint32(at, sum)
  }
  return packed
}

/**
 * Codes packed, strictly ascending entries; undefined for none, which the protocol says by leaving the field out.
 * @throws {WaryError} `list-format` for entries that descend or are cut
 */
export function encodeRice(entryLength: EntryLength, entries: Uint8Array): RiceEncoded | undefined {
  if (entries.length === 0) return undefined
  if (entries.length % entryLength !== 0) refuse('entries are not whole')
  const entriesCount = entries.length / entryLength - 1
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength)
  const shift = shiftFor(entryLength, entriesCount, view)
  const writer = new BitWriter()
  const scale = 2 ** shift
  const lower = new Uint32Array(entryLength / 4 - 1)
  for (let at = entryLength as number; at < entries.length; at += entryLength) {
    let borrow = 0
    for (let i = entryLength - 4, w = 0; i > 0; i -= 4, w++) {
      const difference = view.getUint32(at + i) - view.getUint32(at - entryLength + i) - borrow
      lower[w] = difference
      borrow = difference < 0 ? 1 : 0
    }
    const top = view.getUint32(at) - view.getUint32(at - entryLength) - borrow
    if (top < 0) refuse('entries are not in ascending order')
    writer.unary(Math.floor(top / scale))
    for (const word of lower) writer.bits(word, 32)
    writer.bits(top % scale, shift)
  }
  return {
    firstValue: entries.slice(0, entryLength),
    riceParameter: lowerBits(entryLength) + shift,
    entriesCount,
    encodedData: writer.bytes(),
  }
}

/**
 * The best parameter for differences that are spread geometrically, as those of hashes are: 1 + floor(log2(ln(golden ratio) x mean)) (Kiely,
 * "Selecting the Golomb Parameter in Rice Coding", 2004). Of the top word, which alone has quotient bits.
 */
function shiftFor(entryLength: EntryLength, entriesCount: number, view: DataView): number {
  const span = view.getUint32(entriesCount * entryLength) - view.getUint32(0)
  const mean = span / Math.max(entriesCount, 1)
  return Math.min(Math.max(1 + Math.floor(Math.log2(0.4812118 * mean)), LEAST), MOST)
}
