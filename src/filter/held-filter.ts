import { BloomFilter } from './bloom.ts'
import { kindOf } from './encoding.ts'
import { PagedBloomFilter } from './paged-bloom.ts'

/** A filter of a list in force. Those that are built here are paged, so that a check at a cold start reads one page a key; published ones are not. */
export type HeldFilter = BloomFilter | PagedBloomFilter

/** Opens a file of either kind, as their `fromBytes`. @throws {WaryError} `filter-format` */
export function openHeldFilter(file: Uint8Array): HeldFilter {
  return kindOf(file) === 'bloom' ? BloomFilter.fromBytes(file) : PagedBloomFilter.fromBytes(file)
}
