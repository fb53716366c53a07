import { finished, type Steps } from '../steps.ts'
import type { EntryLength } from './hash-list.ts'
import { LEAST_SHIFT, lowerBits, MOST_SHIFT, type RiceEncoded, refuseCoding, SIGN } from './rice.ts'

/** Bytes behind the coded data, so that a read of 32 bits at any place in it stays inside. */
const PADDING = 8
/** Takes less than a millisecond. */
const ENTRIES_A_STEP = 4096

/**
 * Packed, sorted entries of `encoded`. Memory is bounded by the data that is there, never by the count that is claimed.
 * @throws {WaryError} `list-format`: parameter out of range, data too short, values that overflow or do not ascend
 */
export function decodeRice(entryLength: EntryLength, encoded: RiceEncoded): Uint8Array {
  return finished(decodingRice(entryLength, encoded))
}

/** As `decodeRice`, in steps. */
export function* decodingRice(entryLength: EntryLength, encoded: RiceEncoded): Steps<Uint8Array> {
  const { firstValue, riceParameter, entriesCount, encodedData } = encoded
  if (firstValue.length !== entryLength) refuseCoding(`the first value has ${firstValue.length} bytes instead of ${entryLength}`)
  if (!Number.isSafeInteger(entriesCount) || entriesCount < 0) refuseCoding(`a count of ${entriesCount} is not possible`)
  if (entriesCount === 0) return firstValue.slice()
  const shift = riceParameter - lowerBits(entryLength)
  if (shift < LEAST_SHIFT) refuseCoding(`the Rice parameter ${riceParameter} is too small`)
  if (shift > MOST_SHIFT) refuseCoding(`the Rice parameter ${riceParameter} is too large`)
  // Every difference takes its remainder and at least one bit of quotient.
  if (entriesCount * (riceParameter + 1) > encodedData.length * 8) refuseCoding('the coded data ends too early')
  if (encodedData.length > MOST_BYTES) refuseCoding(`${encodedData.length} bytes of coded data are too many`)
  const packed = new Uint8Array((entriesCount + 1) * entryLength)
  packed.set(firstValue)
  const coded = withRoom(encodedData)
  const end = encodedData.length * 8
  let at = 0
  for (let out = entryLength; out < packed.length; out += ENTRIES_A_STEP * entryLength) {
    const part = packed.subarray(0, Math.min(out + ENTRIES_A_STEP * entryLength, packed.length))
    at = entryLength === 4 ? decodeWords(coded, at, end, shift, part, out) : decodeWide(coded, at, end, shift, part, entryLength, out)
    yield
  }
  return packed
}

/** A view of the data with PADDING bytes behind it: those that are there, whatever they are, else of a copy. What takes a bit behind the end is refused. */
function withRoom({ buffer, byteOffset, length }: Uint8Array): DataView {
  if (byteOffset + length + PADDING <= buffer.byteLength) return new DataView(buffer, byteOffset, length + PADDING)
  const padded = new Uint8Array(length + PADDING)
  padded.set(new Uint8Array(buffer, byteOffset, length))
  return new DataView(padded.buffer)
}

/** Bits are counted in 32-bit numbers. */
const MOST_BYTES = 2 ** 28 - PADDING

/** Ones from bit `at` on, which is not behind `end`. */
function onesAt(coded: DataView, at: number, end: number): number {
  let ones = 0
  for (;;) {
    const place = at + ones
    if (place > end) refuseCoding('the coded data ends too early')
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

/** Entries of four bytes from byte `from` of `packed` on, the one before them is there. Answers the bit behind what was read. */
function decodeWords(coded: DataView, start: number, end: number, shift: number, packed: Uint8Array, from: number): number {
  const view = new DataView(packed.buffer)
  const mask = (1 << shift) - 1
  let value = view.getInt32(from - 4)
  let at = start
  for (let out = from; out < packed.length; out += 4) {
    // One load has 25 bits for sure, which is quotient and remainder of most entries; zeros come in from above.
    const window = (coded.getInt32(at >>> 3, true) >>> (at & 7)) & 0x7fffffff
    let quotient = trailingOnes(window)
    let remainder = window >>> (quotient + 1)
    if (quotient + shift >= 25) {
      quotient = onesAt(coded, at, end)
      if (at + quotient + 1 + shift > end) refuseCoding('the coded data ends too early')
      remainder = wordAt(coded, at + quotient + 1)
    }
    at += quotient + 1 + shift
    if (at > end) refuseCoding('the coded data ends too early')
    remainder &= mask
    if (quotient >>> (32 - shift) !== 0) refuseCoding('an entry overflows')
    const former = value
    value = (former + ((quotient << shift) | remainder)) | 0
    // Unsigned order of signed numbers: with the sign bit turned over.
    if ((value ^ SIGN) <= (former ^ SIGN)) refuseCoding(value === former ? 'an entry is repeated' : 'an entry overflows')
    view.setInt32(out, value)
  }
  return at
}

/** As `decodeWords`, of entries of more than four bytes. */
function decodeWide(
  coded: DataView,
  start: number,
  end: number,
  shift: number,
  packed: Uint8Array,
  entryLength: number,
  from: number,
): number {
  const view = new DataView(packed.buffer)
  const mask = (1 << shift) - 1
  const rest = 8 * entryLength - 32 + shift
  let at = start
  for (let out = from; out < packed.length; out += entryLength) {
    const quotient = onesAt(coded, at, end)
    at += quotient + 1
    if (at + rest > end) refuseCoding('the coded data ends too early')
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
    if (difference === 0 && top === 0 && quotient === 0) refuseCoding('an entry is repeated')
    const sum = view.getUint32(out - entryLength) + quotient * (mask + 1) + (top & mask) + carry
    if (sum > 0xffffffff) refuseCoding('an entry overflows')
    view.setUint32(out, sum)
  }
  return at
}
