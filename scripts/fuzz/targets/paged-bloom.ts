import { PagedBloomFilter } from '../../../src/filter/paged-bloom.ts'
import { fileOf, opened, takesKeys } from '../filter-file.ts'
import { promise, same } from '../promise.ts'

const HEAD_BYTES = 48

/** Input: as fileOf reads it, with zeros up to the end of a page (but where the first byte is 255): no input is as long as a page. */
export function fuzz(input: Uint8Array): void {
  const pages = Math.max(1, Math.ceil((input.length - 1 - HEAD_BYTES) / PagedBloomFilter.PAGE_BYTES))
  const padded = new Uint8Array(1 + HEAD_BYTES + pages * PagedBloomFilter.PAGE_BYTES)
  padded.set(input)
  const { file } = fileOf(input[0] === 0xff ? input : padded)
  const filter = opened(file, PagedBloomFilter.verified)
  if (filter === undefined) return
  promise(filter.fillRatio() >= 0 && filter.fillRatio() <= 1, 'the fill is a share')
  promise(filter.estimatedKeys() >= 0, 'no number of keys is negative')
  for (const key of ['', 'key', 'key 2']) {
    const page = filter.page(PagedBloomFilter.pageOf(filter, key))
    promise(PagedBloomFilter.pageMightContain(filter, page, key) === filter.mightContain(key), 'a page answers as the filter does')
  }
  promise(same(filter.union(filter).toBytes().subarray(48), file.subarray(48)), 'a filter and itself are itself')
  takesKeys(PagedBloomFilter.verified(file.slice()), PagedBloomFilter.verified)
}
