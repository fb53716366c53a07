import { createHash } from 'node:crypto'
import { compareBytes, equalBytes, toHex } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { THREAT_TYPES, type ThreatType } from '../protocol/threat-type.ts'

/**
 * LIST.fullhashes, what the server answers from:
 *
 * | offset | bytes | field |
 * |---|---|---|
 * | 0 | 4 | magic `WFHS` |
 * | 4 | 1 | format version, 1 |
 * | 5 | 3 | 0 |
 * | 8 | 4 | number of hashes n, little-endian |
 * | 12 | 32 n | full hashes, ascending |
 * | 12 + 32 n | n | threat types of each: bit t - 1 for the v5 type t |
 * | 12 + 33 n | 32 | SHA-256 of everything before |
 */
const MAGIC = 'WFHS'
const HEADER_BYTES = 12
const HASH_BYTES = 32
const MOST_HASHES = 50_000_000

export type ThreatTypesByHash = ReadonlyMap<string, ReadonlySet<ThreatType>>

/** @param types threat types by full hash in hexadecimal */
export function encodeFullHashes(types: ThreatTypesByHash): Uint8Array {
  const hashes = [...types.keys()].sort()
  const file = Buffer.alloc(HEADER_BYTES + 33 * hashes.length + HASH_BYTES)
  file.write(MAGIC, 0, 'latin1')
  file[4] = 1
  file.writeUInt32LE(hashes.length, 8)
  const typesAt = HEADER_BYTES + HASH_BYTES * hashes.length
  for (const [i, hash] of hashes.entries()) {
    file.write(hash, HEADER_BYTES + HASH_BYTES * i, 'hex')
    let bits = 0
    for (const type of types.get(hash) ?? []) bits |= 1 << THREAT_TYPES.indexOf(type)
    file[typesAt + i] = bits
  }
  const end = file.length - HASH_BYTES
  createHash('sha256').update(file.subarray(0, end)).digest().copy(file, end)
  return file
}

/** The full hashes of a list, sorted, in the arrays of the file itself. */
export class FullHashFile {
  readonly count: number
  readonly #file: Uint8Array

  /** @throws {WaryError} `publish-damaged` */
  constructor(file: Uint8Array) {
    const damaged = (message: string): never => {
      throw new WaryError('publish-damaged', `the full hashes cannot be used: ${message}`)
    }
    if (file.length < HEADER_BYTES + HASH_BYTES || Buffer.from(file.subarray(0, 4)).toString('latin1') !== MAGIC) damaged('not such a file')
    if (file[4] !== 1) damaged(`format version ${file[4]} is not known`)
    this.count = new DataView(file.buffer, file.byteOffset, file.byteLength).getUint32(8, true)
    if (this.count > MOST_HASHES || file.length !== HEADER_BYTES + 33 * this.count + HASH_BYTES)
      damaged('its length does not match its count')
    const end = file.length - HASH_BYTES
    if (!equalBytes(createHash('sha256').update(file.subarray(0, end)).digest(), file.subarray(end))) damaged('its checksum does not hold')
    this.#file = file
    for (let i = 1; i < this.count; i++) if (compareBytes(this.#hash(i - 1), this.#hash(i)) >= 0) damaged('hashes are not in order')
  }

  /** Full hashes that begin with `prefix`, with their threat types. */
  withPrefix(prefix: Uint8Array): { readonly hash: Uint8Array; readonly threatTypes: readonly ThreatType[] }[] {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareBytes(this.#hash(middle).subarray(0, prefix.length), prefix) < 0) low = middle + 1
      else high = middle
    }
    const found = []
    for (let i = low; i < this.count && equalBytes(this.#hash(i).subarray(0, prefix.length), prefix); i++) {
      const bits = this.#file[HEADER_BYTES + HASH_BYTES * this.count + i] as number
      found.push({ hash: this.#hash(i), threatTypes: THREAT_TYPES.filter((_, t) => (bits >> t) & 1) })
    }
    return found
  }

  #hash(index: number): Uint8Array {
    return this.#file.subarray(HEADER_BYTES + HASH_BYTES * index, HEADER_BYTES + HASH_BYTES * (index + 1))
  }
}

export function addThreatType(types: Map<string, Set<ThreatType>>, hash: Uint8Array, type: ThreatType): void {
  const key = toHex(hash)
  const known = types.get(key)
  if (known === undefined) types.set(key, new Set([type]))
  else known.add(type)
}
