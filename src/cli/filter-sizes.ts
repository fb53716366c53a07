import { fuseCells, fuseFault, fuseSize } from '../filter/binary-fuse-size.ts'
import { BUCKET, cuckooFault, cuckooRate, cuckooSize } from '../filter/cuckoo-size.ts'
import { type BloomSize, expectedRate, MOST_BITS, MOST_HASHES, optimalSize, textbookSize } from '../filter/parameters.ts'
import { expectedPagedRate, optimalPages, PAGE_BITS } from '../filter/paged-size.ts'
import { quotientFault, quotientRate, quotientSize } from '../filter/quotient-size.ts'
import { splitBlockRate } from '../filter/split-block-bloom.ts'
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
  { name: 'paged-bloom', size: paged },
  { name: 'split-block', size: splitBlock },
  { name: 'counting-bloom', size: (entries, rate) => ({ ...bloom(optimalSize(entries, rate), entries), ...counters(entries, rate) }) },
  { name: 'scalable-bloom', size: scalable },
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

/** Pages are filled alike whatever their number, so what one file cannot hold takes as many pages in several. */
function paged(entries: number, rate: number): SetSize {
  const files = Math.ceil(optimalSize(entries, rate).bits / (MOST_BITS / 2))
  const each = Math.ceil(entries / files)
  const size = optimalPages(each, rate)
  const bits = files * size.pages * PAGE_BITS
  return {
    bits,
    hashes: size.hashes,
    fill: -Math.expm1((-size.hashes * entries) / bits),
    rate: expectedPagedRate(size, each),
    ...(files > 1 ? { note: `in ${grouped(files)} files or more` } : {}),
  }
}

/** Eight bits of every key in a block of 256: the rate is that of the keys a block has. */
function splitBlock(entries: number, rate: number): SetSize {
  let low = 1
  let high = 1
  while (splitBlockRate(high, entries) > rate) high *= 2
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (splitBlockRate(middle, entries) <= rate) high = middle
    else low = middle + 1
  }
  return {
    bits: 256 * low,
    hashes: 8,
    fill: 1 - (31 / 32) ** (entries / low),
    rate: splitBlockRate(low, entries),
    ...(256 * low > MOST_BITS ? { note: `in ${grouped(Math.ceil((256 * low) / MOST_BITS))} files or more` } : {}),
  }
}

/** Four bits in the place of each one. */
function counters(entries: number, rate: number): Pick<SetSize, 'bits' | 'note' | 'fault'> {
  const bits = 4 * optimalSize(entries, rate).bits
  return { bits, ...limits(bits / 4, undefined) }
}

/** Grown to the entries in three layers, of which the first was made for a seventh of them: each has half of the rate that is left. */
function scalable(entries: number, rate: number): SetSize {
  const first = Math.ceil(entries / 7)
  const layers = [1, 2, 4].map((share, i) => ({ keys: share * first, size: optimalSize(share * first, rate / 2 ** (i + 1)) }))
  const bits = layers.reduce((sum, { size }) => sum + size.bits, 0)
  return {
    bits,
    rate: layers.reduce((sum, { keys, size }) => sum + expectedRate(size, keys), 0),
    note: bits > MOST_BITS ? `in ${grouped(Math.ceil(bits / MOST_BITS))} files or more` : 'grown from a seventh',
  }
}

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
