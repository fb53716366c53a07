import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../src/bytes.ts'
import { decodeBatch, decodeHashList } from '../../src/protocol/hash-list-message.ts'
import { decodeSearchAnswer, decodeSearchRequest } from '../../src/protocol/search-message.ts'
import { decodeSignedState } from '../../src/protocol/signed-state-message.ts'
import { bytesAskedFor, growth } from '../support/work-done.ts'

const DECODERS = [
  ['a hash list', decodeHashList, 'list-format'],
  ['a batch', decodeBatch, 'list-format'],
  ['a search answer', decodeSearchAnswer, 'search-answer'],
  ['a search request', decodeSearchRequest, 'search-answer'],
  ['a signed state', decodeSignedState, 'state-format'],
] as const

/** A number as protobuf has it. */
function varint(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return new Uint8Array([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}
const field = (number: number, content: Uint8Array): Uint8Array => concatBytes([varint(8 * number + 2), varint(content.length), content])
const repeated = (bytes: Uint8Array, times: number): Uint8Array => concatBytes(Array.from({ length: times }, () => bytes))

/** The message in itself, `depth` times, by the field `number`. */
function nested(number: number, depth: number): Uint8Array {
  let message: Uint8Array = new Uint8Array(0)
  for (let i = 0; i < depth; i++) message = field(number, message)
  return message
}

describe.each(DECODERS)('%s', (_, decode, code) => {
  const refusal = expect.objectContaining({ name: 'WaryError', code })

  it('of groups in groups, 100,000 deep, is refused or passed over, by name', () => {
    // Start of group 1000, never ended: unknown to every message.
    const open = repeated(varint(8 * 1000 + 3), 100_000)
    expect(() => decode(open)).toThrow(refusal)
    const closed = concatBytes([open, repeated(varint(8 * 1000 + 4), 100_000)])
    try {
      decode(closed)
    } catch (error) {
      expect(error).toEqual(refusal)
    }
  })

  it('that announces 2 GB in ten bytes asks for no room', () => {
    for (const number of [1, 2, 3, 4, 5, 8, 9, 10, 11, 50_001]) {
      const bytes = concatBytes([varint(8 * number + 2), varint(2 ** 31 - 1), new Uint8Array(10)])
      const asked = bytesAskedFor(() => {
        expect(() => decode(bytes)).toThrow(refusal)
      })
      expect(asked).toBeLessThan(4096)
    }
  })

  it('with a megabyte of fields that nobody knows is passed over in time that is linear', async () => {
    const unknown = (size: number) => {
      const bytes = repeated(field(1000, new Uint8Array(6)), size)
      return () => decode(bytes)
    }
    const { blocks } = await growth(20_000, unknown, '/src/protocol/')
    expect(blocks).toBeLessThan(2.2)
  })

  it('nested in itself is read as far as the messages go', () => {
    for (const number of [1, 2, 4, 8]) {
      try {
        decode(nested(number, 2000))
      } catch (error) {
        expect(error).toEqual(refusal)
      }
    }
  })
})

describe('a batch', () => {
  it('of many empty lists is as long as it says', () => {
    expect(decodeBatch(repeated(field(1, new Uint8Array(0)), 10_000))).toHaveLength(10_000)
  })
})

describe('a hash list', () => {
  const refusal = expect.objectContaining({ name: 'WaryError', code: 'list-format' })
  it('with more signatures than anybody makes is refused', () => {
    const signature = field(2, new Uint8Array(0))
    expect(decodeHashList(field(50_001, repeated(signature, 32))).signed?.signatures).toHaveLength(32)
    expect(() => decodeHashList(field(50_001, repeated(signature, 33)))).toThrow(refusal)
    expect(() => decodeHashList(field(50_001, repeated(signature, 100_000)))).toThrow(refusal)
  })

  it.each([4, 9, 10, 11])('whose additions (field %d) claim 2^31 - 1 entries in ten bytes asks for no room', (number) => {
    // Rice parameter, count and data have other numbers in each message.
    const [parameter, least] = { 4: [2, 3], 9: [2, 35], 10: [3, 99], 11: [5, 227] }[number] as [number, number]
    const count = concatBytes([varint(8 * (parameter + 1)), varint(2 ** 31 - 1)])
    const coded = concatBytes([varint(8 * parameter), varint(least), count, field(parameter + 2, new Uint8Array(10))])
    const asked = bytesAskedFor(() => {
      expect(() => decodeHashList(field(number, coded))).toThrow(refusal)
    })
    expect(asked).toBeLessThan(4096)
  })

  it('whose removals claim 2^31 - 1 entries in ten bytes asks for no room', () => {
    const coded = concatBytes([varint(16), varint(3), varint(24), varint(2 ** 31 - 1), field(4, new Uint8Array(10))])
    const asked = bytesAskedFor(() => {
      expect(() => decodeHashList(field(5, coded))).toThrow(refusal)
    })
    expect(asked).toBeLessThan(4096)
  })
})
