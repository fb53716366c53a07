import { WaryError } from '../errors.ts'
import { checkBytes } from './byte-check.ts'
import { crc32 } from './crc32.ts'
import type { FilterKind } from './membership-filter.ts'

/**
 * The filter file, all numbers little-endian:
 *
 * | offset | bytes | field |
 * |---|---|---|
 * | 0 | 4 | magic `WFLT` |
 * | 4 | 1 | format version, 2 |
 * | 5 | 1 | kind, as in KINDS |
 * | 6 | 1 | hash: 2, the first 64 bits of MurmurHash3 x86_128, or a ready hash (key-hash.ts) |
 * | 7 | 1 | P, the number of parameters that the kind has |
 * | 8 | 4 | seed |
 * | 12 | 4 | CRC-32 of the whole file with these four bytes zero |
 * | 16 | 8 | keys in |
 * | 24 | 8 P | parameters: whole numbers up to 2^53 - 1, or a float64 where the kind says so |
 * | 24 + 8 P | | the body, whose length follows from kind and parameters |
 */
const FIXED_BYTES = 24
const MAGIC = 0x544c4657
const VERSION = 2
const MURMUR3_X86_128 = 2
const CHECKSUM_AT = 12

const KINDS: { readonly [K in FilterKind]: number } = {
  bloom: 1,
  'paged-bloom': 2,
  'counting-bloom': 3,
  'scalable-bloom': 4,
  cuckoo: 5,
  quotient: 6,
  'binary-fuse': 7,
}

/** What stands in front of the body, but for what is the same in all files. */
export interface FilterHead {
  readonly kind: FilterKind
  readonly seed: number
  readonly count: number
  /** Whole numbers; what is none goes in as the bits of a float64, see `floatParameter`. */
  readonly parameters: readonly bigint[]
}

/** Bytes in front of the body. */
export function headBytes(parameters: number): number {
  return FIXED_BYTES + 8 * parameters
}

/** @throws {WaryError} `filter-format`, always */
export function refuseFile(message: string): never {
  throw new WaryError('filter-format', message)
}

/** A file with `head` and an empty body of `bodyLength` bytes, which the caller fills before `seal`. */
export function newFile(head: FilterHead, bodyLength: number): { file: Uint8Array<ArrayBuffer>; body: Uint8Array<ArrayBuffer> } {
  const { parameters } = head
  const file = new Uint8Array(headBytes(parameters.length) + bodyLength)
  const view = new DataView(file.buffer)
  view.setUint32(0, MAGIC, true)
  file.set([VERSION, KINDS[head.kind], MURMUR3_X86_128, parameters.length], 4)
  view.setUint32(8, head.seed, true)
  // A count that a file cannot say would make it one that nobody opens.
  view.setBigUint64(16, BigInt(Math.min(head.count, Number.MAX_SAFE_INTEGER)), true)
  for (const [i, parameter] of parameters.entries()) view.setBigUint64(headBytes(i), parameter, true)
  return { file, body: file.subarray(headBytes(parameters.length)) }
}

/** Writes the checksum of a file whose body is complete. */
export function seal(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  view(file).setUint32(CHECKSUM_AT, checksum(file), true)
  return file
}

/** The checksum that a file of this or a related format carries; whether it holds is another question. */
export function carriedChecksum(file: Uint8Array): number {
  return view(file).getUint32(CHECKSUM_AT, true)
}

/** Reads all of the file. @throws {WaryError} `filter-format` where the checksum that it carries does not hold */
export function verifyChecksum(file: Uint8Array): void {
  if (checksum(file) !== carriedChecksum(file)) refuseFile('the checksum does not hold')
}

/** Head and body in one step. */
export function encodeFilter(head: FilterHead, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { file, body } = newFile(head, content.length)
  body.set(content)
  return seal(file)
}

/**
 * Head and body of a file of `kind` with `parameters` parameters; the body is a view of `file`, not a copy. Whether the parameters are
 * possible and the body has the length that they ask for is up to the kind. Reads the head only: `verifyFile` reads all of it.
 * @throws {WaryError} `filter-format`
 */
export function openFile(file: Uint8Array, kind: FilterKind, parameters: number): { head: FilterHead; body: Uint8Array } {
  const found = kindOf(file)
  if (found !== kind) refuseFile(`a filter of the kind ${found} instead of ${kind}`)
  if (file[7] !== parameters) refuseFile(`${file[7]} parameters instead of ${parameters}`)
  if (file.length < headBytes(parameters)) refuseFile('the file ends within its head')
  const fields = view(file)
  const head: FilterHead = {
    kind,
    seed: fields.getUint32(8, true),
    count: wholeNumber(fields.getBigUint64(16, true)),
    parameters: Array.from({ length: parameters }, (_, i) => fields.getBigUint64(headBytes(i), true)),
  }
  return { head, body: file.subarray(headBytes(parameters)) }
}

/**
 * The kind of filter that a file holds.
 * @throws {WaryError} `filter-format`
 * @throws {TypeError} `file` is no Uint8Array; of an ArrayBuffer make one, which copies nothing
 */
export function kindOf(file: Uint8Array): FilterKind {
  checkBytes(file, 'a filter file')
  if (file.length < FIXED_BYTES) refuseFile(`a filter file has at least ${FIXED_BYTES} bytes, not ${file.length}`)
  if (view(file).getUint32(0, true) !== MAGIC) refuseFile('not a filter file')
  if (file[4] !== VERSION) refuseFile(`format version ${file[4]} is not known`)
  const kind = Object.entries(KINDS).find(([, number]) => number === file[5])?.[0]
  if (kind === undefined || !isKind(kind)) refuseFile(`filter kind ${file[5]} is not known`)
  if (file[6] !== MURMUR3_X86_128) refuseFile(`hash ${file[6]} is not known`)
  return kind
}

function isKind(name: string): name is FilterKind {
  return Object.hasOwn(KINDS, name)
}

/** Reads all of the file. @throws {WaryError} `filter-format` where the checksum does not hold */
export function verifyFile(file: Uint8Array): void {
  kindOf(file)
  verifyChecksum(file)
}

/** A parameter as a number. @throws {WaryError} `filter-format` above 2^53 - 1 */
export function wholeNumber(parameter: bigint | undefined): number {
  const number = Number(parameter)
  if (!Number.isSafeInteger(number)) refuseFile(`the parameter ${parameter} is out of range`)
  return number
}

/** A parameter that is no whole number: the bits of its float64. */
export function floatParameter(number: number): bigint {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, number)
  return bits.getBigUint64(0)
}

/** The other way round. 0 for a parameter that is not there. */
export function floatOf(parameter: bigint | undefined): number {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setBigUint64(0, parameter ?? 0n)
  return bits.getFloat64(0)
}

function view(file: Uint8Array): DataView {
  return new DataView(file.buffer, file.byteOffset, file.byteLength)
}

function checksum(file: Uint8Array): number {
  const before = crc32(file.subarray(0, CHECKSUM_AT))
  return crc32(file.subarray(CHECKSUM_AT + 4), crc32(new Uint8Array(4), before))
}
