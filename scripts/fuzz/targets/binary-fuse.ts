import { BinaryFuseFilter } from '../../../src/filter/binary-fuse.ts'
import { fileOf, opened } from '../filter-file.ts'
import { promise, same } from '../promise.ts'

/** Input: as fileOf reads it; or, with the second lowest bit, the filter is made of the rest as ready hashes. */
export function fuzz(input: Uint8Array): void {
  const { choice, file } = fileOf(input)
  if (choice & 1) return built(file)
  const filter = opened(file, BinaryFuseFilter.verified)
  if (filter === undefined) return
  for (let i = 0; i < 40; i++) {
    const maybe = filter.mightContainHash(i << 25, i)
    promise(!maybe || filter.count > 0, 'a filter of no keys says no')
  }
}

function built(file: Uint8Array<ArrayBuffer>): void {
  const hashes = new Int32Array(file.buffer.slice(0, file.length & -8))
  const filter = BinaryFuseFilter.fromHashes(hashes, { fingerprintBits: 1 + (file.length % 32), seed: hashes.length })
  const again = BinaryFuseFilter.verified(filter.toBytes())
  for (let i = 0; i < hashes.length; i += 2) promise(again.mightContainHash(hashes[i] ?? 0, hashes[i + 1] ?? 0), 'every key is found')
  promise(same(again.toBytes(), filter.toBytes()), 'the file is the filter')
}
