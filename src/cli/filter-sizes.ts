import { fuseCells, fuseFault, fuseSize } from '../filter/binary-fuse-size.ts'
import { BUCKET, cuckooFault, cuckooRate, cuckooSize } from '../filter/cuckoo-size.ts'
import { type BloomSize, expectedRate, MOST_BITS, MOST_HASHES, optimalSize, textbookSize } from '../filter/parameters.ts'
import { quotientFault, quotientRate, quotientSize } from '../filter/quotient-size.ts'
import { grouped } from './output.ts'

/** What a way to keep keys takes. */
export interface SetSize {
  /** Of memory or a file, without its head. Past 2^53 no longer exact. */
  readonly bits: number
  /** Hash functions, where it has them. */
  readonly hashes?: number
  /** Share of bits or slots in use with all entries in; absent where that says nothing. */
  readonly fill?: number
  /** False positive rate with all entries in. */
  readonly rate: number
  /** What else to know. */
  readonly note?: string | undefined
  /** Why there can be no such filter, in one file or several. */
  readonly fault?: string | undefined
}

export interface SetKind {
  readonly name: string
  readonly size: (entries: number, rate: number) => SetSize
}

/** In the order in which they are shown. */
export const SET_KINDS: readonly SetKind[] = [
  { name: 'bloom', size: (entries, rate) => bloom(optimalSize(entries, rate), entries) },
  { name: 'bloom (textbook)', size: (entries, rate) => bloom(textbookSize(entries, rate), entries) },
  {
    name: 'cuckoo',
    size: (entries, rate) => {
      const size = cuckooSize(entries, rate)
      const slots = size.buckets * BUCKET
      const bits = slots * size.fingerprintBits
      return {
        bits,
        fill: entries / slots,
        rate: cuckooRate(size, entries),
        ...limits(bits, cuckooFault(size)),
      }
    },
  },
  {
    name: 'quotient',
    size: (entries, rate) => {
      const size = quotientSize(entries, rate)
      const slots = 2 ** size.quotientBits
      const bits = slots * (size.remainderBits + 3)
      return {
        bits,
        fill: entries / slots,
        rate: quotientRate(size, entries),
        ...limits(bits, quotientFault(size)),
      }
    },
  },
  {
    name: 'binary-fuse',
    size: (entries, rate) => {
      let fingerprintBits = 1
      while (2 ** -fingerprintBits > rate) fingerprintBits++
      const size = fuseSize(entries, fingerprintBits)
      const bits = fuseCells(size) * fingerprintBits
      return { bits, rate: 2 ** -fingerprintBits, ...limits(bits, fuseFault(size)) }
    },
  },
]

function bloom(size: BloomSize, entries: number): SetSize {
  return {
    bits: size.bits,
    hashes: size.hashes,
    fill: -Math.expm1((-size.hashes * entries) / size.bits),
    rate: expectedRate(size, entries),
    ...limits(size.bits, size.hashes > MOST_HASHES ? `a filter has up to ${MOST_HASHES} hash functions` : undefined),
  }
}

/** One file has up to 2^32 bits; with fewer keys each, several can be what one cannot. */
function limits(bits: number, fault: string | undefined): Pick<SetSize, 'note' | 'fault'> {
  return bits > MOST_BITS ? { note: `in ${grouped(Math.ceil(bits / MOST_BITS))} files or more` } : { fault }
}
