import { WaryError } from '../errors.ts'

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const GROUP_START = 3
const GROUP_END = 4
const FIXED32 = 5
const DEEPEST_GROUP = 32
const text = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads one protobuf message field by field (protobuf.dev, "Encoding"). What the extension reads is five small messages of the lists' own
 * protocol; a general library would be a third of its worker.
 *
 * `next` names a field, and exactly one of the readers takes its value. A reader that does not fit the field's wire type answers undefined
 * and passes the value over, as the format asks of fields that are not known. Every method throws WaryError `list-format` for bytes that
 * are no message.
 */
export class WireReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0
  #type = VARINT
  #low = 0
  #high = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Number of the next field, or 0 at the end. */
  next(): number {
    if (this.#at === this.#bytes.length) return 0
    this.#varint()
    const field = (this.#low >>> 3) | 0
    this.#type = this.#low & 7
    if (field === 0 || this.#high !== 0 || this.#type > FIXED32) refuse('a field that cannot be')
    return field
  }

  uint32(): number | undefined {
    return this.#number() ? this.#low >>> 0 : undefined
  }

  int32(): number | undefined {
    return this.#number() ? this.#low : undefined
  }

  bool(): boolean | undefined {
    return this.#number() ? (this.#low | this.#high) !== 0 : undefined
  }

  uint64(): bigint | undefined {
    return this.#number() ? (BigInt(this.#high >>> 0) << 32n) | BigInt(this.#low >>> 0) : undefined
  }

  int64(): bigint | undefined {
    const value = this.uint64()
    return value === undefined ? undefined : BigInt.asIntN(64, value)
  }

  fixed64(): bigint | undefined {
    if (this.#type !== FIXED64) return this.skip()
    const at = this.#take(8)
    return this.#view.getBigUint64(at, true)
  }

  /** A view into the message, not a copy. */
  bytes(): Uint8Array | undefined {
    if (this.#type !== BYTES) return this.skip()
    this.#varint()
    if (this.#high !== 0 || this.#low < 0) refuse('a length that cannot be')
    const start = this.#take(this.#low)
    return this.#bytes.subarray(start, this.#at)
  }

  string(): string | undefined {
    const bytes = this.bytes()
    if (bytes === undefined) return undefined
    try {
      return text.decode(bytes)
    } catch (error) {
      throw new WaryError('list-format', 'a text that is not UTF-8', { cause: error })
    }
  }

  /** The field's value as a message of its own. */
  message(): WireReader | undefined {
    const bytes = this.bytes()
    return bytes && new WireReader(bytes)
  }

  /** One or more numbers of a repeated field, packed or not. */
  int32s(): readonly number[] {
    if (this.#type !== BYTES) {
      const one = this.int32()
      return one === undefined ? [] : [one]
    }
    const packed = this.message()
    const numbers: number[] = []
    while (packed && packed.#at < packed.#bytes.length) {
      packed.#varint()
      numbers.push(packed.#low)
    }
    return numbers
  }

  skip(): undefined {
    this.#skip(0)
    return undefined
  }

  #skip(depth: number): void {
    switch (this.#type) {
      case VARINT:
        this.#varint()
        return
      case FIXED64:
        this.#take(8)
        return
      case FIXED32:
        this.#take(4)
        return
      case BYTES:
        this.bytes()
        return
      case GROUP_START:
        if (depth === DEEPEST_GROUP) refuse('groups within groups')
        while (this.next() !== 0) {
          if (this.#ended()) return
          this.#skip(depth + 1)
        }
        refuse('a group without an end')
    }
    refuse('the end of a group that has not begun')
  }

  #ended(): boolean {
    return this.#type === GROUP_END
  }

  #number(): boolean {
    if (this.#type === VARINT) {
      this.#varint()
      return true
    }
    this.skip()
    return false
  }

  /** At most ten bytes, seven bits each, the lowest first; into `#low` and `#high`. */
  #varint(): void {
    this.#low = 0
    this.#high = 0
    for (let i = 0; i < 10; i++) {
      const byte = this.#bytes[this.#take(1)] as number
      const bits = byte & 127
      if (i < 4) this.#low |= bits << (7 * i)
      else if (i === 4) {
        this.#low |= bits << 28
        this.#high |= bits >>> 4
      } else this.#high |= bits << (7 * i - 32)
      if (byte < 128) return
    }
    refuse('a number that does not end')
  }

  /** Where the next `count` bytes begin; they are behind it then. */
  #take(count: number): number {
    const start = this.#at
    if (count > this.#bytes.length - start) refuse('it ends too early')
    this.#at = start + count
    return start
  }
}

function refuse(what: string): never {
  throw new WaryError('list-format', `no message of this protocol: ${what}`)
}
