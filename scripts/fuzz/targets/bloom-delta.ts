import { BloomFilter } from '../../../src/filter/bloom.ts'
import { applyDelta, bloomDelta } from '../../../src/filter/bloom-delta.ts'
import { carriedChecksum } from '../../../src/filter/encoding.ts'
import { GapReader, GapWriter } from '../../../src/filter/gap-code.ts'
import { seal } from '../filter-file.ts'
import { promise, same, unlessRefused } from '../promise.ts'

const HEAD_BYTES = 48
const FORMER_AT = 8

/** Input: what to do (1 byte), then a delta, gap code, or the bits of a later filter. */
export function fuzz(input: Uint8Array): void {
  const bytes = input.slice(1)
  const choice = (input[0] ?? 0) % 4
  if (choice === 0) hostile(bytes, false)
  else if (choice === 1) hostile(bytes, true)
  else if (choice === 2) gaps(bytes)
  else thereAndBack(bytes)
}

function former(): BloomFilter {
  const filter = BloomFilter.create({ capacity: 100, rate: 0.01, seed: 7 })
  for (let i = 0; i < 100; i++) filter.add(`key ${i}`)
  return filter
}

function hostile(delta: Uint8Array<ArrayBuffer>, sealed: boolean): void {
  const filter = former()
  const file = filter.toBytes()
  if (sealed && delta.length >= HEAD_BYTES) {
    new DataView(delta.buffer).setUint32(FORMER_AT, carriedChecksum(file), true)
    seal(delta)
  }
  const later = unlessRefused(['filter-format', 'filter-parameter'], () => applyDelta(filter, delta))
  promise(same(filter.toBytes(), file), 'the former filter stays as it is')
  if (later === undefined) return
  promise(same(BloomFilter.verified(later.toBytes()).toBytes(), later.toBytes()), 'a delta makes a filter')
  promise(same(applyDelta(filter, bloomDelta(filter, later)).toBytes(), later.toBytes()), 'which has a delta again')
}

function gaps(bytes: Uint8Array): void {
  const shift = (bytes[0] ?? 0) & 31
  const code = bytes.subarray(1)
  const reader = new GapReader(code, shift, 2 ** 32)
  const writer = new GapWriter(shift)
  let former = -1
  while (!reader.atEnd()) {
    const number = reader.read()
    if (number === undefined) return
    promise(Number.isSafeInteger(number) && number > former && number < 2 ** 32, `${number} behind ${former}`)
    writer.write(number)
    former = number
  }
  promise(same(writer.bytes(), code), 'ascending numbers have one code')
}

/** The input's bits are the later filter's. */
function thereAndBack(bytes: Uint8Array): void {
  const before = former()
  const file = before.toBytes()
  const head = file.length - Math.ceil(before.bits / 8)
  file.set(bytes.subarray(0, file.length - head), head)
  const rest = before.bits % 8
  if (rest !== 0) file[file.length - 1] = (file[file.length - 1] as number) & (2 ** rest - 1)
  seal(file)
  const later = BloomFilter.verified(file)
  promise(same(applyDelta(before, bloomDelta(before, later)).toBytes(), file), 'a delta leads to the later filter')
}
