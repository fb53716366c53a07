import { concatBytes } from '../bytes.ts'
import { WaryError } from '../errors.ts'

/**
 * Statements: the bytes that signatures are made over. A tag in ASCII, then each field in a fixed order as a length (4 bytes, big-endian)
 * and that many bytes: text in UTF-8, numbers in 8 bytes big-endian, hashes as they are.
 */
export type StatementField = string | number | Uint8Array

/** What every statement about a list says, whatever form the list has. Times are milliseconds since 1970, in whole seconds. */
export interface SignedFacts {
  readonly name: string
  /** Raised to recover from a lost sequence number. */
  readonly epoch: number
  /** Raised by every publication within an epoch. */
  readonly sequence: number
  readonly entryCount: number
  /** SHA-256 of what is signed: the sorted entries, or the filter's file. */
  readonly checksum: Uint8Array
  readonly issuedAt: number
  readonly expiresAt: number
}

const encoder = new TextEncoder()
const LONGEST_TEXT = 64
const HASH_BYTES = 32

function refuse(message: string): never {
  throw new WaryError('state-format', message)
}

/** @throws {WaryError} `state-format` for a field that `StatementReader` would refuse: nothing is signed that nobody takes */
export function encodeStatement(tag: string, fields: readonly StatementField[]): Uint8Array<ArrayBuffer> {
  return concatBytes([encoder.encode(tag), ...fields.flatMap(encodeField)])
}

function encodeField(field: StatementField): Uint8Array[] {
  const bytes = typeof field === 'string' ? textBytes(field) : typeof field === 'number' ? numberBytes(field) : field
  if (typeof field === 'object' && field.length !== HASH_BYTES) refuse(`a checksum has ${field.length} bytes instead of ${HASH_BYTES}`)
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, bytes.length)
  return [length, bytes]
}

function textBytes(text: string): Uint8Array {
  const bytes = encoder.encode(text)
  if (!isPlain(bytes)) refuse('a name is not plain text')
  return bytes
}

function isPlain(bytes: Uint8Array): boolean {
  return bytes.length <= LONGEST_TEXT && bytes.every((byte) => byte >= 0x20 && byte <= 0x7e)
}

function numberBytes(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) refuse(`a statement cannot hold the number ${value}`)
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
    if (bytes.length < expected.length || expected.some((byte, i) => byte !== bytes[i])) refuse(`not a ${tag} statement`)
    this.#bytes = bytes
    this.#at = expected.length
  }

  text(): string {
    const bytes = this.#field()
    if (!isPlain(bytes)) refuse('a name is not plain text')
    return String.fromCharCode(...bytes)
  }

  number(): number {
    const bytes = this.#field()
    if (bytes.length !== 8) refuse(`a number has ${bytes.length} bytes instead of 8`)
    const value = Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0))
    if (!Number.isSafeInteger(value)) refuse('a number is out of range')
    return value
  }

  /** Milliseconds since 1970, of whole seconds. */
  time(): number {
    const milliseconds = this.number() * 1000
    if (!Number.isSafeInteger(milliseconds)) refuse('a time is out of range')
    return milliseconds
  }

  /** 32 bytes. */
  hash(): Uint8Array {
    const bytes = this.#field()
    if (bytes.length !== HASH_BYTES) refuse(`a checksum has ${bytes.length} bytes instead of ${HASH_BYTES}`)
    return bytes.slice()
  }

  end(): void {
    if (this.#at !== this.#bytes.length) refuse('bytes follow the last field')
  }

  #field(): Uint8Array {
    if (this.#at + 4 > this.#bytes.length) refuse('the statement ends too early')
    const length = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, 4).getUint32(0)
    const start = this.#at + 4
    if (length > this.#bytes.length - start) refuse('the statement ends too early')
    this.#at = start + length
    return this.#bytes.subarray(start, this.#at)
  }
}
