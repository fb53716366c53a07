import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { CountingBloomFilter } from '../../src/filter/counting-bloom.ts'
import { encodeFilter, headBytes } from '../../src/filter/encoding.ts'
import type { Deletable, Insertable, MembershipFilter } from '../../src/filter/membership-filter.ts'
import { expectDamageRefused, expectRate, expectSeedsDiffer, memberHash } from '../support/membership.ts'

const refusedFile = expect.objectContaining({ code: 'filter-format' })
const refusedParameter = expect.objectContaining({ code: 'filter-parameter' })

function filled(n: number, rate: number, seed = 7): CountingBloomFilter {
  const filter = CountingBloomFilter.create({ capacity: n, rate, seed })
  for (let i = 0; i < n; i++) filter.addHash(...memberHash(i))
  return filter
}

type Step = { readonly kind: 'add' | 'delete' | 'reload'; readonly key: string }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind'][]>('add', 'add', 'add', 'delete', 'delete', 'reload'),
    key: fc.integer({ min: 0, max: 30 }).map((i) => `key ${i}`),
  }),
  { maxLength: 150, size: 'max' },
)

describe('CountingBloomFilter', () => {
  it.each([1e-2, 1e-3, 1e-4])('has no false negative and keeps the rate %d', (rate) => {
    const filter = filled(50_000, rate)
    expectRate(filter, 50_000, rate)
    expect(filter.byteLength).toBe(headBytes(3) + Math.ceil(filter.bits / 2))
    expect(Math.abs(filter.estimatedKeys() / 50_000 - 1)).toBeLessThan(0.02)
  })

  it('is empty again, bit for bit, once all that was added is deleted', () => {
    // At this load no counter gets to 15.
    const filter = filled(20_000, 0.01)
    for (let i = 0; i < 20_000; i++) expect(filter.deleteHash(...memberHash(i))).toBe(true)
    expect(filter.toBytes()).toEqual(CountingBloomFilter.create({ capacity: 20_000, rate: 0.01, seed: 7 }).toBytes())
    expect(filter.expectedRate()).toBe(0)
  })

  it('errs about other keys with another seed', () => expectSeedsDiffer((seed) => filled(2000, 0.01, seed)))

  it('does what a plain list of keys does, with counters so few that many get full', () => {
    const shapes = fc.record({ bits: fc.integer({ min: 1, max: 60 }), hashes: fc.integer({ min: 1, max: 5 }), seed: fc.nat(9) })
    fc.assert(
      fc.property(shapes, steps, (shape, script) => {
        let filter = CountingBloomFilter.ofSize({ ...shape, capacity: 10 })
        const model = new Map<string, number>()
        for (const { kind, key } of script) {
          const times = model.get(key) ?? 0
          if (kind === 'reload') filter = CountingBloomFilter.verified(filter.toBytes())
          else if (kind === 'add') {
            expect(filter.add(key)).toBe(true)
            model.set(key, times + 1)
          } else if (times > 0) {
            expect(filter.delete(key)).toBe(true)
            model.set(key, times - 1)
          } else if (!filter.mightContain(key)) {
            const before = filter.toBytes()
            expect(filter.delete(key)).toBe(false)
            expect(filter.toBytes()).toEqual(before)
          }
          for (const [held, number] of model) if (number > 0) expect(filter.mightContain(held), held).toBe(true)
        }
        expect(filter.count).toBe([...model.values()].reduce((sum, times) => sum + times, 0))
      }),
      { numRuns: 300 },
    )
  })

  it('never takes from a counter that is full', () => {
    const filter = CountingBloomFilter.ofSize({ bits: 1, hashes: 1, capacity: 100 })
    for (let i = 0; i < 40; i++) filter.add(`key ${i}`)
    for (let i = 0; i < 39; i++) expect(filter.delete(`key ${i}`)).toBe(true)
    expect(filter.mightContain('key 39')).toBe(true)
    // One key is left, and the counter stands for more than fourteen: it stays, and the filter errs rather than deny.
    expect(filter.delete('key 39')).toBe(true)
    expect(filter.mightContain('key 39')).toBe(true)
    expect(filter.count).toBe(0)
  })

  it('denies a key that was added, once a key is deleted that was not: nobody may do that', () => {
    const filter = CountingBloomFilter.ofSize({ bits: 64, hashes: 2, capacity: 20 })
    const added = Array.from({ length: 20 }, (_, i) => `key ${i}`)
    for (const key of added) filter.add(key)
    const strangers = Array.from({ length: 1000 }, (_, i) => `stranger ${i}`).filter((key) => filter.mightContain(key))
    expect(strangers.length).toBeGreaterThan(0)
    expect(filter.delete(strangers[0] as string)).toBe(true)
    for (const key of strangers.slice(1)) filter.delete(key)
    expect(added.filter((key) => !filter.mightContain(key)).length).toBeGreaterThan(0)
  })

  it('refuses to delete what it denies, also where a key has one counter twice', () => {
    // One counter, two probes: a key counts two. A single one left over is not enough for a key.
    const filter = CountingBloomFilter.ofSize({ bits: 1, hashes: 2, capacity: 1 })
    const one = CountingBloomFilter.fromBytes(
      encodeFilter({ kind: 'counting-bloom', seed: 0, count: 1, parameters: [1n, 2n, 1n] }, Uint8Array.of(1)),
    )
    expect(filter.delete('x')).toBe(false)
    expect(one.delete('x')).toBe(false)
    expect(one.mightContain('x')).toBe(true)
    expect([filter.count, one.count]).toEqual([0, 1])
  })

  it('makes the standard filter of the keys that are in: the same file as one filled with them', () => {
    const counting = CountingBloomFilter.create({ capacity: 2000, rate: 0.01, seed: 3 })
    for (let i = 0; i < 2000; i++) counting.add(`key ${i}`)
    for (let i = 500; i < 1000; i++) counting.delete(`key ${i}`)
    const direct = BloomFilter.create({ capacity: 2000, rate: 0.01, seed: 3 })
    for (let i = 0; i < 2000; i++) if (i < 500 || i >= 1000) direct.add(`key ${i}`)
    expect(counting.toBloom().toBytes()).toEqual(direct.toBytes())
    expect(counting.fillRatio()).toBe(direct.fillRatio())
    for (let bits = 1; bits < 40; bits++) {
      const few = CountingBloomFilter.ofSize({ bits, hashes: 2, capacity: 3 })
      const plain = BloomFilter.ofSize({ bits, hashes: 2, capacity: 3 })
      for (const key of ['a', 'b', 'c']) {
        few.add(key)
        plain.add(key)
      }
      expect(few.toBloom().toBytes(), `${bits} bits`).toEqual(plain.toBytes())
    }
  })

  it('has the same bytes on every platform', () => {
    const filter = CountingBloomFilter.ofSize({ bits: 21, hashes: 3, capacity: 4, seed: 1 })
    for (const each of ['a', 'b', 'c', 'c']) filter.add(each)
    expect(Buffer.from(filter.toBytes()).toString('hex')).toMatchInlineSnapshot(
      `"57464c540203020301000000feb0155e04000000000000001500000000000000030000000000000004000000000000001200000100000300014000"`,
    )
  })

  it('opens a file without reading all of it, and reads all of it when asked', () => {
    const file = filled(100, 0.01).toBytes()
    const opened = CountingBloomFilter.fromBytes(file)
    expect(() => opened.verify()).not.toThrow()
    opened.add('x')
    expect(() => opened.verify()).toThrow(refusedFile)
  })

  it('refuses every truncation and every flipped bit', () => {
    expectDamageRefused(filled(20, 0.01).toBytes(), CountingBloomFilter.verified)
    expectDamageRefused(filled(20, 0.011).toBytes(), CountingBloomFilter.verified)
  })

  it.each([
    ['no counter', [0n, 1n, 1n], 0],
    ['more counters than there are', [21n, 1n, 1n], 10],
    ['less counters than there are', [18n, 1n, 1n], 10],
    ['2^32 + 1 counters', [2n ** 32n + 1n, 1n, 1n], 10],
    ['2^64 - 1 counters', [2n ** 64n - 1n, 1n, 1n], 10],
    ['no hash function', [20n, 0n, 1n], 10],
    ['33 hash functions', [20n, 33n, 1n], 10],
    ['a capacity above 2^53', [20n, 1n, 2n ** 53n], 10],
  ])('refuses a file with %s, though its checksum holds', (_, parameters, bytes) => {
    const file = encodeFilter({ kind: 'counting-bloom', seed: 0, count: 0, parameters }, new Uint8Array(bytes))
    expect(() => CountingBloomFilter.verified(file)).toThrow(refusedFile)
  })

  it('refuses a file whose unused counter counts', () => {
    const file = encodeFilter({ kind: 'counting-bloom', seed: 0, count: 0, parameters: [19n, 1n, 1n] }, new Uint8Array(10).fill(0x10, 9))
    expect(() => CountingBloomFilter.verified(file)).toThrow(refusedFile)
  })

  it.each([
    { bits: 0, hashes: 1, capacity: 1 },
    { bits: 2 ** 32 + 1, hashes: 1, capacity: 1 },
    { bits: 100, hashes: 33, capacity: 1 },
    { bits: 100, hashes: 3, capacity: -1 },
  ])('refuses %j', (size) => expect(() => CountingBloomFilter.ofSize(size)).toThrow(refusedParameter))

  it('is what its kind can do, to the compiler', () => {
    expectTypeOf<CountingBloomFilter>().toExtend<MembershipFilter & Insertable & Deletable>()
    expectTypeOf<CountingBloomFilter['kind']>().toEqualTypeOf<'counting-bloom'>()
    expectTypeOf<CountingBloomFilter['add']>().returns.toEqualTypeOf<true>()
    expectTypeOf<CountingBloomFilter['toBloom']>().returns.toEqualTypeOf<BloomFilter>()
  })
})
