import { BloomFilter } from '../../../src/filter/bloom.ts'
import { crc32 } from '../../../src/filter/crc32.ts'
import { promise, same, unlessRefused } from '../promise.ts'

const CHECKSUM_AT = 12

/** Input: whether the checksum is put right (lowest bit of 1 byte), else nothing would get past it; then a filter file. */
export function fuzz(input: Uint8Array): void {
  const file = input.slice(1)
  if ((input[0] ?? 0) & 1 && file.length >= CHECKSUM_AT + 4) {
    const view = new DataView(file.buffer)
    view.setUint32(CHECKSUM_AT, 0)
    view.setUint32(CHECKSUM_AT, crc32(file), true)
  }
  const filter = unlessRefused(['filter-format'], () => BloomFilter.verified(file))
  if (filter === undefined) return
  promise(same(filter.toBytes(), file), 'a filter file has one form')
  promise(filter.byteLength === file.length, 'the length is said as it is')
  promise(filter.fillRatio() >= 0 && filter.fillRatio() <= 1, 'the fill is a share')
  const rate = filter.expectedRate()
  promise(rate >= 0 && rate <= 1, `a rate of ${rate}`)
  const changed = BloomFilter.verified(file.slice())
  changed.add('key')
  promise(changed.mightContain('key'), 'what was added is found')
}
