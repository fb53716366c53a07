import { createHash } from 'node:crypto'
import { compareBytes, equalBytes } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { THREAT_TYPES, type ThreatType } from '../protocol/threat-type.ts'

/**
 * LIST.fullhashes, what the server answers from; numbers are little-endian:
 *
 * | offset | bytes | field |
 * |---|---|---|
 * | 0 | 4 | magic `WFHS` |
 * | 4 | 1 | format version, 1 |
 * | 5 | 3 | 0 |
 * | 8 | 4 | number of hashes n |
 * | 12 | 32 n | full hashes, strictly ascending |
 * | 12 + 32 n | n | threat types of each: bit t - 1 for the v5 type t; at least one |
 * | 12 + 33 n | 32 | SHA-256 of everything before |
 */
const MAGIC = 'WFHS'
const VERSION = 1
const HEADER_BYTES = 12
const HASH_BYTES = 32
const ALL_TYPES = (1 << THREAT_TYPES.length) - 1

/** Full hashes and their threat types, as a publisher gathers them. */
export class FullHashCollection {
  /** Threat type bits by hash in hexadecimal: its order is that of the bytes. */
  readonly #types = new Map<string, number>()

  get count(): number {
    return this.#types.size
  }

  /** @returns whether the hash is new here */
  add(hash: Uint8Array, type: ThreatType): boolean {
    const key = Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('hex')
    const known = this.#types.get(key)
    this.#types.set(key, (known ?? 0) | (1 << THREAT_TYPES.indexOf(type)))
    return known === undefined
  }

  /** The first `length` bytes of every hash, packed, in no order. */
  entries(length: number): Uint8Array {
    const packed = Buffer.alloc(this.#types.size * length)
    let at = 0
    for (const hash of this.#types.keys()) at += packed.write(hash.slice(0, 2 * length), at, 'hex')
    return plain(packed)
  }

  /** The file's bytes. */
  toBytes(): Uint8Array {
    const hashes = [...this.#types].sort(([a], [b]) => (a < b ? -1 : 1))
    const file = Buffer.alloc(HEADER_BYTES + (HASH_BYTES + 1) * hashes.length + HASH_BYTES)
    file.write(MAGIC, 0, 'latin1')
    file[4] = VERSION
    file.writeUInt32LE(hashes.length, 8)
    for (const [i, [hash, types]] of hashes.entries()) {
      file.write(hash, HEADER_BYTES + HASH_BYTES * i, 'hex')
      file[HEADER_BYTES + HASH_BYTES * hashes.length + i] = types
    }
    const end = file.length - HASH_BYTES
    createHash('sha256').update(file.subarray(0, end)).digest().copy(file, end)
    return plain(file)
  }
}

/** The full hashes of a list, sorted, in the bytes of the file itself. */
export class FullHashFile {
  readonly count: number
  readonly #file: Uint8Array

  /** @throws {WaryError} `publish-damaged` for anything but a whole, undamaged file of this version */
  constructor(file: Uint8Array) {
    if (file.length < HEADER_BYTES + HASH_BYTES || Buffer.from(file.subarray(0, 4)).toString('latin1') !== MAGIC) damaged('not such a file')
    if (file[4] !== VERSION) damaged(`format version ${file[4]} is not known`)
    this.count = new DataView(file.buffer, file.byteOffset, file.byteLength).getUint32(8, true)
    if (file.length !== HEADER_BYTES + (HASH_BYTES + 1) * this.count + HASH_BYTES) damaged('its length does not match its count')
    const end = file.length - HASH_BYTES
    if (!equalBytes(createHash('sha256').update(file.subarray(0, end)).digest(), file.subarray(end))) damaged('its checksum does not hold')
    this.#file = file
    for (let i = 0; i < this.count; i++) {
      if (i > 0 && compareBytes(this.hash(i - 1), this.hash(i)) >= 0) damaged('hashes are not in strictly ascending order')
      if (this.#types(i) === 0 || this.#types(i) > ALL_TYPES) damaged('a hash has threat types that are not known')
    }
  }

  /** The `index`th hash in order: 32 bytes, a view of the file. */
  hash(index: number): Uint8Array {
    return this.#file.subarray(HEADER_BYTES + HASH_BYTES * index, HEADER_BYTES + HASH_BYTES * (index + 1))
  }

  /** Full hashes that begin with `prefix`, in order, with their threat types. */
  withPrefix(prefix: Uint8Array): { readonly hash: Uint8Array; readonly threatTypes: readonly ThreatType[] }[] {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareBytes(this.hash(middle).subarray(0, prefix.length), prefix) < 0) low = middle + 1
      else high = middle
    }
    const found = []
    for (let i = low; i < this.count && equalBytes(this.hash(i).subarray(0, prefix.length), prefix); i++) {
      found.push({ hash: this.hash(i), threatTypes: THREAT_TYPES.filter((_, bit) => (this.#types(i) >> bit) & 1) })
    }
    return found
  }

  #types(index: number): number {
    return this.#file[HEADER_BYTES + HASH_BYTES * this.count + index] ?? 0
  }
}

/** Without Buffer's own `slice`, which does not copy. */
function plain(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

function damaged(message: string): never {
  throw new WaryError('publish-damaged', `the full hashes cannot be used: ${message}`)
}
