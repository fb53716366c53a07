import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { asWaryError, WaryError } from '../errors.ts'
import type { EntryLength } from '../lists/hash-list.ts'
import type { ListUpdate } from '../lists/list-update.ts'
import type { RiceEncoded } from '../lists/rice.ts'
import { encodeRice } from '../lists/rice-encoding.ts'
import { durationOf } from './duration.ts'
import { BatchGetHashListsResponseSchema, type HashList, HashListMetadata_HashLength, HashListSchema } from './gen/safebrowsing_pb.ts'
import { finished, type Steps } from '../steps.ts'
import { readingHashList } from './hash-list-reading.ts'
import { parseListName, threatTypeNumber } from './threat-type.ts'
import { WireReader } from './wire-reader.ts'

const HASH_LENGTHS: { readonly [L in EntryLength]: HashListMetadata_HashLength } = {
  4: HashListMetadata_HashLength.FOUR_BYTES,
  8: HashListMetadata_HashLength.EIGHT_BYTES,
  16: HashListMetadata_HashLength.SIXTEEN_BYTES,
  32: HashListMetadata_HashLength.THIRTY_TWO_BYTES,
}

/** @throws {WaryError} `list-format` */
export function decodeHashList(bytes: Uint8Array): ListUpdate {
  return finished(decodingHashList(bytes))
}

/** As `decodeHashList`, in steps. */
export function decodingHashList(bytes: Uint8Array): Steps<ListUpdate> {
  return named(readingHashList(new WireReader(bytes)))
}

/** The lists of a hashLists:batchGet or hashLists.list answer, in its order. @throws {WaryError} `list-format` */
export function decodeBatch(bytes: Uint8Array): ListUpdate[] {
  return finished(decodingBatch(bytes))
}

/** As `decodeBatch`, in steps. */
export function decodingBatch(bytes: Uint8Array): Steps<ListUpdate[]> {
  return named(readingBatch(new WireReader(bytes)))
}

function* readingBatch(reader: WireReader): Steps<ListUpdate[]> {
  const updates: ListUpdate[] = []
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    const message = field === 1 ? reader.message() : reader.skip()
    if (message !== undefined) updates.push(yield* readingHashList(message))
  }
  return updates
}

export function encodeHashList(update: ListUpdate): Uint8Array<ArrayBuffer> {
  return toBinary(HashListSchema, toMessage(update))
}

export function encodeBatch(updates: readonly ListUpdate[]): Uint8Array<ArrayBuffer> {
  return toBinary(BatchGetHashListsResponseSchema, create(BatchGetHashListsResponseSchema, { hashLists: updates.map(toMessage) }))
}

/** The protobuf message of `update`; for the JSON form too. */
export function toMessage(update: ListUpdate): HashList {
  const { name, additions, removals, signed } = update
  const kind = parseListName(name)
  const added = additions && encodeRice(additions.entryLength, additions.entries)
  const compressedAdditions = additions && added && toAdditions(additions.entryLength, added)
  const compressedRemovals = removals && encodeRice(4, bigEndian(removals))
  return create(HashListSchema, {
    name,
    version: update.version,
    partialUpdate: update.partial,
    minimumWaitDuration: durationOf(update.minimumWaitMs),
    sha256Checksum: update.checksum,
    ...(compressedAdditions ? { compressedAdditions } : {}),
    ...(compressedRemovals ? { compressedRemovals: narrow(compressedRemovals) } : {}),
    ...(kind ? { metadata: { threatTypes: [threatTypeNumber(kind.threatType)], hashLength: HASH_LENGTHS[kind.entryLength] } } : {}),
    ...(signed
      ? { warySignedState: { statement: signed.statement, signatures: signed.signatures.map((signature) => ({ ...signature })) } }
      : {}),
  })
}

type AdditionsInit = NonNullable<MessageInitShape<typeof HashListSchema>['compressedAdditions']>

function toAdditions(entryLength: EntryLength, rice: RiceEncoded): AdditionsInit {
  const { firstValue, ...coded } = rice
  if (entryLength === 4) return { case: 'additionsFourBytes', value: narrow(rice) }
  const view = new DataView(firstValue.buffer, firstValue.byteOffset, firstValue.byteLength)
  const part = (index: number): bigint => view.getBigUint64(8 * index)
  if (entryLength === 8) return { case: 'additionsEightBytes', value: { ...coded, firstValue: part(0) } }
  if (entryLength === 16) return { case: 'additionsSixteenBytes', value: { ...coded, firstValueHi: part(0), firstValueLo: part(1) } }
  return {
    case: 'additionsThirtyTwoBytes',
    value: {
      ...coded,
      firstValueFirstPart: part(0),
      firstValueSecondPart: part(1),
      firstValueThirdPart: part(2),
      firstValueFourthPart: part(3),
    },
  }
}

function narrow({ firstValue, riceParameter, entriesCount, encodedData }: RiceEncoded) {
  return { firstValue: numbers(firstValue)[0] ?? 0, riceParameter, entriesCount, encodedData }
}

function numbers(packed: Uint8Array): Uint32Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  return Uint32Array.from({ length: packed.length / 4 }, (_, i) => view.getUint32(4 * i))
}

function bigEndian(values: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(values.length * 4)
  const view = new DataView(bytes.buffer)
  for (const [i, value] of values.entries()) view.setUint32(4 * i, value)
  return bytes
}

function* named<T>(decoding: Steps<T>): Steps<T> {
  try {
    return yield* decoding
  } catch (error) {
    if (error instanceof WaryError) throw error
    throw new WaryError('list-format', `not a hash list: ${asWaryError(error).message}`, { cause: error })
  }
}
