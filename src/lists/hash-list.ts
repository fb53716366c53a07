import { bigEndian32 } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { hashing, sha256Bytes } from '../hash/sha256.ts'
import { finished, type Steps } from '../steps.ts'

/** Checked in one step, in less than a millisecond. */
const ENTRIES_A_STEP = 16_384

/** Bytes of a list's entries: all of one list have the same. */
export type EntryLength = 4 | 8 | 16 | 32

export function isEntryLength(length: number): length is EntryLength {
  return length === 4 || length === 8 || length === 16 || length === 32
}

export interface HashListParts {
  readonly name: string
  /** Opaque to clients (v5, "HashList.version"). */
  readonly version: Uint8Array
  readonly entryLength: EntryLength
  /** Packed: count x entryLength bytes. */
  readonly entries: Uint8Array
}

/** A sorted list of hash prefixes of one length, in one array. */
export class HashList {
  readonly name: string
  readonly version: Uint8Array
  readonly entryLength: EntryLength
  readonly entries: Uint8Array
  readonly #view: DataView
  #checksum: Uint8Array | undefined

  private constructor(parts: HashListParts) {
    this.name = parts.name
    this.version = parts.version
    this.entryLength = parts.entryLength
    this.entries = parts.entries
    this.#view = new DataView(parts.entries.buffer, parts.entries.byteOffset, parts.entries.byteLength)
  }

  /** @throws {WaryError} `list-format` unless entries are whole and strictly ascending */
  static fromSorted(parts: HashListParts): HashList {
    return finished(HashList.checking(parts))
  }

  /** As `fromSorted`, in steps. */
  static *checking(parts: HashListParts): Steps<HashList> {
    const { entries, entryLength } = parts
    if (!isEntryLength(entryLength)) throw new WaryError('list-format', `entries of ${String(entryLength)} bytes are not known`)
    if (entries.length % entryLength !== 0)
      throw new WaryError('list-format', `${entries.length} bytes are not whole entries of ${entryLength}`)
    const list = new HashList(parts)
    const step = ENTRIES_A_STEP * entryLength
    for (let from = entryLength; from < entries.length; from += step) {
      if (!ascends(list.#view, from, Math.min(from + step, entries.length), entryLength))
        throw new WaryError('list-format', 'entries are not in strictly ascending order')
      yield
    }
    return list
  }

  /** As `fromSorted`, of entries that are known to ascend: those that were such a list's, and whose checksums hold. */
  static fromVerified(parts: HashListParts): HashList {
    if (parts.entries.length % parts.entryLength !== 0) throw new WaryError('list-format', 'entries are not whole')
    return new HashList(parts)
  }

  /** Sorts a copy and drops repeats. */
  static fromUnsorted(parts: HashListParts): HashList {
    return HashList.fromSorted({ ...parts, entries: sortEntries(parts.entries, parts.entryLength) })
  }

  get count(): number {
    return this.entries.length / this.entryLength
  }

  /**
   * Whether the first `entryLength` bytes of `hash` are an entry. Binary search, allocates nothing.
   * @throws {RangeError} a hash shorter than the entries: no answer about it would be true
   */
  has(hash: Uint8Array): boolean {
    if (hash.length < this.entryLength) throw new RangeError(`a hash of ${hash.length} bytes among entries of ${this.entryLength}`)
    const place = this.lowerBound(hash, 0, 0, this.entries.length)
    if (place === this.entries.length) return false
    for (let i = 0; i < this.entryLength; i += 4) if (this.#view.getUint32(place + i) !== word(hash, i)) return false
    return true
  }

  /**
   * Where in `entries`, in bytes from `start` to `end` (whole entries), the first one is that is not below the entry at `at` of `other`; `end` where
   * there is none.
   */
  lowerBound(other: Uint8Array, at: number, start: number, end: number): number {
    const { entryLength } = this
    let low = start / entryLength
    let high = end / entryLength
    while (low < high) {
      const middle = (low + high) >>> 1
      let order = 0
      for (let i = 0; order === 0 && i < entryLength; i += 4) order = this.#view.getUint32(middle * entryLength + i) - word(other, at + i)
      if (order < 0) low = middle + 1
      else high = middle
    }
    return low * entryLength
  }

  /** SHA-256 of the sorted entries (v5, "HashList.sha256_checksum"). */
  checksum(): Uint8Array {
    this.#checksum ??= sha256Bytes(this.entries)
    return this.#checksum
  }

  /** Makes what `checksum` then answers at once, in steps. */
  *checksumming(): Steps<Uint8Array> {
    this.#checksum ??= yield* hashing(this.entries)
    return this.#checksum
  }
}

/** Whether each entry from byte `from` to `end` is above the one before it. */
function ascends(view: DataView, from: number, end: number, entryLength: number): boolean {
  for (let at = from; at < end; at += entryLength) if (compareEntries(view, at - entryLength, at, entryLength) >= 0) return false
  return true
}

/** Four bytes as an unsigned big-endian number. */
function word(bytes: Uint8Array, at: number): number {
  return bigEndian32(bytes, at) >>> 0
}

/** Sorted copy of packed entries, without repeats. */
export function sortEntries(entries: Uint8Array, entryLength: EntryLength): Uint8Array {
  const count = Math.floor(entries.length / entryLength)
  if (count * entryLength !== entries.length) throw new WaryError('list-format', 'entries are not whole')
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength)
  if (entryLength === 4) {
    const numbers = new Uint32Array(count)
    for (let i = 0; i < count; i++) numbers[i] = view.getUint32(4 * i)
    return packUnique(numbers.sort(), count, (out, at, n) => out.setUint32(at, n), 4)
  }
  if (entryLength === 8) {
    const numbers = new BigUint64Array(count)
    for (let i = 0; i < count; i++) numbers[i] = view.getBigUint64(8 * i)
    return packUnique(numbers.sort(), count, (out, at, n) => out.setBigUint64(at, n), 8)
  }
  const order = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  order.sort((a, b) => compareEntries(view, a * entryLength, b * entryLength, entryLength))
  const packed = new Uint8Array(entries.length)
  let kept = 0
  for (let i = 0; i < count; i++) {
    const at = (order[i] as number) * entryLength
    if (i > 0 && compareEntries(view, (order[i - 1] as number) * entryLength, at, entryLength) === 0) continue
    packed.set(entries.subarray(at, at + entryLength), entryLength * kept++)
  }
  return kept === count ? packed : packed.slice(0, kept * entryLength)
}

function compareEntries(view: DataView, a: number, b: number, entryLength: number): number {
  for (let i = 0; i < entryLength; i += 4) {
    const order = view.getUint32(a + i) - view.getUint32(b + i)
    if (order !== 0) return order
  }
  return 0
}

function packUnique<N>(sorted: ArrayLike<N>, count: number, put: (out: DataView, at: number, n: N) => void, length: number): Uint8Array {
  const packed = new Uint8Array(count * length)
  const out = new DataView(packed.buffer)
  let kept = 0
  for (let i = 0; i < count; i++) {
    if (i > 0 && sorted[i] === sorted[i - 1]) continue
    put(out, length * kept++, sorted[i] as N)
  }
  return kept === count ? packed : packed.slice(0, kept * length)
}
