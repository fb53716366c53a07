import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../src/bytes.ts'
import { BloomFilter, scaled } from '../../src/filter/bloom.ts'
import { murmur3 } from '../../src/filter/murmur3.ts'
import { expectedRate, optimalSize, textbookSize } from '../../src/filter/parameters.ts'
import { vectors } from '../support/vectors.ts'

describe.each([
  ['murmur3_mmh3.json', 27],
  ['murmur3_js_revisited.json', 13],
])('%s', (file, count) => {
  const narrow = vectors<{ hex: string; seed: number }, string>(file).filter(({ note }) => note?.startsWith('murmur3_x86_32'))
  it(`has ${count} entries of x86_32`, () => expect(narrow).toHaveLength(count))
  it.each(narrow)('$input', ({ input, expected }) =>
    expect(murmur3(fromHex(input.hex), input.seed).toString(16).padStart(8, '0')).toBe(expected),
  )
})

describe('optimalSize', () => {
  it('keeps the promise for a million keys at 1 %, where the textbook does not', () => {
    expect(textbookSize(1_000_000, 0.01)).toEqual({ bits: 9_585_059, hashes: 7 })
    expect(optimalSize(1_000_000, 0.01)).toEqual({ bits: 9_592_955, hashes: 7 })
    expect(expectedRate(textbookSize(1_000_000, 0.01), 1_000_000)).toBeGreaterThan(0.01)
    expect(expectedRate(optimalSize(1_000_000, 0.01), 1_000_000)).toBeLessThanOrEqual(0.01)
  })

  it.each(vectors<{ error_rate: number }, { hash_functions: number; bits_per_item?: number }>('bloom_sizing.json'))(
    'bloom_sizing.json: $input.error_rate',
    ({ input, expected }) => {
      const { bits, hashes } = textbookSize(1_000_000, input.error_rate)
      expect(hashes).toBeGreaterThanOrEqual(expected.hash_functions - 1)
      expect(hashes).toBeLessThanOrEqual(expected.hash_functions)
      if (expected.bits_per_item !== undefined) expect(bits / 1_000_000).toBeCloseTo(expected.bits_per_item, 2)
    },
  )

  it('is at most the asked rate everywhere', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000_000 }), fc.double({ min: 1e-6, max: 0.5, noNaN: true }), (capacity, rate) => {
        expect(expectedRate(optimalSize(capacity, rate), capacity)).toBeLessThanOrEqual(rate * (1 + 1e-9))
      }),
    )
  })

  it.each([
    [-1, 0.1],
    [1.5, 0.1],
    [10, 0],
    [10, 1],
    [10, Number.NaN],
    [2 ** 40, 0.001],
  ])('refuses %d keys at %d', (capacity, rate) => {
    const refused = expect.objectContaining({ code: 'filter-parameter' })
    expect(() => optimalSize(capacity, rate)).toThrow(refused)
    expect(() => BloomFilter.create({ capacity, rate })).toThrow(refused)
  })
})

describe('scaled', () => {
  it.each([1, 2, 9_592_955, 14_377_589, 2 ** 31 - 1, 4_294_967_291, 2 ** 32 - 1, 2 ** 32])('is exact for %d bits', (bits) => {
    const exact = (h: number): number => Number((BigInt(h) * BigInt(bits)) >> 32n)
    const differ = (h: number): boolean => scaled(h, bits) !== exact(h)
    // For odd m: the hashes whose product is just below a multiple of 2^32, where a rounded product falls on the other side.
    let inverse = 1
    for (let i = 0; i < 6; i++) inverse = Math.imul(inverse, 2 - Math.imul(bits | 0, inverse))
    const hard = Array.from({ length: 2048 }, (_, i) => Math.imul(inverse, -(i + 1)) >>> 0)
    const plain = Array.from({ length: 2048 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 0)
    expect([...hard, ...plain, 0, 2 ** 32 - 1].filter(differ)).toEqual([])
  })
})

/** Distinct 4-byte keys, as the entries of a list are; `half` 0 and 1 never meet. */
function key(i: number, half: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, Math.imul(2 * i + half, 0x9e3779b1) >>> 0)
  return bytes
}

describe('BloomFilter', () => {
  it.each([1e-2, 1e-3, 1e-4])('has no false negative and keeps the rate %d', (rate) => {
    const n = 50_000
    const probes = 400_000
    const filter = BloomFilter.create({ capacity: n, rate, seed: 7 })
    for (let i = 0; i < n; i++) filter.add(key(i, 0))
    for (let i = 0; i < n; i++) if (!filter.mightContain(key(i, 0))) throw new Error(`key ${i} is lost`)
    let positives = 0
    for (let i = 0; i < probes; i++) if (filter.mightContain(key(i, 1))) positives++
    // Five standard deviations of a binomial count: a sound filter fails this once in three million runs.
    expect(Math.abs(positives - probes * rate)).toBeLessThan(5 * Math.sqrt(probes * rate))
    expect(filter.expectedRate()).toBeLessThanOrEqual(rate)
    expect(filter.fillRatio()).toBeCloseTo(1 - Math.exp((-filter.hashes * n) / filter.bits), 2)
  })

  it('takes text as its UTF-8 bytes', () => {
    const filter = BloomFilter.create({ capacity: 10, rate: 1e-6 })
    filter.add('bad.test/ü')
    expect(filter.mightContain(new TextEncoder().encode('bad.test/ü'))).toBe(true)
    expect(filter.mightContain('bad.test/u')).toBe(false)
  })

  it('answers no to everything when empty', () => {
    const filter = BloomFilter.create({ capacity: 0, rate: 0.01 })
    expect(filter.mightContain('x')).toBe(false)
    expect(BloomFilter.fromBytes(filter.toBytes()).mightContain('x')).toBe(false)
  })

  it('comes back from its file, without a copy', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 50 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (keys, seed) => {
        const filter = BloomFilter.create({ capacity: keys.length, rate: 0.01, seed })
        for (const each of keys) filter.add(each)
        const file = filter.toBytes()
        expect(file).toHaveLength(filter.byteLength)
        const loaded = BloomFilter.fromBytes(file)
        expect(loaded.toBytes()).toEqual(file)
        expect({ ...loaded }).toEqual({ ...filter })
        expect(loaded.count).toBe(keys.length)
        for (const each of keys) expect(loaded.mightContain(each)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('has the same bytes on every platform', () => {
    const filter = BloomFilter.create({ capacity: 4, rate: 0.1, seed: 1 })
    for (const each of ['a', 'b', 'c']) filter.add(each)
    expect(Buffer.from(filter.toBytes()).toString('hex')).toMatchInlineSnapshot(
      `"57464c540101010301000000cab11090140000000000000004000000000000000300000000000000996804"`,
    )
  })

  it('refuses every truncation and every flipped bit', () => {
    const filter = BloomFilter.create({ capacity: 20, rate: 0.01 })
    for (let i = 0; i < 20; i++) filter.add(`key ${i}`)
    const file = filter.toBytes()
    const refused = expect.objectContaining({ code: 'filter-format' })
    for (let length = 0; length < file.length; length++) expect(() => BloomFilter.fromBytes(file.subarray(0, length))).toThrow(refused)
    expect(() => BloomFilter.fromBytes(new Uint8Array([...file, 0]))).toThrow(refused)
    for (let bit = 0; bit < file.length * 8; bit++) {
      const flipped = file.slice()
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(() => BloomFilter.fromBytes(flipped), `bit ${bit}`).toThrow(refused)
    }
  })

  it('reads a file at any offset of a larger buffer', () => {
    const filter = BloomFilter.create({ capacity: 5, rate: 0.01 })
    filter.add('x')
    const file = filter.toBytes()
    const larger = new Uint8Array(file.length + 3)
    larger.set(file, 3)
    expect(BloomFilter.fromBytes(larger.subarray(3)).mightContain('x')).toBe(true)
  })
})
