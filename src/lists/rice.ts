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

/** Parameters that the v5 text allows for each entry length, both included. */
const PARAMETERS: { readonly [L in EntryLength]: readonly [number, number] } = { 4: [3, 30], 8: [35, 62], 16: [99, 126], 32: [227, 254] }

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
      const bit = ((this.#bytes[this.#at >> 3] as number) >> (this.#at & 7)) & 1
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
      const piece = ((this.#bytes[this.#at >> 3] as number) >> offset) & ((1 << take) - 1)
      value += piece * 2 ** taken
      taken += take
      this.#at += take
    }
    return value
  }

  wide(count: number): bigint {
    let value = 0n
    for (let taken = 0; taken < count; taken += 32) value |= BigInt(this.bits(Math.min(32, count - taken))) << BigInt(taken)
    return value
  }
}

class BitWriter {
  #bytes = new Uint8Array(1024)
  #at = 0

  unary(ones: number): void {
    for (let i = 0; i < ones; i++) this.bits(1, 1)
    this.bits(0, 1)
  }

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
      this.#bytes[this.#at >> 3] = (this.#bytes[this.#at >> 3] as number) | ((rest % 2 ** put) << offset)
      rest = Math.floor(rest / 2 ** put)
      left -= put
      this.#at += put
    }
  }

  wide(value: bigint, count: number): void {
    for (let put = 0; put < count; put += 32) this.bits(Number((value >> BigInt(put)) & 0xffffffffn), Math.min(32, count - put))
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
  const [least, most] = PARAMETERS[entryLength]
  if (riceParameter < least) refuse(`the Rice parameter ${riceParameter} is too small`)
  if (riceParameter > most) refuse(`the Rice parameter ${riceParameter} is too large`)
  // Every difference takes its remainder and at least one bit of quotient.
  if (entriesCount * (riceParameter + 1) > encodedData.length * 8) refuse('the coded data ends too early')
  const entries = new Uint8Array((entriesCount + 1) * entryLength)
  entries.set(firstValue)
  const view = new DataView(entries.buffer)
  const reader = new BitReader(encodedData)
  if (entryLength === 4) decodeNarrow(view, reader, entriesCount, riceParameter)
  else decodeWide(view, entryLength, reader, entriesCount, riceParameter)
  return entries
}

function decodeNarrow(view: DataView, reader: BitReader, count: number, parameter: number): void {
  let value = view.getUint32(0)
  const scale = 2 ** parameter
  for (let i = 1; i <= count; i++) {
    const difference = reader.unary() * scale + reader.bits(parameter)
    value += difference
    if (difference === 0) refuse('an entry is repeated')
    if (value > 0xffffffff) refuse('an entry overflows')
    view.setUint32(4 * i, value)
  }
}

function decodeWide(view: DataView, entryLength: EntryLength, reader: BitReader, count: number, parameter: number): void {
  let value = readWide(view, 0, entryLength)
  const limit = 1n << BigInt(8 * entryLength)
  for (let i = 1; i <= count; i++) {
    const difference = (BigInt(reader.unary()) << BigInt(parameter)) | reader.wide(parameter)
    value += difference
    if (difference === 0n) refuse('an entry is repeated')
    if (value >= limit) refuse('an entry overflows')
    writeWide(view, entryLength * i, entryLength, value)
  }
}

/**
 * Codes packed, strictly ascending entries; undefined for none, which the protocol says by leaving the field out.
 */
export function encodeRice(entryLength: EntryLength, entries: Uint8Array): RiceEncoded | undefined {
  const count = entries.length / entryLength
  if (count === 0) return undefined
  const firstValue = entries.slice(0, entryLength)
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength)
  const riceParameter = parameterFor(entryLength, count, view)
  if (count === 1) return { firstValue, riceParameter, entriesCount: 0, encodedData: new Uint8Array(0) }
  const writer = new BitWriter()
  if (entryLength === 4) {
    for (let i = 1; i < count; i++) {
      const difference = view.getUint32(4 * i) - view.getUint32(4 * (i - 1))
      writer.unary(Math.floor(difference / 2 ** riceParameter))
      writer.bits(difference % 2 ** riceParameter, riceParameter)
    }
  } else {
    const mask = (1n << BigInt(riceParameter)) - 1n
    let former = readWide(view, 0, entryLength)
    for (let i = 1; i < count; i++) {
      const value = readWide(view, entryLength * i, entryLength)
      const difference = value - former
      writer.unary(Number(difference >> BigInt(riceParameter)))
      writer.wide(difference & mask, riceParameter)
      former = value
    }
  }
  return { firstValue, riceParameter, entriesCount: count - 1, encodedData: writer.bytes() }
}

/** The parameter nearest to log2 of the mean difference times ln 2, which is best for evenly spread values. */
function parameterFor(entryLength: EntryLength, count: number, view: DataView): number {
  const [least, most] = PARAMETERS[entryLength]
  const bits = 8 * entryLength
  // The top 32 bits say enough about the span.
  const span = (view.getUint32((count - 1) * entryLength) - view.getUint32(0) + 1) * 2 ** (bits - 32)
  const ideal = Math.floor(Math.log2((span / Math.max(count - 1, 1)) * Math.LN2))
  return Math.min(Math.max(ideal, least), most)
}

function readWide(view: DataView, at: number, length: number): bigint {
  let value = 0n
  for (let i = 0; i < length; i += 8) value = (value << 64n) | view.getBigUint64(at + i)
  return value
}

function writeWide(view: DataView, at: number, length: number, value: bigint): void {
  let rest = value
  for (let i = length - 8; i >= 0; i -= 8) {
    view.setBigUint64(at + i, BigInt.asUintN(64, rest))
    rest >>= 64n
  }
}
