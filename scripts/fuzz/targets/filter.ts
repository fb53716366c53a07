import { BloomFilter } from '../../../src/filter/bloom.ts'
import { fileOf, opened, takesKeys } from '../filter-file.ts'
import { promise, same } from '../promise.ts'

/** Input: as fileOf reads it. */
export function fuzz(input: Uint8Array): void {
  const { file } = fileOf(input)
  const filter = opened(file, BloomFilter.verified)
  if (filter === undefined) return
  promise(filter.fillRatio() >= 0 && filter.fillRatio() <= 1, 'the fill is a share')
  promise(filter.estimatedKeys() >= 0, 'no number of keys is negative')
  promise(same(filter.union(filter).toBytes().subarray(48), file.subarray(48)), 'a filter and itself are itself')
  takesKeys(BloomFilter.verified(file.slice()), BloomFilter.verified)
}
