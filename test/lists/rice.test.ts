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
    for (let length = 0; length < encoded.encodedData.length; length++) {
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

  it.each([2, 100, 3000, 30_000])('are coded with the best parameter: %d of them', (count) => {
    const random = new Uint32Array(count * (entryLength / 4))
    for (let i = 0, seed = count; i < random.length; i++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0
      random[i] = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d)
    }
    const { entries } = unsorted(entryLength, new Uint8Array(random.buffer))
    const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength)
    // Differences of the top words decide: below them every parameter costs the same.
    const tops = Array.from({ length: entries.length / entryLength }, (_, i) => view.getUint32(i * entryLength))
    const cost = (parameter: number): number =>
      tops.slice(1).reduce((bits, top, i) => bits + Math.floor((top - (tops[i] as number)) / 2 ** parameter) + 1 + parameter, 0)
    const least = Math.min(...Array.from({ length: 28 }, (_, i) => cost(3 + i)))
    const chosen = (encodeRice(entryLength, entries)?.riceParameter ?? 0) - (entryLength * 8 - 32)
    expect(cost(chosen)).toBeLessThanOrEqual(count < 1000 ? least * 1.05 : least * 1.002)
  })

  it('are coded in ascending order only, and whole', () => {
    const refused = expect.objectContaining({ code: 'list-format' })
    const descending = new Uint8Array(2 * entryLength)
    descending[entryLength - 1] = 1
    expect(() => encodeRice(entryLength, descending)).toThrow(refused)
    expect(() => encodeRice(entryLength, new Uint8Array(entryLength + 1))).toThrow(refused)
  })

  it('carry and borrow from word to word', () => {
    const entries = new Uint8Array(3 * entryLength).fill(0xff)
    entries.fill(0, 0, 4)
    entries.fill(0, entryLength, 2 * entryLength)
    entries[entryLength + 3] = 5
    const encoded = encodeRice(entryLength, entries)
    expect(encoded && toHex(decodeRice(entryLength, encoded))).toBe(toHex(entries))
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
