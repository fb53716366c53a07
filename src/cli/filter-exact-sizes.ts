import type { SetKind } from './filter-sizes.ts'

/** Of a text of 40 ASCII characters and its place in a Set, on average between two growths: measured with Node.js 20. */
const SET_BYTES = 80
/** What V8 takes into one Set. */
const MOST_IN_SET = 2 ** 24

/** What stands beside the filters: the keys themselves, and sorted hashes of them. */
export const EXACT_KINDS: readonly SetKind[] = [
  {
    name: 'Set of texts',
    size: (entries) => ({
      bits: entries * SET_BYTES * 8,
      rate: 0,
      note: entries > MOST_IN_SET ? `estimated for 40 characters; V8 takes ${MOST_IN_SET} into one Set` : 'estimated for 40 characters',
    }),
  },
  { name: 'sorted 64-bit hashes', size: (entries) => ({ bits: entries * 64, rate: rateOf(64, entries) }) },
  {
    name: 'Rice-coded hashes',
    size: (entries, rate) => {
      let hashBits = Math.max(1, Math.floor(Math.log2(entries)))
      while (rateOf(hashBits, entries) > rate) hashBits++
      return {
        bits: Math.ceil(entries * riceBits(2 ** hashBits / entries)),
        rate: rateOf(hashBits, entries),
        note: `sorted, of ${hashBits} bits; read from its start or by an index`,
      }
    },
  },
]

/** 1 - (1 - 2^-b)^n: an unknown key must have the hash of one of n. */
function rateOf(hashBits: number, entries: number): number {
  return -Math.expm1(entries * Math.log1p(-(2 ** -hashBits)))
}

/**
 * Bits of a gap between sorted hashes, of `mean` on average and exponentially distributed, with the best parameter r: r + 1 and the expected
 * floor(gap / 2^r). About log2(mean) + 1.5.
 */
function riceBits(mean: number): number {
  const ideal = Math.log2(mean * Math.LN2)
  const parameters = [Math.max(0, Math.floor(ideal)), Math.max(0, Math.ceil(ideal))]
  return Math.min(...parameters.map((r) => r + 1 + 1 / Math.expm1(2 ** r / mean)))
}
