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

/** Bytes behind the coded data, so that a read of 32 bits at any place in it stays inside. */
const PADDING = 8

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
  if (encodedData.length > MOST_BYTES) refuse(`${encodedData.length} bytes of coded data are too many`)
  const packed = new Uint8Array((entriesCount + 1) * entryLength)
  packed.set(firstValue)
  const padded = new Uint8Array(encodedData.length + PADDING)
  padded.set(encodedData)
  const coded = new DataView(padded.buffer)
  const end = encodedData.length * 8
  if (entryLength === 4) decodeWords(coded, end, shift, packed)
  else decodeWide(coded, end, shift, packed, entryLength)
  return packed
}

/** Bits are counted in 32-bit numbers. */
const MOST_BYTES = 2 ** 28 - PADDING

/** Ones from bit `at` on; the last bit looked at is below `end` + 8 x PADDING, which is zero. */
function onesAt(coded: DataView, at: number): number {
  let ones = 0
  for (;;) {
    const place = at + ones
    const zeros = ~(coded.getInt32(place >>> 3, true) >> (place & 7))
    const here = zeros === 0 ? 32 : 31 - Math.clz32(zeros & -zeros)
    // The arithmetic shift repeats the top bit: what lies past it is not known yet.
    const known = 32 - (place & 7)
    if (here < known) return ones + here
    ones += known
  }
}

/** Of a number whose top bit is zero. */
function trailingOnes(bits: number): number {
  return 31 - Math.clz32(~bits & (bits + 1))
}

/** 32 bits from bit `at` on, lowest first, signed. */
function wordAt(coded: DataView, at: number): number {
  const byte = at >>> 3
  const offset = at & 7
  return (coded.getInt32(byte, true) >>> offset) | ((coded.getUint8(byte + 4) << 1) << (31 - offset))
}

/** Entries of four bytes behind the first one, which is there. */
function decodeWords(coded: DataView, end: number, shift: number, packed: Uint8Array): void {
  const view = new DataView(packed.buffer)
  const mask = (1 << shift) - 1
  let value = view.getInt32(0)
  let at = 0
  for (let out = 4; out < packed.length; out += 4) {
    // One load has 25 bits for sure, which is quotient and remainder of most entries; zeros come in from above.
    const window = (coded.getInt32(at >>> 3, true) >>> (at & 7)) & 0x7fffffff
    let quotient = trailingOnes(window)
    let remainder = window >>> (quotient + 1)
    if (quotient + shift >= 25) {
      quotient = onesAt(coded, at)
      remainder = wordAt(coded, at + quotient + 1)
    }
    at += quotient + 1 + shift
    if (at > end) refuse('the coded data ends too early')
    remainder &= mask
    if (quotient >>> (32 - shift) !== 0) refuse('an entry overflows')
    const former = value
    value = (former + ((quotient << shift) | remainder)) | 0
    // Unsigned order of signed numbers: with the sign bit turned over.
    if ((value ^ SIGN) <= (former ^ SIGN)) refuse(value === former ? 'an entry is repeated' : 'an entry overflows')
    view.setInt32(out, value)
  }
}

const SIGN = 1 << 31

/** Entries of more than four bytes. */
function decodeWide(coded: DataView, end: number, shift: number, packed: Uint8Array, entryLength: number): void {
  const view = new DataView(packed.buffer)
  const mask = (1 << shift) - 1
  const rest = 8 * entryLength - 32 + shift
  let at = 0
  for (let out = entryLength; out < packed.length; out += entryLength) {
    const quotient = onesAt(coded, at)
    at += quotient + 1
    if (at + rest > end) refuse('the coded data ends too early')
    let carry = 0
    let difference = 0
    for (let i = entryLength - 4; i > 0; i -= 4) {
      const word = wordAt(coded, at)
      at += 32
      difference |= word
      const former = view.getInt32(out - entryLength + i)
      const sum = (former + word + carry) | 0
      // A sum below a part of it has gone past 2^32; equal to it, it has where something was carried in and the other part is all ones.
      carry = (sum ^ SIGN) < (former ^ SIGN) || (carry === 1 && word === -1) ? 1 : 0
      view.setInt32(out + i, sum)
    }
    const top = (quotient << shift) | (wordAt(coded, at) & mask)
    at += shift
    if (difference === 0 && top === 0 && quotient === 0) refuse('an entry is repeated')
    const sum = view.getUint32(out - entryLength) + quotient * (mask + 1) + (top & mask) + carry
    if (sum > 0xffffffff) refuse('an entry overflows')
    view.setUint32(out, sum)
  }
}

/** Bits from the least significant one of each byte on. */
class BitWriter {
  readonly #out: DataView
  #whole = 0
  #part = 0
  #partBits = 0

  constructor(out: DataView) {
    this.#out = out
  }

  unary(ones: number): void {
    let left = ones
    for (; left >= 31; left -= 31) this.bits(0x7fffffff, 31)
    this.bits((1 << left) - 1, left + 1)
  }

  /** The `count` lowest bits of `value`, 1 to 32; higher ones must be zero. */
  bits(value: number, count: number): void {
    const former = this.#partBits
    this.#part |= value << former
    const bits = former + count
    if (bits < 32) {
      this.#partBits = bits
      return
    }
    this.#out.setInt32(this.#whole, this.#part, true)
    this.#whole += 4
    this.#part = former === 0 ? 0 : value >>> (32 - former)
    this.#partBits = bits - 32
  }

  /** Answers how many bits were written. */
  end(): number {
    this.#out.setInt32(this.#whole, this.#part, true)
    return 8 * this.#whole + this.#partBits
  }
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
  const last = view.getUint32(entriesCount * entryLength)
  const span = last - view.getUint32(0)
  const shift = shiftFor(span / Math.max(entriesCount, 1))
  const riceParameter = lowerBits(entryLength) + shift
  // As long as no entry is above the last one, all quotients together are at most that of the whole span.
  const mostBits = entriesCount * (riceParameter + 1) + Math.max(0, span) / 2 ** shift
  const coded = new Uint8Array(4 * Math.ceil(mostBits / 32) + 4)
  const out = new DataView(coded.buffer)
  const bits = entryLength === 4 ? encodeWords(view, shift, out) : encodeWide(view, shift, entryLength, out)
  return { firstValue: entries.slice(0, entryLength), riceParameter, entriesCount, encodedData: coded.subarray(0, Math.ceil(bits / 8)) }
}

/**
 * Entries of four bytes behind the first one, to `out`, which is all zeros and large enough. Answers how many bits. Whether a word is
 * full is no branch: nobody can guess it, and each wrong guess costs as much as the rest of an entry.
 */
function encodeWords(view: DataView, shift: number, out: DataView): number {
  const mask = (1 << shift) - 1
  const last = view.getInt32(view.byteLength - 4) ^ SIGN
  let value = view.getInt32(0)
  let whole = 0
  let part = 0
  let partBits = 0
  for (let at = 4; at < view.byteLength; at += 4) {
    const former = value
    value = view.getInt32(at)
    if ((value ^ SIGN) < (former ^ SIGN) || (value ^ SIGN) > last) refuse('entries are not in ascending order')
    const difference = value - former
    const remainder = difference & mask
    let quotient = difference >>> shift
    // One turn, but for what is too long for one: sixteen ones at a time, then the quotient's end, then the remainder alone.
    for (let more = true; more; ) {
      let code = remainder
      let bits = shift
      more = quotient > 15 || quotient + shift > 31
      if (quotient > 15) {
        code = 0xffff
        bits = 16
        quotient -= 16
      } else if (more) {
        code = (1 << quotient) - 1
        bits = quotient + 1
        quotient = -1
      } else if (quotient >= 0) {
        code = ((1 << quotient) - 1) | (remainder << (quotient + 1))
        bits = quotient + 1 + shift
      }
      part |= code << partBits
      out.setInt32(whole, part, true)
      const all = partBits + bits
      const full = all >>> 5
      part = (part & (full - 1)) | (((code >>> 1) >>> (31 - partBits)) & -full)
      whole += full << 2
      partBits = all & 31
    }
  }
  out.setInt32(whole, part, true)
  return 8 * whole + partBits
}

/** Entries of more than four bytes. */
function encodeWide(view: DataView, shift: number, entryLength: number, out: DataView): number {
  const writer = new BitWriter(out)
  const mask = (1 << shift) - 1
  const last = view.getUint32(view.byteLength - entryLength)
  const lower = new Int32Array(entryLength / 4 - 1)
  for (let at = entryLength; at < view.byteLength; at += entryLength) {
    let borrow = 0
    for (let i = entryLength - 4, w = 0; i > 0; i -= 4, w++) {
      const value = view.getInt32(at + i)
      const former = view.getInt32(at - entryLength + i)
      const difference = (value - former - borrow) | 0
      lower[w] = difference
      borrow = (value ^ SIGN) < (former ^ SIGN) || (borrow === 1 && value === former) ? 1 : 0
    }
    const top = view.getUint32(at) - view.getUint32(at - entryLength) - borrow
    if (top < 0 || view.getUint32(at) > last) refuse('entries are not in ascending order')
    writer.unary(top >>> shift)
    for (let w = 0; w < lower.length; w++) writer.bits(lower[w] as number, 32)
    writer.bits(top & mask, shift)
  }
  return writer.end()
}

/**
 * The best parameter for differences that are spread geometrically, as those of hashes are: 1 + floor(log2(ln(golden ratio) x mean)) (Kiely,
 * "Selecting the Golomb Parameter in Rice Coding", 2004). Of the top word, which alone has quotient bits.
 */
function shiftFor(mean: number): number {
  return Math.min(Math.max(1 + Math.floor(Math.log2(0.4812118 * mean)), LEAST), MOST)
}
