/**
 * Ascending numbers as their gaps in Golomb-Rice code: of a gap, the quotient by 2^r as so many ones and a zero, then the remainder in r
 * bits, lowest first; bits fill bytes from the lowest on, and the last byte is filled up with zeros. Numbers that are spread by chance,
 * half of all at most, take up to 0.12 bits each more than any code could make them (Golomb 1966, Rice 1979).
 */
export const MOST_SHIFT = 31

/** The r with which `count` numbers below `bound` take least: r + 1 / (1 - (1 - p)^(2^r)) bits each, where p is their share. */
export function shiftFor(count: number, bound: number): number {
  const none = Math.log1p(-Math.min(count / bound, 1))
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let shift = 0; shift <= MOST_SHIFT; shift++) {
    const bits = shift - 1 / Math.expm1(none * 2 ** shift)
    if (bits < least) {
      best = shift
      least = bits
    }
  }
  return best
}

/** Writes ascending whole numbers with the parameter r = `shift`. */
export class GapWriter {
  readonly #shift: number
  #bytes = new Uint8Array(1024)
  #bits = 0
  #next = 0

  constructor(shift: number) {
    this.#shift = shift
  }

  /** @param number above every one before it */
  write(number: number): void {
    const gap = number - this.#next
    this.#next = number + 1
    const quotient = Math.floor(gap / 2 ** this.#shift)
    for (let i = 0; i < quotient; i++) this.#bit(1)
    this.#bit(0)
    for (let i = 0; i < this.#shift; i++) this.#bit((gap >>> i) & 1)
  }

  #bit(bit: number): void {
    const at = Math.floor(this.#bits / 8)
    if (at === this.#bytes.length) {
      const larger = new Uint8Array(2 * at)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes[at] = (this.#bytes[at] as number) | (bit << (this.#bits % 8))
    this.#bits++
  }

  /** What was written; the last byte is filled up with 0. A view: nothing may be written afterwards. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, Math.ceil(this.#bits / 8))
  }
}

/** Reads what a `GapWriter` of the same r wrote, and trusts none of it. */
export class GapReader {
  readonly #bytes: Uint8Array
  readonly #shift: number
  readonly #bound: number
  #bits = 0
  #next = 0

  /** @param bound every number must lie below it */
  constructor(bytes: Uint8Array, shift: number, bound: number) {
    this.#bytes = bytes
    this.#shift = shift
    this.#bound = bound
  }

  /** The next number; undefined where the bytes end or it is none below the bound. */
  read(): number | undefined {
    const step = 2 ** this.#shift
    let gap = 0
    for (;;) {
      const bit = this.#bit()
      if (bit === undefined) return undefined
      if (bit === 0) break
      gap += step
      if (this.#next + gap >= this.#bound) return undefined
    }
    for (let i = 0; i < this.#shift; i++) {
      const bit = this.#bit()
      if (bit === undefined) return undefined
      gap += bit * 2 ** i
    }
    const number = this.#next + gap
    if (number >= this.#bound) return undefined
    this.#next = number + 1
    return number
  }

  #bit(): number | undefined {
    const byte = this.#bytes[Math.floor(this.#bits / 8)]
    if (byte === undefined) return undefined
    return (byte >> (this.#bits++ % 8)) & 1
  }

  /** Whether all that is left is the last byte's filling, of zeros. */
  atEnd(): boolean {
    const rest = this.#bits % 8
    if (Math.ceil(this.#bits / 8) !== this.#bytes.length) return false
    return rest === 0 || (this.#bytes[this.#bytes.length - 1] as number) >> rest === 0
  }
}
