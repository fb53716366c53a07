import type { EntryLength } from './hash-list.ts'
import { LEAST_SHIFT, lowerBits, MOST_SHIFT, type RiceEncoded, refuseCoding, SIGN } from './rice.ts'

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
  if (entries.length % entryLength !== 0) refuseCoding('entries are not whole')
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
    if ((value ^ SIGN) < (former ^ SIGN) || (value ^ SIGN) > last) refuseCoding('entries are not in ascending order')
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
    if (top < 0 || view.getUint32(at) > last) refuseCoding('entries are not in ascending order')
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
  return Math.min(Math.max(1 + Math.floor(Math.log2(0.4812118 * mean)), LEAST_SHIFT), MOST_SHIFT)
}
