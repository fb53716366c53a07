import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../src/bytes.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import { decodeRice, encodeRice } from '../../src/lists/rice.ts'
import { vectors } from '../support/vectors.ts'

interface Input {
  readonly bits: number
  readonly rice_parameter: number
  readonly entries_count: number
  readonly first_value_hex?: string
  readonly encoded_hex?: string
}

const LENGTHS: readonly EntryLength[] = [4, 8, 16, 32]

function unsorted(entryLength: EntryLength, entries: Uint8Array): HashList {
  return HashList.fromUnsorted({ name: `se-${entryLength}b`, version: new Uint8Array(0), entryLength, entries })
}

describe('rice_v5.json', () => {
  it.each(vectors<Input, { values_be_hex?: readonly string[]; error?: string }>('rice_v5.json'))('$note $input', ({ input, expected }) => {
    const entryLength = (input.bits / 8) as EntryLength
    const encoded = {
      firstValue: fromHex(input.first_value_hex ?? '00'.repeat(entryLength)),
      riceParameter: input.rice_parameter,
      entriesCount: input.entries_count,
      encodedData: fromHex(input.encoded_hex ?? ''),
    }
    if (expected.error !== undefined) {
      expect(() => decodeRice(entryLength, encoded)).toThrow(expect.objectContaining({ code: 'list-format' }))
      return
    }
    const packed = decodeRice(entryLength, encoded)
    expect(toHex(packed)).toBe(expected.values_be_hex?.join(''))
    // Our own coding of the same values decodes to them, whatever parameter it picks.
    const again = encodeRice(entryLength, packed)
    if (again === undefined) throw new Error('nothing encoded')
    expect(decodeRice(entryLength, again)).toEqual(packed)
  })
})

describe.each(LENGTHS)('entries of %d bytes', (entryLength) => {
  it('come back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: entryLength, maxLength: entryLength }), { minLength: 1, maxLength: 200 }),
        (entries) => {
          const { entries: packed } = unsorted(entryLength, new Uint8Array(entries.flatMap((entry) => [...entry])))
          const encoded = encodeRice(entryLength, packed)
          expect(encoded && decodeRice(entryLength, encoded)).toEqual(packed)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('are refused where the data is cut', () => {
    const entries = new Uint8Array(entryLength * 50).map((_, i) => (i * 167 + 13) & 255)
    const encoded = encodeRice(entryLength, unsorted(entryLength, entries).entries)
    if (encoded === undefined) throw new Error('nothing encoded')
    for (let length = 0; length < encoded.encodedData.length - 1; length++) {
      const cut = { ...encoded, encodedData: encoded.encodedData.subarray(0, length) }
      expect(() => decodeRice(entryLength, cut)).toThrow(expect.objectContaining({ code: 'list-format' }))
    }
  })

  it('are not allocated for a count that the data cannot hold', () => {
    const firstValue = new Uint8Array(entryLength)
    const riceParameter = { 4: 3, 8: 35, 16: 99, 32: 227 }[entryLength]
    const claim = { firstValue, riceParameter, entriesCount: 2 ** 31 - 1, encodedData: new Uint8Array(10) }
    expect(() => decodeRice(entryLength, claim)).toThrow(expect.objectContaining({ code: 'list-format' }))
  })

  it('never overflow or repeat', () => {
    const riceParameter = { 4: 30, 8: 62, 16: 126, 32: 254 }[entryLength]
    const encodedData = new Uint8Array(entryLength * 2).fill(0xff)
    const last = new Uint8Array(entryLength).fill(0xff)
    const overflow = { firstValue: last, riceParameter, entriesCount: 1, encodedData: new Uint8Array([...encodedData.fill(0xfe)]) }
    expect(() => decodeRice(entryLength, overflow)).toThrow(expect.objectContaining({ code: 'list-format' }))
    const repeated = { ...overflow, encodedData: new Uint8Array(entryLength * 2) }
    expect(() => decodeRice(entryLength, repeated)).toThrow(expect.objectContaining({ code: 'list-format' }))
  })
})
