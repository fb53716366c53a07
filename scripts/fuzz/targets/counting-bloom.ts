import { BloomFilter } from '../../../src/filter/bloom.ts'
import { CountingBloomFilter } from '../../../src/filter/counting-bloom.ts'
import { fileOf, givesKeysBack, opened, takesKeys } from '../filter-file.ts'
import { promise, same } from '../promise.ts'

/** Input: as fileOf reads it. */
export function fuzz(input: Uint8Array): void {
  const { choice, file } = fileOf(input)
  const filter = opened(file, CountingBloomFilter.verified)
  if (filter === undefined) return
  promise(filter.fillRatio() >= 0 && filter.fillRatio() <= 1, 'the fill is a share')
  const bloom = filter.toBloom()
  promise(same(BloomFilter.verified(bloom.toBytes()).toBytes(), bloom.toBytes()), 'the standard filter is one')
  for (let i = 0; i < 40; i++)
    promise(bloom.mightContainHash(i << 25, i) === filter.mightContainHash(i << 25, i), 'the standard filter answers the same')
  const changed = CountingBloomFilter.verified(file.slice())
  if (choice & 1) takesKeys(changed, CountingBloomFilter.verified)
  else givesKeysBack(changed, CountingBloomFilter.verified)
}
