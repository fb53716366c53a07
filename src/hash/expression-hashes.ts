import type { FullHash } from './full-hash.ts'
import { sha256 } from './sha256.ts'

const WORDS = 8

/** Where parts of a text begin and end: as many of each array as its count says, the starts descending, the ends ascending. */
export interface Spans {
  readonly starts: Int32Array
  readonly startCount: number
  readonly ends: Int32Array
  readonly endCount: number
}

/**
 * The full hashes of all expressions of one URL, without a string or an array made for any of them: expressions are parts of the URL's
 * canonical text, so the text is written down once and hashed part by part. What a call left is overwritten by the next one.
 */
export class ExpressionHashes {
  #bytes = new Uint8Array(512)
  readonly #words: Int32Array
  #count = 0

  /** @param most expressions of a URL */
  constructor(most: number) {
    this.#words = new Int32Array(most * WORDS)
  }

  get count(): number {
    return this.#count
  }

  /**
   * Hashes every part of `text` from one of the starts to one of the ends: for the first end from every start, then for the next one.
   * @param text ASCII in those parts, as canonical URLs are
   * @throws {RangeError} more parts than there is room for
   */
  hash(text: string, { starts, startCount, ends, endCount }: Spans): void {
    if (startCount * endCount * WORDS > this.#words.length) throw new RangeError('more expressions than a URL has')
    const first = starts[startCount - 1] as number
    const length = (ends[endCount - 1] as number) - first
    if (length > this.#bytes.length) this.#bytes = new Uint8Array(2 * length)
    const bytes = this.#bytes
    for (let i = 0; i < length; i++) bytes[i] = text.charCodeAt(first + i)
    let count = 0
    for (let end = 0; end < endCount; end++) {
      for (let start = 0; start < startCount; start++)
        sha256(bytes, (starts[start] as number) - first, (ends[end] as number) - first, this.#words, WORDS * count++)
    }
    this.#count = count
  }

  /** The first four bytes of hash number `index`, big-endian, signed. */
  high(index: number): number {
    return this.#words[WORDS * index] as number
  }

  /** The next four. */
  low(index: number): number {
    return this.#words[WORDS * index + 1] as number
  }

  /** All 32 bytes, in an array of their own. */
  fullHash(index: number): FullHash {
    const bytes = new Uint8Array(4 * WORDS)
    this.copy(index, bytes)
    return bytes as FullHash
  }

  /** All 32 bytes of hash number `index`, to the start of `to`. */
  copy(index: number, to: Uint8Array): void {
    for (let i = 0; i < WORDS; i++) {
      const word = this.#words[WORDS * index + i] as number
      to[4 * i] = word >>> 24
      to[4 * i + 1] = word >>> 16
      to[4 * i + 2] = word >>> 8
      to[4 * i + 3] = word
    }
  }
}
