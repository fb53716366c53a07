import { describe, expect, it } from 'vitest'
import { SplitBlockBloomFilter, splitBlockRate } from '../../src/filter/split-block-bloom.ts'
import { xxh64 } from '../../src/filter/xxh64.ts'
import { vectors } from '../support/vectors.ts'

type Fact = { readonly what?: string; readonly bits_per_insert?: number; readonly blocks?: number; readonly inserted?: number }
const facts = vectors<Fact, string[] & { false_positive_probability: number }>('bloom_parquet_format.json')
const refused = expect.objectContaining({ code: 'filter-parameter' })

/** 64 bits, as those of xxh64 are, for numbers that differ. */
function hashOf(i: number): bigint {
  let h = BigInt(i) * 0x9e3779b97f4a7c15n
  h = BigInt.asUintN(64, (h ^ (h >> 30n)) * 0xbf58476d1ce4e5b9n)
  h = BigInt.asUintN(64, (h ^ (h >> 27n)) * 0x94d049bb133111ebn)
  return h ^ (h >> 31n)
}

/** The text of the specification, bit by bit, with none of our code. */
function setBits(hash: bigint, blocks: bigint, salt: readonly string[]): number[] {
  const block = ((hash >> 32n) * blocks) >> 32n
  return salt.map((word, i) => Number(256n * block) + 32 * i + Number((((hash & 0xffffffffn) * BigInt(`0x${word}`)) & 0xffffffffn) >> 27n))
}

describe('bloom_parquet_format.json', () => {
  it('has nine entries, each of a kind that is checked here', () => {
    expect(facts).toHaveLength(9)
    const [salts, ratios, examples] = ['what', 'bits_per_insert', 'blocks'].map(
      (field) => facts.filter(({ input }) => field in input).length,
    )
    expect([salts, ratios, examples]).toEqual([1, 5, 3])
  })

  it('the salt and how it is used', () => {
    const { expected, note } = facts.find(({ input }) => input.what === 'salt') ?? {}
    expect(note).toContain('>>27')
    for (let i = 0; i < 300; i++) {
      const filter = SplitBlockBloomFilter.ofBlocks(1 + (i % 7))
      filter.addHash(hashOf(i))
      const bytes = filter.toBitset()
      const set = Array.from({ length: bytes.length * 8 }, (_, bit) => bit).filter((bit) => ((bytes[bit >> 3] as number) >> (bit & 7)) & 1)
      expect(set).toEqual(setBits(hashOf(i), BigInt(filter.blocks), expected ?? []))
    }
  })

  it.each(facts.filter(({ input }) => input.bits_per_insert !== undefined))(
    '$input.bits_per_insert bits an insert',
    ({ input, expected }) => {
      // The document rounds both.
      const blocks = 1e6
      const rate = splitBlockRate(blocks, (256 * blocks) / (input.bits_per_insert ?? 0))
      expect(rate / expected.false_positive_probability).toBeGreaterThan(0.9)
      expect(rate / expected.false_positive_probability).toBeLessThan(1.1)
    },
  )

  it.each(facts.filter(({ input }) => input.blocks !== undefined))(
    '$input.inserted values in $input.blocks blocks',
    ({ input, expected }) => {
      const { blocks = 0, inserted = 0 } = input
      const filter = SplitBlockBloomFilter.ofBlocks(blocks)
      for (let i = 0; i < inserted; i++) filter.addHash(hashOf(i))
      for (let i = 0; i < inserted; i += 7) expect(filter.mightContainHash(hashOf(i))).toBe(true)
      let positives = 0
      const strangers = 100_000
      for (let i = 0; i < strangers; i++) if (filter.mightContainHash(hashOf(inserted + i))) positives++
      const rate = splitBlockRate(blocks, inserted)
      expect(Math.abs(positives - strangers * rate)).toBeLessThan(5 * Math.sqrt(strangers * rate) + 0.02 * strangers * rate)
      expect(rate / expected.false_positive_probability).toBeGreaterThan(0.9)
      expect(rate / expected.false_positive_probability).toBeLessThan(1.1)
    },
  )
})

describe('SplitBlockBloomFilter', () => {
  it('takes texts as UTF-8, and bytes, by their XXH64 with seed 0', () => {
    const [text, bytes, hash] = [0, 1, 2].map(() => SplitBlockBloomFilter.ofBlocks(8)) as [
      SplitBlockBloomFilter,
      SplitBlockBloomFilter,
      SplitBlockBloomFilter,
    ]
    text.add('grün')
    bytes.add(new TextEncoder().encode('grün'))
    hash.addHash(xxh64(new TextEncoder().encode('grün')))
    expect(text.toBitset()).toEqual(bytes.toBitset())
    expect(text.toBitset()).toEqual(hash.toBitset())
    expect(text.mightContain('grün')).toBe(true)
    expect(text.mightContain('grun')).toBe(false)
  })

  it('opens a bitset at any offset, in place', () => {
    const filter = SplitBlockBloomFilter.ofBlocks(3)
    filter.add('a')
    const larger = new Uint8Array(99)
    larger.set(filter.toBitset(), 3)
    const opened = SplitBlockBloomFilter.fromBitset(larger.subarray(3))
    expect(opened.mightContain('a')).toBe(true)
    opened.add('b')
    expect(SplitBlockBloomFilter.fromBitset(larger.slice(3)).mightContain('b')).toBe(true)
  })

  it.each([1e-1, 1e-2, 1e-4])('has the fewest blocks that keep the rate %d', (rate) => {
    const { blocks } = SplitBlockBloomFilter.create({ capacity: 10_000, rate })
    expect(splitBlockRate(blocks, 10_000)).toBeLessThanOrEqual(rate)
    expect(splitBlockRate(blocks - 1, 10_000)).toBeGreaterThan(rate)
  })

  it('refuses what is no filter', () => {
    for (const blocks of [0, -1, 1.5, 2 ** 26]) expect(() => SplitBlockBloomFilter.ofBlocks(blocks)).toThrow(refused)
    for (const length of [0, 31, 33]) expect(() => SplitBlockBloomFilter.fromBitset(new Uint8Array(length))).toThrow(refused)
    expect(() => SplitBlockBloomFilter.create({ capacity: 1e12, rate: 0.01 })).toThrow(refused)
    expect(() => SplitBlockBloomFilter.create({ capacity: 10, rate: 0 })).toThrow(refused)
  })
})
