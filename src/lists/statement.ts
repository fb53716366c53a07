import { concatBytes } from '../bytes.ts'
import { WaryError } from '../errors.ts'

/**
 * Statements: the bytes that signatures are made over. A tag in ASCII, then each field in a fixed order as a length (4 bytes, big-endian)
 * and that many bytes: text in UTF-8, numbers in 8 bytes big-endian, hashes as they are.
 */
export type StatementField = string | number | Uint8Array

const encoder = new TextEncoder()
const LONGEST_TEXT = 64

export function encodeStatement(tag: string, fields: readonly StatementField[]): Uint8Array<ArrayBuffer> {
  return concatBytes([encoder.encode(tag), ...fields.flatMap(encodeField)])
}

function encodeField(field: StatementField): Uint8Array[] {
  const bytes = typeof field === 'string' ? encoder.encode(field) : typeof field === 'number' ? numberBytes(field) : field
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, bytes.length)
  return [length, bytes]
}

function numberBytes(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`a statement cannot hold the number ${value}`)
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value))
  return bytes
}

/** Reads a statement field by field, strictly. Every method throws WaryError `state-format`. */
export class StatementReader {
  readonly #bytes: Uint8Array
  #at: number

  constructor(tag: string, bytes: Uint8Array) {
    const expected = encoder.encode(tag)
    if (bytes.length < expected.length || expected.some((byte, i) => byte !== bytes[i]))
      throw new WaryError('state-format', `not a ${tag} statement`)
    this.#bytes = bytes
    this.#at = expected.length
  }

  text(): string {
    const bytes = this.#field()
    if (bytes.length > LONGEST_TEXT || bytes.some((byte) => byte < 0x20 || byte > 0x7e))
      throw new WaryError('state-format', 'a name is not plain text')
    return String.fromCharCode(...bytes)
  }

  number(): number {
    const bytes = this.#field()
    if (bytes.length !== 8) throw new WaryError('state-format', `a number has ${bytes.length} bytes instead of 8`)
    const value = Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0))
    if (!Number.isSafeInteger(value)) throw new WaryError('state-format', 'a number is out of range')
    return value
  }

  /** 32 bytes. */
  hash(): Uint8Array {
    const bytes = this.#field()
    if (bytes.length !== 32) throw new WaryError('state-format', `a checksum has ${bytes.length} bytes instead of 32`)
    return bytes.slice()
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new WaryError('state-format', 'bytes follow the last field')
  }

  #field(): Uint8Array {
    if (this.#at + 4 > this.#bytes.length) throw new WaryError('state-format', 'the statement ends too early')
    const length = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, 4).getUint32(0)
    const start = this.#at + 4
    if (length > this.#bytes.length - start) throw new WaryError('state-format', 'the statement ends too early')
    this.#at = start + length
    return this.#bytes.subarray(start, this.#at)
  }
}
