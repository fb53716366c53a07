import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { encodeFilter, headBytes } from '../../src/filter/encoding.ts'
import type { Deletable, Insertable, MembershipFilter } from '../../src/filter/membership-filter.ts'
import { PagedBloomFilter, type PagedShape } from '../../src/filter/paged-bloom.ts'
import { expectRate, expectSeedsDiffer, memberHash, strangerHash } from '../support/membership.ts'

const refusedFile = expect.objectContaining({ code: 'filter-format' })
const refusedParameter = expect.objectContaining({ code: 'filter-parameter' })

function filled(n: number, rate: number, seed = 7): PagedBloomFilter {
  const filter = PagedBloomFilter.create({ capacity: n, rate, seed })
  for (let i = 0; i < n; i++) filter.addHash(...memberHash(i))
  return filter
}

describe('PagedBloomFilter', () => {
  it.each([1e-2, 1e-3, 1e-4])('has no false negative and keeps the rate %d', (rate) => {
    const filter = filled(50_000, rate)
    expect(filter.count).toBe(50_000)
    expectRate(filter, 50_000, rate)
    expect(Math.abs(filter.estimatedKeys() / 50_000 - 1)).toBeLessThan(0.01)
  })

  it('takes entries of four bytes, whose second half is made of the first', () => {
    const filter = PagedBloomFilter.create({ capacity: 50_000, rate: 1e-2 })
    const hash = (i: number): [number, number] => [Math.imul(i, 0x9e3779b1), Math.imul(Math.imul(i, 0x9e3779b1) ^ 0x5bd1e995, 0x85ebca6b)]
    for (let i = 0; i < 50_000; i++) filter.addHash(...hash(i))
    let positives = 0
    for (let i = 50_000; i < 250_000; i++) if (filter.mightContainHash(...hash(i))) positives++
    expect(Math.abs(positives - 2000)).toBeLessThan(5 * Math.sqrt(2000))
  })

  it('errs about other keys with another seed', () =>
    expectSeedsDiffer((seed) => {
      // So few keys are lost in a page: with one probe each, they err by 2,000 in 131,072 bits.
      const filter = PagedBloomFilter.ofSize({ pages: 4, hashes: 1, capacity: 2000, seed })
      for (let i = 0; i < 2000; i++) filter.addHash(...memberHash(i))
      return filter
    }))

  it('answers from one page alone as it does itself', () => {
    const filter = filled(20_000, 0.05)
    const { pages, hashes, seed } = filter
    const shape = { pages, hashes, seed }
    const seen = new Set<number>()
    for (let i = 0; i < 5000; i++) {
      for (const hash of [memberHash(i), strangerHash(i)]) {
        const number = PagedBloomFilter.pageOfHash(shape, ...hash)
        seen.add(number)
        const page = filter.page(number).slice()
        expect(PagedBloomFilter.pageMightContainHash(shape, page, ...hash)).toBe(filter.mightContainHash(...hash))
      }
      const key = `key ${i}`
      if (i % 2 === 0) filter.add(key)
      const page = filter.page(PagedBloomFilter.pageOf(filter, key))
      expect(PagedBloomFilter.pageMightContain(filter, page, key)).toBe(filter.mightContain(key))
    }
    expect(seen.size).toBe(pages)
  })

  it('sets bits in the page of the key only, and at most k of them', () => {
    for (let i = 0; i < 200; i++) {
      const filter = PagedBloomFilter.ofSize({ pages: 5, hashes: 11, capacity: 1, seed: i })
      filter.add(`key ${i}`)
      const used = [0, 1, 2, 3, 4].filter((number) => filter.page(number).some((byte) => byte !== 0))
      expect(used).toEqual([PagedBloomFilter.pageOf(filter, `key ${i}`)])
      expect(Math.round(filter.fillRatio() * filter.bits)).toBeLessThanOrEqual(11)
      expect(Math.round(filter.fillRatio() * filter.bits)).toBeGreaterThan(8)
    }
  })

  it('has its pages one behind the other in its file', () => {
    const filter = filled(20_000, 0.01)
    const file = filter.toBytes()
    expect(file).toHaveLength(filter.byteLength)
    for (let number = 0; number < filter.pages; number++) {
      const at = headBytes(3) + number * PagedBloomFilter.PAGE_BYTES
      expect(filter.page(number)).toEqual(file.subarray(at, at + PagedBloomFilter.PAGE_BYTES))
    }
    expect(() => filter.page(filter.pages)).toThrow(RangeError)
    expect(() => filter.page(-1)).toThrow(RangeError)
    expect(() => filter.page(0.5)).toThrow(RangeError)
    expect(() => PagedBloomFilter.pageMightContain(filter, file, 'x')).toThrow(RangeError)
    expect(() => PagedBloomFilter.pageMightContainHash(filter, file, 1, 2)).toThrow(RangeError)
  })

  it.each([1, 2, 3, 4, 32])('denies no key with %d hash functions, one by one or many at once', (hashes) => {
    const filter = PagedBloomFilter.ofSize({ pages: 3, hashes, capacity: 100 })
    const ready = Int32Array.from({ length: 400 }, (_, i) => memberHash(i >> 1)[(i & 1) as 0 | 1])
    for (let i = 0; i < 100; i++) filter.addHash(...memberHash(i))
    const found = new Uint32Array(200)
    const one = Array.from({ length: 200 }, (_, i) => i).filter((i) => filter.mightContainHash(...memberHash(i)))
    expect([...found.subarray(0, filter.hasMany(ready, 200, found))]).toEqual(one)
    expect(one.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, i) => i))
    expect(filter.hasAny(ready, 200)).toBe(true)
    expect(PagedBloomFilter.ofSize({ pages: 3, hashes, capacity: 1 }).hasAny(ready, 200)).toBe(false)
    expect(() => filter.hasMany(ready, 201, new Uint32Array(300))).toThrow(RangeError)
  })

  it('says what happens past its capacity', () => {
    const filter = PagedBloomFilter.create({ capacity: 10_000, rate: 0.01 })
    for (let i = 0; i < 40_000; i++) filter.addHash(...memberHash(i))
    expect(filter.expectedRate()).toBeGreaterThan(0.5)
    expectRate(filter, 40_000, 1, 20_000)
    expect(Math.abs(filter.estimatedKeys() / 40_000 - 1)).toBeLessThan(0.03)
  })

  it('has the union of filters of one shape', () => {
    const [left, right] = [0, 1].map(() => PagedBloomFilter.create({ capacity: 20_000, rate: 0.01 })) as [
      PagedBloomFilter,
      PagedBloomFilter,
    ]
    for (let i = 0; i < 10_000; i++) left.addHash(...memberHash(i))
    for (let i = 5000; i < 15_000; i++) right.addHash(...memberHash(i))
    const union = left.union(right)
    expectRate(union, 15_000, 1, 1000)
    expect(union.count).toBe(20_000)
    expect(Math.abs(union.estimatedKeys() - 15_000)).toBeLessThan(300)
    expect(() => left.union(filled(10, 0.01))).toThrow(refusedParameter)
  })

  it('comes back from its file, without a copy', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 50 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (keys, seed) => {
        const filter = PagedBloomFilter.create({ capacity: keys.length, rate: 0.01, seed })
        for (const each of keys) filter.add(each)
        const file = filter.toBytes()
        const loaded = PagedBloomFilter.fromBytes(file)
        expect(loaded.toBytes()).toEqual(file)
        expect({ ...loaded, count: loaded.count }).toEqual({ ...filter, count: filter.count })
        for (const each of keys) expect(loaded.mightContain(each)).toBe(true)
        loaded.verify()
        loaded.addHash(1, 2)
        expect(() => loaded.verify()).toThrow(refusedFile)
      }),
      { numRuns: 30 },
    )
  })

  it('has the same bits on every platform', () => {
    const filter = PagedBloomFilter.ofSize({ pages: 3, hashes: 4, capacity: 9, seed: 1 })
    for (const each of ['a', 'b', 'c']) filter.add(each)
    const file = filter.toBytes()
    const set = [...file.subarray(headBytes(3)).entries()].flatMap(([at, byte]) => (byte === 0 ? [] : [[at, byte]]))
    expect(Buffer.from(file.subarray(0, headBytes(3))).toString('hex')).toMatchInlineSnapshot(
      `"57464c540202020301000000e7f5f58d0300000000000000030000000000000004000000000000000900000000000000"`,
    )
    expect(JSON.stringify(set)).toMatchInlineSnapshot(
      `"[[896,2],[1443,8],[2177,4],[3050,4],[8253,2],[8360,2],[8391,64],[8622,2],[10709,16],[11462,8],[11857,8],[11940,16]]"`,
    )
  })

  it('refuses every flipped bit of its head, any in a page, and what is cut off or added', () => {
    const file = filled(3000, 0.01).toBytes()
    for (let bit = 0; bit < file.length * 8; bit += bit < 8 * headBytes(3) ? 1 : 997) {
      const flipped = file.slice()
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(() => PagedBloomFilter.verified(flipped), `bit ${bit}`).toThrow(refusedFile)
    }
    for (let length = 0; length < file.length; length += length < 60 ? 1 : 61)
      expect(() => PagedBloomFilter.fromBytes(file.subarray(0, length)), `${length} bytes`).toThrow(refusedFile)
    expect(() => PagedBloomFilter.fromBytes(new Uint8Array([...file, 0]))).toThrow(refusedFile)
    expect(() => BloomFilter.fromBytes(file)).toThrow(refusedFile)
  })

  it.each([
    ['no page', [0n, 1n, 1n], 0],
    ['more pages than there are', [2n, 1n, 1n], 4096],
    ['2^17 + 1 pages', [131_073n, 1n, 1n], 4096],
    ['2^64 - 1 pages', [2n ** 64n - 1n, 1n, 1n], 4096],
    ['no hash function', [1n, 0n, 1n], 4096],
    ['33 hash functions', [1n, 33n, 1n], 4096],
    ['a capacity above 2^53', [1n, 1n, 2n ** 53n], 4096],
    ['two parameters', [1n, 1n], 4096],
  ])('refuses a file with %s, though its checksum holds', (_, parameters, bytes) => {
    const file = encodeFilter({ kind: 'paged-bloom', seed: 0, count: 0, parameters }, new Uint8Array(bytes))
    expect(() => PagedBloomFilter.verified(file)).toThrow(refusedFile)
  })

  it.each([
    { pages: 0, hashes: 1, capacity: 1 },
    { pages: 131_073, hashes: 1, capacity: 1 },
    { pages: 1.5, hashes: 1, capacity: 1 },
    { pages: 1, hashes: 0, capacity: 1 },
    { pages: 1, hashes: 33, capacity: 1 },
    { pages: 1, hashes: 1, capacity: -1 },
  ])('refuses %j', (size) => expect(() => PagedBloomFilter.ofSize(size)).toThrow(refusedParameter))

  it('is what its kind can do, to the compiler', () => {
    expectTypeOf<PagedBloomFilter>().toExtend<MembershipFilter & Insertable>()
    expectTypeOf<PagedBloomFilter>().not.toExtend<Deletable>()
    expectTypeOf<PagedBloomFilter>().toExtend<PagedShape>()
    expectTypeOf<PagedBloomFilter['add']>().returns.toEqualTypeOf<true>()
  })
})
