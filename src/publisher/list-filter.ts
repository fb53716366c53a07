import { equalBytes } from '../bytes.ts'
import { asWaryError } from '../errors.ts'
import type { BloomFilter } from '../filter/bloom.ts'
import { CountingBloomFilter } from '../filter/counting-bloom.ts'
import { type BloomSize, optimalSize } from '../filter/parameters.ts'
import { addEntries, firstDenied, highHalf, lowHalf } from '../filter/ready-hash.ts'
import type { HashList } from '../lists/hash-list.ts'
import { listDelta } from '../lists/list-delta.ts'
import { filterClass } from './filter-class.ts'
import type { Base, PublishedBases } from './published-bases.ts'

export interface MadeFilter {
  readonly counting: CountingBloomFilter
  /** The standard filter that `counting` stands for. */
  readonly bloom: BloomFilter
  readonly warnings: readonly string[]
}

/**
 * The filter of a list, at `rate` where it is full. Where a counting filter of a former version is kept, only the entries that have come and
 * gone since then are put in and taken out; it is built of all entries where there is none, another class is needed, or, with a warning,
 * the one that is there does not fit the list that it is said to be of.
 */
export function makeFilter(list: HashList, rate: number, bases: PublishedBases): MadeFilter {
  const { kept, warnings } = keptFilter(list.name, bases)
  const capacity = filterClass(list.count, kept?.counting.capacity ?? newestCapacity(list.name, bases))
  const size = optimalSize(capacity, rate)
  if (kept) {
    const { counting, base } = kept
    const fits = counting.bits === size.bits && counting.hashes === size.hashes && counting.capacity === capacity && counting.seed === 0
    if (fits && base.list.entryLength === list.entryLength) {
      const bloom = changed(counting, base.list, list) ? counting.toBloom() : undefined
      // Copies of another list of as many entries are whole and fit each other: taking out and putting in may go well, and the filter would deny
      // what is listed. Looking at all entries costs a quarter of what building does.
      if (bloom && firstDenied(bloom, list.entries, list.entryLength) === undefined) return { counting, bloom, warnings }
      return fresh(list, size, capacity, [builtAnew(list.name, `is not that of version ${base.version}`)])
    }
  }
  return fresh(list, size, capacity, warnings)
}

function fresh(list: HashList, size: BloomSize, capacity: number, warnings: readonly string[]): MadeFilter {
  const counting = CountingBloomFilter.ofSize({ ...size, capacity })
  addEntries(counting, list.entries, list.entryLength)
  return { counting, bloom: counting.toBloom(), warnings }
}

/** The newest one, if it is just that of the list beside it: an entry too many, and deleting would take from others' counters. */
function keptFilter(
  name: string,
  bases: PublishedBases,
): { readonly kept?: { readonly counting: CountingBloomFilter; readonly base: Base }; readonly warnings: readonly string[] } {
  try {
    const version = bases.counted(name)
    if (version === undefined) return { warnings: [] }
    const counting = bases.counting(name, version)
    const base = bases.read(name, version)
    if (counting.count !== base.list.count || !equalBytes(counting.toBloom().toBytes(), base.filter().toBytes()))
      return { warnings: [builtAnew(name, `is not that of version ${version}`)] }
    return { kept: { counting, base }, warnings: [] }
  } catch (error) {
    return { warnings: [builtAnew(name, `is damaged: ${asWaryError(error).message}`)] }
  }
}

/** Undefined where there is none, or nobody can read it: whoever makes the deltas says so. */
function newestCapacity(name: string, bases: PublishedBases): number | undefined {
  const [version] = bases.versions(name)
  if (version === undefined) return undefined
  try {
    return bases.filter(name, version).capacity
  } catch (error) {
    if (asWaryError(error).code === 'publish-damaged') return undefined
    throw error
  }
}

/** @returns false where an entry to take out is not in: then the filter is of no use any more */
function changed(counting: CountingBloomFilter, from: HashList, to: HashList): boolean {
  const { removals, additions } = listDelta(from, to)
  const { entries, entryLength } = from
  for (const index of removals) {
    const entry = entries.subarray(index * entryLength, (index + 1) * entryLength)
    if (!counting.deleteHash(highHalf(entry), lowHalf(entry, entryLength))) return false
  }
  addEntries(counting, additions, entryLength)
  return true
}

function builtAnew(name: string, why: string): string {
  return `the filter of ${name} was built anew: the counting filter that is kept ${why}`
}
