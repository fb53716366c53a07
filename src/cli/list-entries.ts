import { WaryError } from '../errors.ts'
import type { EntryLength } from '../lists/hash-list.ts'
import type { Line } from './input-lines.ts'

/** Longest line of hexadecimal digits: far above any hash. */
export const LONGEST_HEX_BYTES = 4096

/** Value of each hexadecimal digit by its character code; 255 for every other character. */
const VALUES = new Uint8Array(128).fill(255)
for (const [value, digits] of ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'aA', 'bB', 'cC', 'dD', 'eE', 'fF'].entries())
  for (const digit of digits) VALUES[digit.charCodeAt(0)] = value

/** Entries of lines of hexadecimal digits, packed in one array that grows. */
export class EntryCollection {
  readonly #entryLength: EntryLength
  #packed = new Uint8Array(64 * 1024)
  #end = 0
  #line = 0

  constructor(entryLength: EntryLength) {
    this.#entryLength = entryLength
  }

  /** Repeats are counted. */
  get count(): number {
    return this.#end / this.#entryLength
  }

  /** Packed, in the order they came in, with repeats. */
  get packed(): Uint8Array {
    return this.#packed.subarray(0, this.#end)
  }

  /**
   * Takes the first bytes of what the line says; an empty line is passed over.
   * @throws {WaryError} `feed-format` with the line's number: not hexadecimal, half a byte, or shorter than an entry
   */
  add(line: Line): void {
    this.#line++
    if (typeof line !== 'string') throw this.#refused(`more than ${LONGEST_HEX_BYTES} characters`)
    if (line === '') return
    for (let i = 0; i < line.length; i++) if (digit(line, i) === 255) throw this.#refused('not hexadecimal')
    if (line.length % 2 !== 0) throw this.#refused('an odd number of hexadecimal digits')
    if (line.length < this.#entryLength * 2) throw this.#refused(`${line.length / 2} bytes, but an entry has ${this.#entryLength}`)
    if (this.#end + this.#entryLength > this.#packed.length) this.#grow()
    for (let i = 0; i < this.#entryLength; i++) this.#packed[this.#end++] = (digit(line, 2 * i) << 4) | digit(line, 2 * i + 1)
  }

  #grow(): void {
    const larger = new Uint8Array(this.#packed.length * 2)
    larger.set(this.#packed)
    this.#packed = larger
  }

  #refused(reason: string): WaryError {
    return new WaryError('feed-format', `line ${this.#line}: ${reason}`)
  }
}

function digit(line: string, at: number): number {
  return VALUES[line.charCodeAt(at)] ?? 255
}
