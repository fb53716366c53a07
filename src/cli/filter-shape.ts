import { cuckooRate } from '../filter/cuckoo-size.ts'
import { expectedPagedRate } from '../filter/paged-size.ts'
import { expectedRate, textbookSize } from '../filter/parameters.ts'
import { quotientRate } from '../filter/quotient-size.ts'
import type { AnyFilter } from './filter-kinds.ts'
import { grouped } from './output.ts'

/** What a kind has of its own. */
export interface FilterShape {
  /** Its parameters by name, as in the file. */
  readonly parameters: Readonly<Record<string, number>>
  /** The same for people. */
  readonly rows: readonly (readonly [name: string, value: string])[]
  /** Keys that there is room for; null where that is not said. */
  readonly capacity: number | null
  /** Share of the bits that are set, or of the slots that are used; null where that says nothing. */
  readonly fill: number | null
  /** The rate to expect with as many keys as there is room for; null without such a number. */
  readonly rateWhenFull: number | null
}

export function shapeOf(filter: AnyFilter): FilterShape {
  switch (filter.kind) {
    case 'bloom': {
      const { bits, hashes, capacity } = filter
      return {
        parameters: { bits, hashes },
        rows: bloomRows(bits, hashes),
        capacity,
        fill: filter.fillRatio(),
        rateWhenFull: expectedRate(filter, Math.max(1, capacity)),
      }
    }
    case 'paged-bloom': {
      const { pages, hashes, capacity } = filter
      return {
        parameters: { pages, hashes },
        rows: [['pages', `${grouped(pages)} of 4 KiB`], ...bloomRows(filter.bits, hashes)],
        capacity,
        fill: filter.fillRatio(),
        rateWhenFull: expectedPagedRate(filter, Math.max(1, capacity)),
      }
    }
    case 'counting-bloom': {
      const { bits, hashes, capacity } = filter
      return {
        parameters: { counters: bits, hashes },
        rows: [
          ['counters (m)', `${grouped(bits)} of 4 bits`],
          ['hash functions (k)', String(hashes)],
        ],
        capacity,
        fill: filter.fillRatio(),
        rateWhenFull: expectedRate(filter, Math.max(1, capacity)),
      }
    }
    case 'scalable-bloom': {
      const { layers, bits, growth, tightening, rate, capacity } = filter
      return {
        parameters: { layers, bits, growth, tightening },
        rows: [
          ['layers', String(layers)],
          ['bits (m)', grouped(bits)],
        ],
        capacity,
        fill: filter.fillRatio(),
        rateWhenFull: rate,
      }
    }
    case 'cuckoo': {
      const { buckets, fingerprintBits, capacity } = filter
      return {
        parameters: { buckets, fingerprintBits },
        rows: [
          ['buckets', `${grouped(buckets)} of four fingerprints`],
          ['fingerprint', `${fingerprintBits} bits`],
        ],
        capacity,
        fill: filter.count / (4 * buckets),
        rateWhenFull: cuckooRate(filter, Math.max(1, capacity)),
      }
    }
    case 'quotient': {
      const { quotientBits, remainderBits, capacity } = filter
      return {
        parameters: { quotientBits, remainderBits },
        rows: [
          ['slots (2^q)', `${grouped(2 ** quotientBits)}, q = ${quotientBits}`],
          ['remainder (r)', `${remainderBits} bits`],
        ],
        capacity,
        fill: filter.count / 2 ** quotientBits,
        rateWhenFull: quotientRate(filter, capacity),
      }
    }
    case 'binary-fuse': {
      const { fingerprintBits } = filter
      const rows = [['fingerprint', `${fingerprintBits} bits`]] as const
      return { parameters: { fingerprintBits }, rows, capacity: null, fill: null, rateWhenFull: null }
    }
  }
}

function bloomRows(bits: number, hashes: number): [string, string][] {
  return [
    ['bits (m)', grouped(bits)],
    ['hash functions (k)', String(hashes)],
  ]
}

/** What the textbook's formula gives for the same capacity and rate; with its k rounded it does not quite keep that rate. */
export interface TextbookFacts {
  readonly bits: number
  readonly hashes: number
  readonly rateWhenFull: number
}

export function textbookFacts({ capacity, rateWhenFull }: FilterShape): TextbookFacts | undefined {
  // A file may speak of more keys than its filter can tell from others: no formula has a size for that.
  if (capacity === null || rateWhenFull === null || rateWhenFull <= 0 || rateWhenFull >= 1) return undefined
  const keys = Math.max(1, capacity)
  const textbook = textbookSize(keys, rateWhenFull)
  return { ...textbook, rateWhenFull: expectedRate(textbook, keys) }
}
