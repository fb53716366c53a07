import { BloomFilter } from './bloom.ts'
import { carriedChecksum, headBytes, refuseFile, seal, verifyChecksum, wholeNumber } from './encoding.ts'
import { GapReader, GapWriter, MOST_SHIFT, shiftFor } from './gap-code.ts'
import { refuseParameter } from './parameters.ts'

/**
 * What changes from one state of a standard Bloom filter to a later one, as the places of the bits that differ (their XOR). All numbers
 * little-endian:
 *
 * | offset | bytes | field |
 * |---|---|---|
 * | 0 | 4 | magic `WDLT` |
 * | 4 | 1 | format version, 1 |
 * | 5 | 1 | r of the gap code (gap-code.ts), 0 to 31 |
 * | 6 | 2 | 0 |
 * | 8 | 4 | checksum of the former filter's file |
 * | 12 | 4 | CRC-32 of the whole delta with these four bytes zero |
 * | 16 | 4 | checksum of the later filter's file |
 * | 20 | 4 | 0 |
 * | 24 | 8 | keys in the later filter |
 * | 32 | 8 | its capacity |
 * | 40 | 8 | number of bits that differ |
 * | 48 | | their places, ascending, in gap code |
 */
const HEAD_BYTES = 48
const MAGIC = 0x544c4457
const VERSION = 1
const PARAMETERS = 3

/**
 * The delta from `former` to `later`: about log2(m / d) + 1.5 bits for each of the d bits that differ. With a hundredth of the keys gone and as
 * many new ones, at 0.1 %, that is a seventeenth of the filter.
 * @throws {WaryError} `filter-parameter` where the two have not the same m, k and seed
 */
export function bloomDelta(former: BloomFilter, later: BloomFilter): Uint8Array<ArrayBuffer> {
  // A counting filter may have the same three: what differs would be its counters.
  if (former.kind !== 'bloom' || later.kind !== 'bloom') throw new TypeError('deltas are of standard Bloom filters: make them with toBloom')
  if (former.bits !== later.bits || former.hashes !== later.hashes || former.seed !== later.seed)
    refuseParameter('only filters of the same bits, hash functions and seed have a delta')
  const formerFile = former.toBytes()
  const laterFile = later.toBytes()
  const before = formerFile.subarray(headBytes(PARAMETERS))
  const after = laterFile.subarray(headBytes(PARAMETERS))
  let changed = 0
  for (const _ of differingBits(before, after)) changed++
  const shift = shiftFor(changed, later.bits)
  const writer = new GapWriter(shift)
  for (const bit of differingBits(before, after)) writer.write(bit)
  const gaps = writer.bytes()
  const delta = new Uint8Array(HEAD_BYTES + gaps.length)
  const view = new DataView(delta.buffer)
  view.setUint32(0, MAGIC, true)
  delta.set([VERSION, shift], 4)
  view.setUint32(8, carriedChecksum(formerFile), true)
  view.setUint32(16, carriedChecksum(laterFile), true)
  view.setBigUint64(24, BigInt(later.count), true)
  view.setBigUint64(32, BigInt(later.capacity), true)
  view.setBigUint64(40, BigInt(changed), true)
  delta.set(gaps, HEAD_BYTES)
  return seal(delta)
}

/**
 * The later filter, made of the former one and the delta. `filter` itself stays as it is.
 * @throws {WaryError} `filter-format` for a damaged delta, `filter-parameter` for one that starts from another filter
 */
export function applyDelta(filter: BloomFilter, delta: Uint8Array): BloomFilter {
  const view = verifiedHead(delta)
  const [shift, spare, next] = delta.subarray(5, 8)
  if (shift === undefined || shift > MOST_SHIFT || spare !== 0 || next !== 0 || view.getUint32(20, true) !== 0)
    refuseFile('the head of the delta is not in order')
  const file = filter.toBytes()
  if (carriedChecksum(file) !== view.getUint32(8, true)) refuseParameter('the delta starts from another filter')
  const body = file.subarray(headBytes(PARAMETERS))
  const gaps = new GapReader(delta.subarray(HEAD_BYTES), shift, filter.bits)
  for (let left = wholeNumber(view.getBigUint64(40, true)); left > 0; left--) {
    const bit = gaps.read()
    if (bit === undefined) refuseFile('the delta ends early, or points behind the filter')
    body[bit >>> 3] = (body[bit >>> 3] as number) ^ (1 << (bit & 7))
  }
  if (!gaps.atEnd()) refuseFile('the delta goes on behind its last bit')
  file.set(delta.subarray(24, 32), 16)
  file.set(delta.subarray(32, 40), headBytes(2))
  seal(file)
  if (carriedChecksum(file) !== view.getUint32(16, true)) refuseFile('the filter that the delta makes is not the one it says')
  return BloomFilter.fromBytes(file)
}

/**
 * Whether a delta is whole, and ends in the filter of `file`: all that can be known of it without the filter that it starts from.
 * @throws {WaryError} `filter-format`
 */
export function checkDeltaTo(file: Uint8Array, delta: Uint8Array): void {
  if (verifiedHead(delta).getUint32(16, true) !== carriedChecksum(file)) refuseFile('the delta leads to another filter')
}

function verifiedHead(delta: Uint8Array): DataView {
  if (delta.length < HEAD_BYTES) refuseFile(`a delta has at least ${HEAD_BYTES} bytes, not ${delta.length}`)
  const view = new DataView(delta.buffer, delta.byteOffset, delta.byteLength)
  if (view.getUint32(0, true) !== MAGIC) refuseFile('not a delta of a filter')
  if (delta[4] !== VERSION) refuseFile(`version ${delta[4]} of deltas is not known`)
  verifyChecksum(delta)
  return view
}

/** Places of the bits that differ, ascending. */
function* differingBits(before: Uint8Array, after: Uint8Array): Generator<number, undefined> {
  for (let i = 0; i < before.length; i++) {
    for (let left = (before[i] as number) ^ (after[i] as number); left !== 0; left &= left - 1) yield 8 * i + 31 - Math.clz32(left & -left)
  }
}
