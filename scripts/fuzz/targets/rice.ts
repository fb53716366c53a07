import { type EntryLength, HashList } from '../../../src/lists/hash-list.ts'
import type { RiceEncoded } from '../../../src/lists/rice.ts'
import { decodeRice } from '../../../src/lists/rice-decoding.ts'
import { encodeRice } from '../../../src/lists/rice-encoding.ts'
import { riceByBits } from '../../../test/support/written-rice.ts'
import { promise, same, unlessRefused } from '../promise.ts'

const LENGTHS: readonly EntryLength[] = [4, 8, 16, 32]

/** Input: entry length (1 byte), Rice parameter above the lower words (1), count (2), first value, coded data. */
export function fuzz(input: Uint8Array): void {
  if (input.length < 4) return
  const [selector = 0, above = 0, countHigh = 0, countLow = 0] = input
  const entryLength = LENGTHS[selector & 3] as EntryLength
  const firstValue = new Uint8Array(entryLength)
  firstValue.set(input.subarray(4, 4 + entryLength))
  const encoded: RiceEncoded = {
    firstValue,
    riceParameter: 8 * entryLength - 32 + (above & 127) - (above & 128 ? 128 : 0),
    // As the wire has it: any 32-bit number.
    entriesCount: selector & 128 ? (countHigh << 24) | countLow : countHigh * 256 + countLow,
    encodedData: input.subarray(4 + entryLength),
  }
  const packed = unlessRefused(['list-format'], () => decodeRice(entryLength, encoded))
  promise(same(packed, riceByBits(entryLength, encoded)), 'entries are what they are by the text, bit by bit')
  if (packed === undefined) return
  promise(packed.length === (encoded.entriesCount + 1) * entryLength, 'as many entries as were said')
  promise(packed.length <= entryLength + encoded.encodedData.length * 8 * entryLength, 'no more entries than the data has bits')
  const list = HashList.fromSorted({ name: 'se-4b', version: new Uint8Array(0), entryLength, entries: packed })
  promise(list.count === encoded.entriesCount + 1 && list.has(firstValue.slice()), 'the entries are a list with the first value in it')
  const again = encodeRice(entryLength, packed)
  promise(again !== undefined && same(decodeRice(entryLength, again), packed), 'what is decoded can be coded')
  promise(same(encodeRice(entryLength, decodeRice(entryLength, again)), again), 'coding is a function of the entries')
}
