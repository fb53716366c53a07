import type { AnyFilter } from './filter-kinds.ts'
import { type FilterShape, shapeOf, type TextbookFacts, textbookFacts } from './filter-shape.ts'
import { grouped } from './output.ts'

/** What there is to know about a filter, with the parameters of its kind besides. */
export interface FilterFacts {
  readonly kind: string
  readonly seed: number
  /** Keys that there is room for; null where a kind does not say. */
  readonly capacity: number | null
  /** Keys in it. */
  readonly entries: number
  /** Share of bits that are set, or of slots that are used; null where that says nothing. */
  readonly fill: number | null
  /** With the keys that are in. */
  readonly expectedRate: number
  /** With as many keys as there is room for; null where that is not said. */
  readonly rateWhenFull: number | null
  /** Of a standard Bloom filter only. */
  readonly textbook?: TextbookFacts
  /** Of the file. */
  readonly bytes: number
  /** Of the file, for each key that is in; null when there is none. */
  readonly bitsPerEntry: number | null
  /** log2(1 / expectedRate): no filter of that rate can have fewer bits an entry. Null when there is no entry. */
  readonly leastBitsPerEntry: number | null
}

export interface FilterDescription {
  readonly facts: FilterFacts & Readonly<Record<string, unknown>>
  /** The same for people. */
  readonly rows: string[][]
}

/** Looks at every bit of a Bloom filter. @param version of the file's format */
export function describeFilter(filter: AnyFilter, version: number): FilterDescription {
  const { kind, seed, count, byteLength } = filter
  const shape = shapeOf(filter)
  const { parameters, capacity, fill, rateWhenFull } = shape
  const rate = filter.expectedRate()
  const textbook = kind === 'bloom' ? textbookFacts(shape) : undefined
  const facts = {
    kind,
    ...parameters,
    seed,
    capacity,
    entries: count,
    fill,
    expectedRate: rate,
    rateWhenFull,
    ...(textbook ? { textbook } : {}),
    bytes: byteLength,
    bitsPerEntry: count === 0 ? null : (8 * byteLength) / count,
    leastBitsPerEntry: count === 0 ? null : -Math.log2(rate),
  }
  return { facts, rows: rowsOf(filter, facts, shape, version) }
}

function rowsOf(filter: AnyFilter, facts: FilterFacts, shape: FilterShape, version: number): string[][] {
  const { capacity, rateWhenFull, textbook, bitsPerEntry, leastBitsPerEntry } = facts
  const rows: string[][] = [
    ['kind', `${facts.kind}, format version ${version}`],
    ...shape.rows.map((row) => [...row]),
    ['entries', capacity === null ? grouped(facts.entries) : `${grouped(facts.entries)} of ${grouped(capacity)}`],
  ]
  if (facts.fill !== null) rows.push(['fill', `${(100 * facts.fill).toFixed(2)} %`])
  rows.push(['expected rate', share(facts.expectedRate)])
  if (rateWhenFull !== null) rows.push(['rate when full', share(rateWhenFull)])
  if (filter.kind === 'bloom' && textbook) {
    const keys = Math.max(1, filter.capacity)
    rows.push(
      ['kept size', sized(filter.bits, filter.hashes, rateWhenFull ?? 0, keys)],
      ['textbook size', sized(textbook.bits, textbook.hashes, textbook.rateWhenFull, keys)],
    )
  }
  if (bitsPerEntry !== null && leastBitsPerEntry !== null)
    rows.push(['bits an entry', `${bitsPerEntry.toFixed(2)}; log2(1 / expected rate) = ${leastBitsPerEntry.toFixed(2)}`])
  rows.push(['seed', String(facts.seed)], ['file', `${grouped(facts.bytes)} bytes`])
  return rows
}

function sized(bits: number, hashes: number, rate: number, keys: number): string {
  return `m = ${grouped(bits)}, k = ${hashes}: ${share(rate, 6)}, ${(bits / keys).toFixed(2)} bits a key`
}

function share(rate: number, digits = 4): string {
  return rate === 0 ? '0' : `${(100 * rate).toPrecision(digits)} %`
}
