import type { BloomFilter } from '../filter/bloom.ts'
import { expectedRate, textbookSize } from '../filter/parameters.ts'
import { grouped } from './output.ts'

/** What there is to know about a filter. */
export interface FilterFacts {
  readonly kind: string
  readonly bits: number
  readonly hashes: number
  readonly seed: number
  readonly capacity: number
  /** Keys added. */
  readonly entries: number
  /** Share of bits that are set. */
  readonly fill: number
  /** With the keys that are in. */
  readonly expectedRate: number
  /** With as many keys as there is room for. */
  readonly rateWhenFull: number
  /** What the textbook's formula gives for the same capacity and rate; with its k rounded it does not quite keep that rate. */
  readonly textbook: { readonly bits: number; readonly hashes: number; readonly rateWhenFull: number }
  /** Of the file. */
  readonly bytes: number
}

export function filterFacts(filter: BloomFilter): FilterFacts {
  const { kind, bits, hashes, seed, capacity, count } = filter
  const keys = Math.max(1, capacity)
  const rateWhenFull = expectedRate(filter, keys)
  const textbook = textbookSize(keys, rateWhenFull)
  return {
    kind,
    bits,
    hashes,
    seed,
    capacity,
    entries: count,
    fill: filter.fillRatio(),
    expectedRate: filter.expectedRate(),
    rateWhenFull,
    textbook: { ...textbook, rateWhenFull: expectedRate(textbook, keys) },
    bytes: filter.byteLength,
  }
}

export function filterRows(facts: FilterFacts): string[][] {
  const { bits, hashes, capacity, textbook } = facts
  return [
    ['kind', `${facts.kind}, format version 1`],
    ['bits (m)', grouped(bits)],
    ['hash functions (k)', String(hashes)],
    ['entries', `${grouped(facts.entries)} of ${grouped(capacity)}`],
    ['fill', `${(100 * facts.fill).toFixed(2)} %`],
    ['expected rate', share(facts.expectedRate)],
    ['rate when full', share(facts.rateWhenFull)],
    ['kept size', `m = ${grouped(bits)}, k = ${hashes}: ${share(facts.rateWhenFull)}, ${perKey(bits, capacity)}`],
    [
      'textbook size',
      `m = ${grouped(textbook.bits)}, k = ${textbook.hashes}: ${share(textbook.rateWhenFull)}, ${perKey(textbook.bits, capacity)}`,
    ],
    ['seed', String(facts.seed)],
    ['file', `${grouped(facts.bytes)} bytes`],
  ]
}

function share(rate: number): string {
  return rate === 0 ? '0' : `${(100 * rate).toPrecision(4)} %`
}

function perKey(bits: number, capacity: number): string {
  return `${(bits / Math.max(1, capacity)).toFixed(2)} bits a key`
}
