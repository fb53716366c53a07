import { harmlessJson } from './output.ts'

/** A write of this size costs next to nothing a line. */
const BATCH_BYTES = 64 * 1024

const DIGITS = '0123456789abcdef'
const encoder = new TextEncoder()
/** The first and the second hexadecimal digit of each byte. */
const FIRST_DIGITS = Uint8Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte >>> 4))
const SECOND_DIGITS = Uint8Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte & 15))
const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Facts by the million for standard output, gathered to large writes. As in Output, nothing leaves that could steer a terminal: text from
 * outside goes in by `quoted` or `json`. Whoever writes looks at `full` now and then, and awaits `flush`: that is the back-pressure.
 */
export class OutputLines {
  readonly #write: (bytes: Uint8Array) => Promise<void>
  #bytes = new Uint8Array(BATCH_BYTES * 2)
  #end = 0

  /** @param write resolves when the bytes are needed no more */
  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write
  }

  /** Text of our own, in ASCII. */
  plain(text: string): void {
    this.#makeRoom(text.length)
    const bytes = this.#bytes
    const end = this.#end
    for (let i = 0; i < text.length; i++) bytes[end + i] = text.charCodeAt(i)
    this.#end = end + text.length
  }

  /** Any text, as a string of JSON. */
  quoted(text: string): void {
    this.#makeRoom(text.length + 2)
    const bytes = this.#bytes
    let end = this.#end
    bytes[end++] = QUOTE
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) return this.json(text)
      bytes[end++] = code
    }
    bytes[end++] = QUOTE
    this.#end = end
  }

  /** A value that is small. */
  json(value: unknown): void {
    const encoded = encoder.encode(harmlessJson(value))
    this.#makeRoom(encoded.length)
    this.#bytes.set(encoded, this.#end)
    this.#end += encoded.length
  }

  /** The bytes from `start` to `end` in hexadecimal. */
  hex(from: Uint8Array, start = 0, stop = from.length): void {
    this.#makeRoom((stop - start) * 2)
    const bytes = this.#bytes
    let end = this.#end
    for (let i = start; i < stop; i++) {
      const byte = from[i] as number
      bytes[end] = FIRST_DIGITS[byte] as number
      bytes[end + 1] = SECOND_DIGITS[byte] as number
      end += 2
    }
    this.#end = end
  }

  /** Whether there is enough for a write. */
  get full(): boolean {
    return this.#end >= BATCH_BYTES
  }

  /** Writes what there is; resolves when there is room for more. */
  async flush(): Promise<void> {
    if (this.#end === 0) return
    await this.#write(this.#bytes.subarray(0, this.#end))
    this.#end = 0
    // One line that was huge.
    if (this.#bytes.length > BATCH_BYTES * 16) this.#bytes = new Uint8Array(BATCH_BYTES * 2)
  }

  #makeRoom(length: number): void {
    const needed = this.#end + length
    if (needed <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
    larger.set(this.#bytes.subarray(0, this.#end))
    this.#bytes = larger
  }
}
