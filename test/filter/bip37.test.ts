import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../src/bytes.ts'
import { Bip37Filter, type Bip37Options } from '../../src/filter/bip37.ts'

import { vectors } from '../support/vectors.ts'

interface Inserted {
  readonly n: number
  readonly fp_rate: number
  readonly tweak: number
  readonly flags: number
  readonly insert_hex: readonly string[]
}
interface Expected {
  readonly serialized_hex: string
  readonly filter_bytes: string
  readonly hash_funcs: number
  readonly contains: readonly string[]
  readonly not_contains: readonly string[]
}

const refusedFile = expect.objectContaining({ code: 'filter-format' })

describe('bloom_bip37.json', () => {
  const entries = vectors<Inserted, Expected>('bloom_bip37.json')
  it('has an entry', () => expect(entries).toHaveLength(1))
  it.each(entries)('$note', ({ input, expected }) => {
    const filter = Bip37Filter.create({ capacity: input.n, rate: input.fp_rate, tweak: input.tweak, flags: input.flags })
    for (const element of input.insert_hex) filter.add(fromHex(element))
    expect(toHex(filter.toBytes())).toBe(expected.serialized_hex)
    expect(toHex(filter.toBytes().subarray(1, -9))).toBe(expected.filter_bytes)
    expect(filter.hashes).toBe(expected.hash_funcs)
    const loaded = Bip37Filter.fromBytes(fromHex(expected.serialized_hex))
    for (const each of [filter, loaded]) {
      for (const element of expected.contains) expect(each.mightContain(fromHex(element))).toBe(true)
      for (const element of expected.not_contains) expect(each.mightContain(fromHex(element))).toBe(false)
    }
  })
})

describe('Bip37Filter', () => {
  it('has the bytes of Bitcoin Core with a tweak (bloom_tests.cpp, bloom_create_insert_serialize_with_tweak)', () => {
    const filter = Bip37Filter.create({ capacity: 3, rate: 0.01, tweak: 2147483649, flags: 1 })
    for (const element of [
      '99108ad8ed9bb6274d3980bab5a85c048f0950c8',
      'b5a2c786d9ef4658287ced5914b37a1b4aa32eee',
      'b9300670b4c5366e95b2699e8b18bc75e5f729c5',
    ])
      filter.add(fromHex(element))
    expect(toHex(filter.toBytes())).toBe('03ce4299050000000100008001')
  })

  it('has the bounds of the protocol: 36,000 bytes, 50 hash functions', () => {
    expect(Bip37Filter.create({ capacity: 1e6, rate: 1e-3 }).toBytes()).toHaveLength(3 + 36_000 + 9)
    expect(Bip37Filter.create({ capacity: 1, rate: 1e-30 }).hashes).toBe(50)
  })

  it('comes back from its message', () => {
    const options: fc.Arbitrary<Bip37Options> = fc.record({
      capacity: fc.nat(300),
      rate: fc.double({ min: 1e-6, max: 0.9, noNaN: true }),
      tweak: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      flags: fc.nat(2),
    })
    fc.assert(
      fc.property(options, fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 }), (shape, elements) => {
        const filter = Bip37Filter.create(shape)
        for (const element of elements) filter.add(element)
        const loaded = Bip37Filter.fromBytes(filter.toBytes())
        expect({ ...loaded }).toEqual({ ...filter })
        expect(loaded.toBytes()).toEqual(filter.toBytes())
        for (const element of elements) expect(loaded.mightContain(element)).toBe(true)
      }),
    )
  })

  it('has all in it where it has no byte, as in Bitcoin Core', () => {
    const filter = Bip37Filter.create({ capacity: 0, rate: 0.01 })
    filter.add(Uint8Array.of(1))
    expect(toHex(filter.toBytes())).toBe('00000000000000000000')
    expect(filter.mightContain(Uint8Array.of(2))).toBe(true)
  })

  it('refuses what is no message', () => {
    const message = Bip37Filter.create({ capacity: 100, rate: 0.01, tweak: 5 }).toBytes()
    for (let length = 0; length < message.length; length++)
      expect(() => Bip37Filter.fromBytes(message.subarray(0, length))).toThrow(refusedFile)
    expect(() => Bip37Filter.fromBytes(new Uint8Array([...message, 0]))).toThrow(refusedFile)
    const tail = '050000000000000000'
    for (const hex of [
      `fd0300614e9b${tail}`, // a length in more bytes than it needs
      `fe03000000614e9b${tail}`,
      `ff0300000000000000614e9b${tail}`,
      '03614e9b330000000000000000', // 51 hash functions
      `fda18c${'00'.repeat(36_001)}${tail}`, // 36,001 bytes
    ])
      expect(() => Bip37Filter.fromBytes(fromHex(hex)), hex.slice(0, 20)).toThrow(refusedFile)
  })
})
