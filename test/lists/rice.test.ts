import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import { decodeRice } from '../../src/lists/rice-decoding.ts'
import { encodeRice } from '../../src/lists/rice-encoding.ts'
import { RICE_PARAMETERS, riceByBits, riceCodedWith } from '../support/written-rice.ts'

const LENGTHS: readonly EntryLength[] = [4, 8, 16, 32]

function unsorted(entryLength: EntryLength, entries: Uint8Array): HashList {
  return HashList.fromUnsorted({ name: `se-${entryLength}b`, version: new Uint8Array(0), entryLength, entries })
}

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

  const [least, most] = RICE_PARAMETERS[entryLength]
  const riceParameter = fc.integer({ min: least, max: most })

  it('come back from any parameter, and are coded as the text says', () => {
    // Near each other and far apart, so that quotients are short and long; a long one with a small parameter would be a megabyte.
    const words = fc.array(fc.oneof(fc.nat(64), fc.nat(4096), fc.integer({ min: 0, max: 0xffff })), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(
        words,
        fc.uint8Array({ minLength: entryLength - 4, maxLength: entryLength - 4 }),
        riceParameter,
        (tops, rest, parameter) => {
          const packed = new Uint8Array(tops.length * entryLength)
          const view = new DataView(packed.buffer)
          for (const [i, top] of tops.entries()) {
            view.setUint32(i * entryLength, top)
            packed.set(
              rest.map((byte) => byte ^ (i * 37)),
              i * entryLength + 4,
            )
          }
          const { entries } = unsorted(entryLength, packed)
          const coded = riceCodedWith(parameter, entryLength, entries)
          expect(decodeRice(entryLength, coded)).toEqual(entries)
          // The last byte has one to eight bits in use.
          const cut = { ...coded, encodedData: coded.encodedData.subarray(0, -1) }
          if (coded.entriesCount > 0) expect(() => decodeRice(entryLength, cut)).toThrow(expect.objectContaining({ code: 'list-format' }))
          const ours = encodeRice(entryLength, entries)
          expect(ours && riceByBits(entryLength, ours)).toEqual(entries)
          expect(ours?.encodedData).toEqual(ours && riceCodedWith(ours.riceParameter, entryLength, entries).encodedData)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('are of any bytes what they are by the text, bit by bit', () => {
    const room = { minLength: 2 * entryLength, maxLength: 12 * entryLength, size: 'max' } as const
    const dense = fc.uint8Array(room)
    // Long runs of ones and of zeros.
    const sparse = fc.array(fc.constantFrom(0, 1, 0x7f, 0x80, 0xfe, 0xff), room).map((bytes) => new Uint8Array(bytes))
    const coded = fc.record({
      firstValue: fc.oneof(
        fc.uint8Array({ minLength: entryLength, maxLength: entryLength }),
        fc.constant(new Uint8Array(entryLength)),
        fc.constant(new Uint8Array(entryLength).fill(0xff)),
      ),
      riceParameter: fc.oneof(
        { weight: 20, arbitrary: riceParameter },
        { weight: 1, arbitrary: fc.constantFrom(0, least - 1, most + 1, 31, 32, 64) },
      ),
      entriesCount: fc.oneof({ weight: 10, arbitrary: fc.nat(6) }, { weight: 1, arbitrary: fc.integer() }),
      encodedData: fc.oneof(dense, sparse),
    })
    let decoded = 0
    fc.assert(
      fc.property(coded, (encoded) => {
        const byBits = riceByBits(entryLength, encoded)
        if (byBits === undefined) expect(() => decodeRice(entryLength, encoded)).toThrow(expect.objectContaining({ code: 'list-format' }))
        else {
          expect(decodeRice(entryLength, encoded)).toEqual(byBits)
          if (encoded.entriesCount > 0) decoded++
        }
      }),
      { numRuns: 800 },
    )
    expect(decoded).toBeGreaterThan(100)
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
