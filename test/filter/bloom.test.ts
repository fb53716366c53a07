import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { encodeFilter } from '../../src/filter/encoding.ts'
import { expectDamageRefused, expectRate, expectSeedsDiffer, memberHash } from '../support/membership.ts'

/** Distinct 4-byte keys, as the entries of a list are; `half` 0 and 1 never meet. */
function key(i: number, half: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, Math.imul(2 * i + half, 0x9e3779b1) >>> 0)
  return bytes
}

const refusedFile = expect.objectContaining({ code: 'filter-format' })

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
      `"57464c540201020301000000ae83720f0300000000000000140000000000000003000000000000000400000000000000238804"`,
    )
  })

  it('refuses every truncation and every flipped bit', () => {
    const filter = BloomFilter.create({ capacity: 20, rate: 0.01 })
    for (let i = 0; i < 20; i++) filter.add(`key ${i}`)
    expectDamageRefused(filter.toBytes(), BloomFilter.verified)
    for (let length = 0; length < filter.byteLength; length++)
      expect(() => BloomFilter.fromBytes(filter.toBytes().subarray(0, length))).toThrow(refusedFile)
  })

  it.each([
    ['no bits', [0n, 1n, 1n], 0],
    ['more bits than there are', [81n, 1n, 1n], 10],
    ['less bits than there are', [72n, 1n, 1n], 10],
    ['2^32 + 1 bits', [2n ** 32n + 1n, 1n, 1n], 10],
    ['2^64 - 1 bits', [2n ** 64n - 1n, 1n, 1n], 10],
    ['no hash function', [80n, 0n, 1n], 10],
    ['33 hash functions', [80n, 33n, 1n], 10],
    ['a capacity above 2^53', [80n, 1n, 2n ** 53n], 10],
    ['two parameters', [80n, 1n], 10],
    ['four parameters', [80n, 1n, 1n, 1n], 10],
  ])('refuses a file with %s, though its checksum holds', (_, parameters, bytes) => {
    const file = encodeFilter({ kind: 'bloom', seed: 0, count: 0, parameters }, new Uint8Array(bytes))
    expect(() => BloomFilter.verified(file)).toThrow(refusedFile)
  })

  it('refuses a file with unused bits set, and one of another kind', () => {
    const parameters = [77n, 1n, 1n]
    expect(() =>
      BloomFilter.fromBytes(encodeFilter({ kind: 'bloom', seed: 0, count: 0, parameters }, new Uint8Array(10).fill(0x20, 9))),
    ).toThrow(refusedFile)
    expect(() => BloomFilter.fromBytes(encodeFilter({ kind: 'cuckoo', seed: 0, count: 0, parameters }, new Uint8Array(10)))).toThrow(
      refusedFile,
    )
  })

  it('reads a file at any offset of a larger buffer', () => {
    const filter = BloomFilter.create({ capacity: 5, rate: 0.01 })
    filter.add('x')
    const file = filter.toBytes()
    const larger = new Uint8Array(file.length + 3)
    larger.set(file, 3)
    expect(BloomFilter.fromBytes(larger.subarray(3)).mightContain('x')).toBe(true)
  })

  it('opens a file without reading all of it, and reads all of it when asked', () => {
    const filter = BloomFilter.create({ capacity: 100, rate: 0.01 })
    filter.add('x')
    const file = filter.toBytes()
    const opened = BloomFilter.fromBytes(file)
    expect(() => opened.verify()).not.toThrow()
    file[60] = (file[60] as number) ^ 1
    expect(() => opened.verify()).toThrow(expect.objectContaining({ code: 'filter-format' }))
  })

  it('takes ready hashes by the seed too', () => {
    const ask = (seed: number): number => {
      const filter = BloomFilter.create({ capacity: 1000, rate: 0.01, seed })
      for (let i = 0; i < 1000; i++) filter.addHash(Math.imul(i, 0x9e3779b1), Math.imul(i, 0x85ebca6b) | 0)
      for (let i = 0; i < 1000; i++) expect(filter.mightContainHash(Math.imul(i, 0x9e3779b1), Math.imul(i, 0x85ebca6b) | 0)).toBe(true)
      let positives = 0
      for (let i = 1000; i < 101_000; i++) if (filter.mightContainHash(Math.imul(i, 0x9e3779b1), Math.imul(i, 0xc2b2ae35) | 0)) positives++
      return positives
    }
    expect(ask(0)).toBeLessThan(1200)
    expect(ask(0xdeadbeef)).toBeLessThan(1200)
    expect(ask(1)).not.toBe(ask(2))
  })

  it('asks about many hashes as about each', () => {
    const filter = BloomFilter.create({ capacity: 500, rate: 0.05, seed: 3 })
    for (let i = 0; i < 500; i++) filter.addHash(Math.imul(i, 0x9e3779b1), i)
    for (const count of [0, 1, 2, 30, 300]) {
      const ready = new Int32Array(2 * count)
      for (let i = 0; i < count; i++) ready.set([Math.imul(7 * i, 0x9e3779b1), i % 3 === 0 ? 7 * i : i], 2 * i)
      const one = Array.from({ length: count }, (_, i) => i).filter((i) =>
        filter.mightContainHash(ready[2 * i] as number, ready[2 * i + 1] as number),
      )
      const found = new Uint32Array(count)
      expect([...found.subarray(0, filter.hasMany(ready, count, found))]).toEqual(one)
      expect(filter.hasAny(ready, count)).toBe(one.length > 0)
    }
    expect(() => filter.hasMany(new Int32Array(3), 2, new Uint8Array(2))).toThrow(RangeError)
    expect(() => filter.hasMany(new Int32Array(4), 2, new Uint8Array(1))).toThrow(RangeError)
    expect(() => filter.hasMany(new Int32Array(600), 257, new Uint8Array(300))).toThrow(RangeError)
    expect(() => filter.hasAny(new Int32Array(3), 2)).toThrow(RangeError)
  })

  it.each([1, 2, 3, 4, 5, 32])('denies no key with %d hash functions, one by one or many at once', (hashes) => {
    const filter = BloomFilter.ofSize({ bits: 10_007, hashes, capacity: 100 })
    const ready = Int32Array.from({ length: 200 }, (_, i) => memberHash(i >> 1)[(i & 1) as 0 | 1])
    for (let i = 0; i < 100; i++) filter.addHash(...memberHash(i))
    for (let i = 0; i < 100; i++) expect(filter.mightContainHash(...memberHash(i))).toBe(true)
    expect(filter.hasMany(ready, 100, new Uint8Array(100))).toBe(100)
    expectRate(filter, 100, 1)
  })

  it('has the k that suits, in so many bytes', () => {
    const filter = BloomFilter.ofBytes({ bytes: 1198, capacity: 1000, seed: 4 })
    expect(filter).toMatchObject({ bits: 9584, hashes: 7, capacity: 1000, seed: 4, byteLength: 48 + 1198 })
  })

  it('errs about other keys with another seed', () =>
    expectSeedsDiffer((seed) => {
      const filter = BloomFilter.create({ capacity: 2000, rate: 0.01, seed })
      for (let i = 0; i < 2000; i++) filter.addHash(...memberHash(i))
      return filter
    }))

  it('says what happens past its capacity', () => {
    const filter = BloomFilter.create({ capacity: 1000, rate: 0.01 })
    for (let i = 0; i < 4000; i++) filter.add(`key ${i}`)
    for (let i = 0; i < 4000; i++) expect(filter.mightContain(`key ${i}`)).toBe(true)
    let positives = 0
    for (let i = 0; i < 20_000; i++) if (filter.mightContain(`other ${i}`)) positives++
    expect(filter.expectedRate()).toBeGreaterThan(0.5)
    expect(positives / 20_000).toBeCloseTo(filter.expectedRate(), 1)
    expect(filter.estimatedKeys()).toBeGreaterThan(3600)
    expect(filter.estimatedKeys()).toBeLessThan(4400)
  })

  it('has the union and the intersection of filters of one shape', () => {
    const [left, right] = [0, 1].map(() => BloomFilter.create({ capacity: 2000, rate: 0.01, seed: 5 })) as [BloomFilter, BloomFilter]
    for (let i = 0; i < 1000; i++) left.add(`key ${i}`)
    for (let i = 500; i < 1500; i++) right.add(`key ${i}`)
    const union = left.union(right)
    const both = left.intersection(right)
    for (let i = 0; i < 1500; i++) expect(union.mightContain(`key ${i}`)).toBe(true)
    for (let i = 500; i < 1000; i++) expect(both.mightContain(`key ${i}`)).toBe(true)
    expect(union.count).toBe(2000)
    expect(Math.abs(union.estimatedKeys() - 1500)).toBeLessThan(75)
    expect(both.count).toBeLessThan(700)
    const other = BloomFilter.create({ capacity: 2000, rate: 0.01, seed: 6 })
    expect(() => left.union(other)).toThrow(expect.objectContaining({ code: 'filter-parameter' }))
    expect(() => left.intersection(other)).toThrow(expect.objectContaining({ code: 'filter-parameter' }))
  })

  it.each([
    { bits: 0, hashes: 1, capacity: 1 },
    { bits: 2 ** 32 + 1, hashes: 1, capacity: 1 },
    { bits: 100, hashes: 33, capacity: 1 },
    { bits: 100, hashes: 0, capacity: 1 },
    { bits: 100, hashes: 3, capacity: -1 },
    { bits: 100.5, hashes: 3, capacity: 1 },
    { bits: 100, hashes: 3, capacity: 1.5 },
  ])('refuses %j', (size) => expect(() => BloomFilter.ofSize(size)).toThrow(expect.objectContaining({ code: 'filter-parameter' })))

  it.each([
    { capacity: 2 ** 40, rate: 0.001 },
    { capacity: 10, rate: 0 },
    { capacity: 10, rate: 1 },
    { capacity: -1, rate: 0.1 },
  ])('makes none of %j', (options) =>
    expect(() => BloomFilter.create(options)).toThrow(expect.objectContaining({ code: 'filter-parameter' })),
  )
})
