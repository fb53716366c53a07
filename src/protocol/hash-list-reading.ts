import type { EntryLength } from '../lists/hash-list.ts'
import type { ListUpdate } from '../lists/list-update.ts'
import { decodingRice } from '../lists/rice-decoding.ts'
import type { Steps } from '../steps.ts'
import { readDuration } from './duration.ts'
import { readSignedState } from './signed-state-message.ts'
import type { WireReader } from './wire-reader.ts'

/** Rice-coded numbers as a message carries them: the first value in parts, 32 or 64 bits each. */
interface RiceMessage {
  readonly parts: readonly bigint[]
  readonly riceParameter: number
  readonly entriesCount: number
  readonly encodedData: Uint8Array
}

/** Field numbers of the additions in HashList, by entry length, and what their messages are made of. */
const ADDITIONS: Readonly<Record<number, EntryLength>> = { 4: 4, 9: 8, 10: 16, 11: 32 }
const PARTS: { readonly [L in EntryLength]: number } = { 4: 1, 8: 1, 16: 2, 32: 4 }
const BLANK: RiceMessage = { parts: [], riceParameter: 0, entriesCount: 0, encodedData: new Uint8Array(0) }

/** A message HashList (v5), in steps. What it answers keeps none of the message's bytes. @throws {WaryError} `list-format` */
export function* readingHashList(reader: WireReader): Steps<ListUpdate> {
  let name = ''
  let version = new Uint8Array(0) as Uint8Array
  let partial = false
  let checksum = new Uint8Array(0) as Uint8Array
  let minimumWaitMs = 0
  let added: { readonly entryLength: EntryLength; readonly rice: RiceMessage } | undefined
  let removed: RiceMessage | undefined
  let signed: ListUpdate['signed']
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    const entryLength = ADDITIONS[field]
    if (field === 1) name = reader.string() ?? name
    else if (field === 2) version = reader.bytes()?.slice() ?? version
    else if (field === 3) partial = reader.bool() ?? partial
    else if (field === 7) checksum = reader.bytes()?.slice() ?? checksum
    else {
      const message = entryLength || field === 5 || field === 6 || field === 50001 ? reader.message() : reader.skip()
      if (message === undefined) continue
      // The last of the additions counts; one of the same length goes on from the one before it, as messages merge.
      if (entryLength)
        added = { entryLength, rice: readRice(message, entryLength, added?.entryLength === entryLength ? added.rice : BLANK) }
      else if (field === 5) removed = readRice(message, 4, removed ?? BLANK)
      else if (field === 6) minimumWaitMs = Math.max(0, readDuration(message))
      else signed = readSignedState(message, signed)
    }
  }
  return {
    name,
    version,
    partial,
    additions: added && { entryLength: added.entryLength, entries: yield* decoding(added.entryLength, added.rice) },
    removals: removed && numbers(yield* decoding(4, removed)),
    checksum,
    minimumWaitMs,
    signed,
  }
}

/** RiceDeltaEncoded32Bit to RiceDeltaEncoded256Bit: the parts of the first value, then parameter, count and data. */
function readRice(reader: WireReader, entryLength: EntryLength, former: RiceMessage): RiceMessage {
  const count = PARTS[entryLength]
  const parts = Array.from({ length: count }, (_, i) => former.parts[i] ?? 0n)
  let { riceParameter, entriesCount, encodedData } = former
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field <= count) parts[field - 1] = firstPart(reader, entryLength, field) ?? (parts[field - 1] as bigint)
    else if (field === count + 1) riceParameter = reader.int32() ?? riceParameter
    else if (field === count + 2) entriesCount = reader.int32() ?? entriesCount
    else if (field === count + 3) encodedData = reader.bytes() ?? encodedData
    else reader.skip()
  }
  return { parts, riceParameter, entriesCount, encodedData }
}

/** The highest part is a varint, the others are fixed64; of 32 bits there is one. */
function firstPart(reader: WireReader, entryLength: EntryLength, field: number): bigint | undefined {
  if (field > 1) return reader.fixed64()
  if (entryLength !== 4) return reader.uint64()
  const value = reader.uint32()
  return value === undefined ? undefined : BigInt(value)
}

function* decoding(entryLength: EntryLength, { parts, ...rice }: RiceMessage): Steps<Uint8Array> {
  const width = Math.min(entryLength, 8)
  const firstValue = new Uint8Array(entryLength)
  const view = new DataView(firstValue.buffer)
  for (const [i, part] of parts.entries()) {
    if (width === 4) view.setUint32(4 * i, Number(part))
    else view.setBigUint64(8 * i, part)
  }
  return yield* decodingRice(entryLength, { ...rice, firstValue })
}

/** Packed big-endian 32-bit numbers. */
function numbers(packed: Uint8Array): Uint32Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  return Uint32Array.from({ length: packed.length / 4 }, (_, i) => view.getUint32(4 * i))
}
