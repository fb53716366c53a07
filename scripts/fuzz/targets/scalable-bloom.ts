import { ScalableBloomFilter } from '../../../src/filter/scalable-bloom.ts'
import { fileOf, opened, takesKeys } from '../filter-file.ts'
import { promise } from '../promise.ts'

/** Input: as fileOf reads it. */
export function fuzz(input: Uint8Array): void {
  const { file } = fileOf(input)
  const filter = opened(file, ScalableBloomFilter.verified)
  if (filter === undefined) return
  promise(filter.fillRatio() >= 0 && filter.fillRatio() <= 1, 'the fill is a share')
  promise(filter.capacity > 0 && filter.bits > 0 && filter.layers > 0, 'a filter has room')
  takesKeys(ScalableBloomFilter.verified(file.slice()), ScalableBloomFilter.verified)
}
