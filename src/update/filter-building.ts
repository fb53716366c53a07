import { PagedBloomFilter } from '../filter/paged-bloom.ts'
import { addEntries } from '../filter/ready-hash.ts'
import type { HashList } from '../lists/hash-list.ts'
import type { Steps } from '../steps.ts'
import { inSlices, type Slicing } from './in-slices.ts'

/** Entries added in one step. */
const ENTRIES_A_STEP = 2048

export interface FilterBuilding extends Slicing {
  /** False positive rate, such as 1e-3. */
  readonly rate: number
}

/**
 * The paged Bloom filter of all entries of `list`, built in slices with pauses between them. An entry is its own hash (ready-hash.ts).
 * @throws the signal's reason when it aborts
 */
export function buildFilter(list: HashList, building: FilterBuilding): Promise<PagedBloomFilter> {
  return inSlices(filterSteps(list, building.rate), building)
}

function* filterSteps({ entries, entryLength, count }: HashList, rate: number): Steps<PagedBloomFilter> {
  const filter = PagedBloomFilter.create({ capacity: Math.max(1, count), rate })
  const step = ENTRIES_A_STEP * entryLength
  for (let at = 0; at < entries.length; at += step) {
    addEntries(filter, entries.subarray(at, at + step), entryLength)
    yield
  }
  return filter
}
