import { expect } from 'vitest'
import { compareBytes, fromHex, toHex } from '../../../src/bytes.ts'
import { decodeRice } from '../../../src/lists/rice-decoding.ts'
import { vectorKind } from '../vectors.ts'

/*
 * Version 4 coded 32-bit differences as version 5 does, so its vectors serve: the first value is ours to choose, and the hashes are little-endian there.
 * What v5 forbids must be refused: parameters below 3, and a difference of nothing, because a set has no entry twice.
 */

const REFUSED = expect.objectContaining({ name: 'WaryError', code: 'list-format' })

interface Coded {
  readonly encoded_hex: string
  readonly rice_parameter: number
  readonly entries_count: number
}

function decoded(firstValue: number, riceParameter: number, entriesCount: number, encodedData: Uint8Array): number[] {
  const packed = decodeRice(4, { firstValue: fromHex(firstValue.toString(16).padStart(8, '0')), riceParameter, entriesCount, encodedData })
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  return Array.from({ length: packed.length / 4 }, (_, i) => view.getUint32(4 * i))
}

function differences({ encoded_hex, rice_parameter, entries_count }: Coded, deltas: readonly number[]): string | undefined {
  const decode = (): number[] => decoded(1, rice_parameter, entries_count, fromHex(encoded_hex))
  const refused = entries_count > 0 && rice_parameter < 3 ? 'Rice parameter below 3' : deltas.includes(0) ? 'an entry twice' : undefined
  if (refused) expect(decode).toThrow(REFUSED)
  else {
    const values = decode()
    expect(values[0]).toBe(1)
    expect(values.slice(1).map((value, i) => value - (values[i] as number))).toEqual(deltas)
  }
  return refused
}

/** Fields of a protobuf message that has numbers and bytes only. */
function fields(bytes: Uint8Array): Map<number, number | Uint8Array> {
  const found = new Map<number, number | Uint8Array>()
  let at = 0
  const number = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] as number
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = number()
    const value = number()
    found.set(tag >> 3, (tag & 7) === 2 ? bytes.subarray(at, at + value) : value)
    if ((tag & 7) === 2) at += value
  }
  return found
}

function numberOf(value: number | Uint8Array | undefined): number {
  return typeof value === 'number' ? value : 0
}
function bytesOf(value: number | Uint8Array | undefined): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array(0)
}

/** RiceDeltaEncoding of v4: first_value = 1, rice_parameter = 2, num_entries = 3, encoded_data = 4. */
function riceOf(message: Uint8Array): number[] {
  const parts = fields(message)
  return decoded(numberOf(parts.get(1)), numberOf(parts.get(2)), numberOf(parts.get(3)), bytesOf(parts.get(4)))
}

/** ThreatEntrySet of v4: raw_hashes = 2 { prefix_size = 1, raw_hashes = 2 }, rice_hashes = 4, rice_indices = 5. */
function entrySet(messages: readonly string[]): { hashes: Uint8Array[]; indices: number[] } {
  const hashes: Uint8Array[] = []
  const indices: number[] = []
  for (const message of messages) {
    const set = fields(fromHex(message))
    const raw = set.get(2)
    if (raw instanceof Uint8Array) {
      const size = numberOf(fields(raw).get(1))
      const packed = bytesOf(fields(raw).get(2))
      for (let at = 0; at < packed.length; at += size) hashes.push(packed.subarray(at, at + size))
    }
    const coded = set.get(4)
    if (coded instanceof Uint8Array) {
      for (const value of riceOf(coded)) hashes.push(fromHex(value.toString(16).padStart(8, '0')).reverse())
    }
    const removed = set.get(5)
    if (removed instanceof Uint8Array) indices.push(...riceOf(removed))
  }
  return { hashes: hashes.sort(compareBytes), indices }
}

interface Input extends Partial<Coded> {
  readonly threat_entry_set_proto_hex?: readonly string[]
}
interface Expected {
  readonly deltas?: readonly number[]
  readonly sorted_prefixes_hex?: readonly string[]
  readonly indices?: readonly number[]
}

const riceV4 = vectorKind<Input, Expected>(/^rice_v4/, ({ input, expected }) => {
  const { encoded_hex, rice_parameter, entries_count } = input
  if (encoded_hex !== undefined && rice_parameter !== undefined && entries_count !== undefined && expected.deltas !== undefined)
    return differences({ encoded_hex, rice_parameter, entries_count }, expected.deltas)
  if (input.threat_entry_set_proto_hex === undefined) throw new Error(`an input of an unknown form: ${JSON.stringify(input)}`)
  const { hashes, indices } = entrySet(input.threat_entry_set_proto_hex)
  expect({ hashes: hashes.map(toHex), indices }).toEqual({ hashes: expected.sorted_prefixes_hex ?? [], indices: expected.indices ?? [] })
  return undefined
})

export const RICE_V4_KINDS = [riceV4]
