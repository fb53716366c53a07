import { fuseCells, fuseFault, fuseSize } from '../filter/binary-fuse-size.ts'
import { BUCKET, cuckooFault, cuckooRate, cuckooSize } from '../filter/cuckoo-size.ts'
import { type BloomSize, expectedRate, MOST_BITS, MOST_HASHES, optimalSize, textbookSize } from '../filter/parameters.ts'
import { expectedPagedRate, optimalPages, PAGE_BITS } from '../filter/paged-size.ts'
import { quotientFault, quotientRate, quotientSize } from '../filter/quotient-size.ts'
import { BLOCK_BITS, MOST_BLOCKS, splitBlockRate } from '../filter/split-block-bloom.ts'
import { grouped } from './output.ts'

const BLOCK_HASHES = 8
/** A key sets one bit in each word of its block. */
const WORD_BITS = 32
/** With so many keys, hardly a bit of a block is left, whatever the rate. */
const MOST_IN_BLOCK = 700
/** As many as tell numbers apart. */
const HALVINGS = 100
const COUNTER_BITS = 4

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
  { name: 'counting-bloom', size: counting },
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

/** Pages are filled alike whatever their number, so a set that is too large for one filter is sized as several of half the size. */
function paged(entries: number, rate: number): SetSize {
  const parts = Math.ceil(optimalSize(entries, rate).bits / (MOST_BITS / 2))
  const each = Math.ceil(entries / parts)
  const size = optimalPages(each, rate)
  const bits = parts * size.pages * PAGE_BITS
  return {
    bits,
    hashes: size.hashes,
    fill: -Math.expm1((-size.hashes * entries) / bits),
    rate: expectedPagedRate(size, each),
    ...limits(bits, undefined),
  }
}

/** The rate follows from the keys of a block alone, so these are found first: blocks may be more than whole numbers tell apart. */
function splitBlock(entries: number, rate: number): SetSize {
  let fitting = 0
  let tooMany = MOST_IN_BLOCK
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (fitting + tooMany) / 2
    if (splitBlockRate(1, middle) <= rate) fitting = middle
    else tooMany = middle
  }
  const blocks = Math.ceil(entries / fitting)
  const bits = blocks * BLOCK_BITS
  return {
    bits,
    hashes: BLOCK_HASHES,
    fill: -Math.expm1(-entries / blocks / WORD_BITS),
    rate: splitBlockRate(blocks, entries),
    note: blocks > MOST_BLOCKS ? `in ${grouped(Math.ceil(blocks / MOST_BLOCKS))} of Parquet's filters or more` : "Parquet's form",
  }
}

/** Four bits in the place of each one. */
function counting(entries: number, rate: number): SetSize {
  const size = bloom(optimalSize(entries, rate), entries)
  return { ...size, bits: COUNTER_BITS * size.bits }
}

/** Grown as by default to the entries in three layers, the first of which was made for a seventh of them. */
function scalable(entries: number, rate: number): SetSize {
  let bits = 0
  let noneErrs = 0
  let capacity = Math.ceil(entries / 7)
  let layerRate = rate / 2
  for (let left = entries; left > 0; left -= capacity / 2) {
    const size = optimalSize(capacity, layerRate)
    bits += size.bits
    noneErrs += Math.log1p(-expectedRate(size, Math.min(left, capacity)))
    capacity *= 2
    layerRate /= 2
  }
  const { note } = limits(bits, undefined)
  return { bits, rate: -Math.expm1(noneErrs), note: `${note === undefined ? '' : `${note}, `}grown from a seventh` }
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
