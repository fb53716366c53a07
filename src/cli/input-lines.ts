/** Longer than any address that a browser opens (Chromium: 2 MiB). */
export const LONGEST_LINE_BYTES = 4 * 1024 * 1024
/** Of a longer line this much is kept, to say which it was. */
const SHOWN_BYTES = 1000
const NEWLINE = 0x0a

/** A line that was too long to keep. */
export interface LongLine {
  /** Its first characters. */
  readonly start: string
}

/** Without its end. */
export type Line = string | LongLine

/**
 * The lines of a text in UTF-8 that comes in chunks, however it is cut: a batch for each chunk that ends a line. A line ends in LF or
 * CR LF, the last one also where the text ends. A byte order mark at the start goes, and what is no UTF-8 becomes U+FFFD. Never keeps
 * more than a line of `most` bytes (its LF not counted) and a chunk.
 */
export async function* lineBatches(chunks: AsyncIterable<Uint8Array>, most = LONGEST_LINE_BYTES): AsyncGenerator<readonly Line[]> {
  const splitter = new LineSplitter(most)
  for await (const chunk of chunks) {
    const lines = splitter.push(chunk)
    if (lines.length > 0) yield lines
  }
  const last = splitter.end()
  if (last !== undefined) yield [last]
}

class LineSplitter {
  readonly #most: number
  /** Keeps byte order marks: only the very first is none of the text. */
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  /** Begins with what there is of the line that has not ended, or with the start of it when that is too long. */
  #kept = new Uint8Array(1024)
  /** Bytes of the line that has not ended, kept or not. */
  #length = 0
  #first = true

  constructor(most: number) {
    this.#most = most
  }

  push(chunk: Uint8Array): readonly Line[] {
    const firstEnd = chunk.indexOf(NEWLINE)
    if (firstEnd < 0) {
      this.#keep(chunk)
      return []
    }
    this.#keep(chunk.subarray(0, firstEnd))
    const lines = [this.#ended()]
    const lastEnd = chunk.lastIndexOf(NEWLINE)
    if (lastEnd > firstEnd) this.#whole(chunk.subarray(firstEnd + 1, lastEnd), lines)
    this.#keep(chunk.subarray(lastEnd + 1))
    return lines
  }

  /** The line that ends with the text; undefined where the text ends with the end of a line. */
  end(): Line | undefined {
    return this.#length === 0 ? undefined : this.#ended()
  }

  /** Lines that are in `bytes` from end to end. */
  #whole(bytes: Uint8Array, lines: Line[]): void {
    if (bytes.length <= this.#most) {
      // All at once: no other character of UTF-8 has an LF in it, not even a broken one.
      for (const line of this.#decoder.decode(bytes).split('\n')) lines.push(withoutReturn(line))
      return
    }
    for (let start = 0; start <= bytes.length; ) {
      const found = bytes.indexOf(NEWLINE, start)
      const end = found < 0 ? bytes.length : found
      this.#keep(bytes.subarray(start, end))
      lines.push(this.#ended())
      start = end + 1
    }
  }

  #keep(piece: Uint8Array): void {
    const room = Math.max(0, this.#most - this.#length)
    const taken = piece.length <= room ? piece : piece.subarray(0, room)
    const needed = this.#length + taken.length
    if (taken.length > 0) {
      if (needed > this.#kept.length) {
        const larger = new Uint8Array(Math.max(needed, Math.min(this.#most, this.#kept.length * 2)))
        larger.set(this.#kept.subarray(0, this.#length))
        this.#kept = larger
      }
      this.#kept.set(taken, this.#length)
    }
    this.#length += piece.length
  }

  #ended(): Line {
    const long = this.#length > this.#most
    const bytes = this.#kept.subarray(0, long ? Math.min(SHOWN_BYTES, this.#most) : this.#length)
    this.#length = 0
    // Of a start, a character that is cut in two is left out.
    const text = long ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true }) : this.#decoder.decode(bytes)
    const line = this.#first && text.startsWith('\ufeff') ? text.slice(1) : text
    this.#first = false
    return long ? { start: line } : withoutReturn(line)
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
