import { WaryError } from '../errors.ts'
import { crc32 } from './crc32.ts'
import { MOST_BITS, MOST_HASHES } from './parameters.ts'

/**
 * The filter file, all numbers little-endian:
 *
 * | offset | bytes | field |
 * |---|---|---|
 * | 0 | 4 | magic `WFLT` |
 * | 4 | 1 | format version, 1 |
 * | 5 | 1 | kind: 1 standard Bloom |
 * | 6 | 1 | hash: 1 two MurmurHash3 x86_32, combined as bloom.ts says |
 * | 7 | 1 | k, the number of hash functions, 1 to 32 |
 * | 8 | 4 | seed |
 * | 12 | 4 | CRC-32 of the whole file with these four bytes zero |
 * | 16 | 8 | m, the number of bits, 1 to 2^32 |
 * | 24 | 8 | capacity in keys |
 * | 32 | 8 | keys added |
 * | 40 | ceil(m / 8) | the bits, bit i in byte i >> 3 at position i & 7; unused bits of the last byte are 0 |
 */
export const HEADER_BYTES = 40
const MAGIC = 0x544c4657
const VERSION = 1
const BLOOM = 1
const MURMUR_PAIR = 1

export interface BloomHeader {
  readonly bits: number
  readonly hashes: number
  readonly seed: number
  readonly capacity: number
  readonly count: number
}

function refuse(message: string): never {
  throw new WaryError('filter-format', message)
}

export function encodeBloom(header: BloomHeader, bits: Uint8Array): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(HEADER_BYTES + bits.length)
  const view = new DataView(file.buffer)
  view.setUint32(0, MAGIC, true)
  file.set([VERSION, BLOOM, MURMUR_PAIR, header.hashes], 4)
  view.setUint32(8, header.seed, true)
  view.setBigUint64(16, BigInt(header.bits), true)
  view.setBigUint64(24, BigInt(header.capacity), true)
  view.setBigUint64(32, BigInt(header.count), true)
  file.set(bits, HEADER_BYTES)
  view.setUint32(12, crc32(file), true)
  return file
}

/**
 * Header and bits of a filter file; the bits are a view of `file`, not a copy.
 * @throws {WaryError} `filter-format` for anything but a whole, undamaged file of this version
 */
export function decodeBloom(file: Uint8Array): { header: BloomHeader; bits: Uint8Array } {
  if (file.length < HEADER_BYTES) refuse(`a filter file has at least ${HEADER_BYTES} bytes, not ${file.length}`)
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (view.getUint32(0, true) !== MAGIC) refuse('not a filter file')
  if (file[4] !== VERSION) refuse(`format version ${file[4]} is not known`)
  if (file[5] !== BLOOM) refuse(`filter kind ${file[5]} is not known`)
  if (file[6] !== MURMUR_PAIR) refuse(`hash ${file[6]} is not known`)
  const hashes = file[7] as number
  if (hashes < 1 || hashes > MOST_HASHES) refuse(`${hashes} hash functions are out of range`)
  const bits = Number(view.getBigUint64(16, true))
  if (bits < 1 || bits > MOST_BITS) refuse(`${bits} bits are out of range`)
  if (file.length !== HEADER_BYTES + Math.ceil(bits / 8)) refuse(`${bits} bits do not make a file of ${file.length} bytes`)
  const capacity = Number(view.getBigUint64(24, true))
  const count = Number(view.getBigUint64(32, true))
  if (!Number.isSafeInteger(capacity) || !Number.isSafeInteger(count)) refuse('counts are out of range')
  if (bits % 8 !== 0 && (file[file.length - 1] as number) >> (bits % 8) !== 0) refuse('unused bits are set')
  const crc = crc32(file.subarray(16), crc32(new Uint8Array(4), crc32(file.subarray(0, 12))))
  if (crc !== view.getUint32(12, true)) refuse('the checksum does not hold')
  return { header: { bits, hashes, seed: view.getUint32(8, true), capacity, count }, bits: file.subarray(HEADER_BYTES) }
}
