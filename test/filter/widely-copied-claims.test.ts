import { describe, expect, it } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { CountingBloomFilter } from '../../src/filter/counting-bloom.ts'
import { CuckooFilter } from '../../src/filter/cuckoo.ts'
import { BUCKET, cuckooSize } from '../../src/filter/cuckoo-size.ts'
import { avalanche } from '../../src/filter/murmur3-128.ts'
import { type BloomSize, capacityOf, expectedRate, optimalSize, sizeOfBytes, textbookSize } from '../../src/filter/parameters.ts'
import { QuotientFilter } from '../../src/filter/quotient.ts'

/*
 * What is said about filters in many places and is wrong, with the right value beside it (docs/bloom-filters.md). Sizes that are told rightly
 * are in parameters.test.ts.
 */

/** Share of strangers that a filter of this size takes for members with so many keys in. */
function measuredRate({ bits, hashes }: BloomSize, keys: number, asked = 200_000): number {
  const filter = BloomFilter.ofSize({ bits, hashes, capacity: keys })
  for (let i = 0; i < keys; i++) filter.addHash(avalanche(i), avalanche(i ^ 0x5bd1e995))
  let wrong = 0
  for (let i = keys; i < keys + asked; i++) if (filter.mightContainHash(avalanche(i), avalanche(i ^ 0x5bd1e995))) wrong++
  return wrong / asked
}

describe('sizes', () => {
  it('"9,585,059 bits and 7 hash functions make 1 % for a million": 1.004 %, with 6 1.014 %; 9,592,955 bits do', () => {
    const { bits, hashes } = textbookSize(1e6, 0.01)
    expect([bits, hashes]).toEqual([9_585_059, 7])
    expect(expectedRate({ bits, hashes: 7 }, 1e6)).toBeGreaterThan(0.01)
    expect(expectedRate({ bits, hashes: 6 }, 1e6)).toBeGreaterThan(expectedRate({ bits, hashes: 7 }, 1e6))
    const kept = { bits: 9_592_955, hashes: 7 }
    expect(optimalSize(1e6, 0.01)).toEqual(kept)
    expect(expectedRate(kept, 1e6)).toBeLessThanOrEqual(0.01)
    expect(expectedRate({ ...kept, bits: kept.bits - 1 }, 1e6)).toBeGreaterThan(0.01)
    expect(Math.abs(measuredRate(kept, 1e6) / 0.01 - 1)).toBeLessThan(0.1)
  })

  it('"1 MiB holds 8 million at 2 %": it holds 1.03 million, and takes 61 of 100 strangers for members with 8 million in', () => {
    const bits = 8 * 2 ** 20
    const most = Math.max(...[5, 6].map((hashes) => capacityOf({ bits, hashes }, 0.02)))
    expect(most).toBe(1_029_081)
    expect(measuredRate(sizeOfBytes(2 ** 20, most), most)).toBeLessThan(0.022)
    const crowded = sizeOfBytes(2 ** 20, 8e6)
    expect(crowded.hashes).toBe(1)
    expect(expectedRate(crowded, 8e6)).toBeCloseTo(0.615, 3)
    expect(measuredRate(crowded, 8e6)).toBeCloseTo(0.615, 2)
    // What they take: eight times as much, for bits were taken for bytes.
    expect(optimalSize(8e6, 0.02).bits / bits).toBeCloseTo(7.8, 1)
  })

  it.each([
    [1, 0.83, 0.71],
    [2, 1.67, 0.46],
  ])('"ten billion URLs fit %d GB at 1 %%": %d billion do; with all in %d are false positives', (gigabytes, billions, rate) => {
    const bytes = gigabytes * 1e9
    expect(capacityOf({ bits: bytes * 8, hashes: 7 }, 0.01) / 1e9).toBeCloseTo(billions, 2)
    expect(expectedRate(sizeOfBytes(bytes, 1e10), 1e10)).toBeCloseTo(rate, 2)
    expect(optimalSize(1e10, 0.01).bits / 8e9).toBeCloseTo(12, 1)
  })

  it('"1 % needs three times the memory of 10 %": twice; each tenth of the rate costs the same 4.8 bits', () => {
    const bitsAKey = [0.1, 0.01, 0.001, 0.0001].map((rate) => optimalSize(1e6, rate).bits / 1e6)
    const [first = 0, second = 0] = bitsAKey
    expect(second / first).toBeCloseTo(2, 1)
    for (let i = 1; i < bitsAKey.length; i++) expect((bitsAKey[i] ?? 0) - (bitsAKey[i - 1] ?? 0)).toBeCloseTo(4.79, 1)
  })

  it('"10 bits a key make 1 %": 0.82 % with 7 hash functions, 0.84 % with 6; and 8 bits make 2.2 %, not 1 %', () => {
    const rate = (bits: number, hashes: number) => 100 * expectedRate({ bits: bits * 1e6, hashes }, 1e6)
    expect(rate(10, 7)).toBeCloseTo(0.82, 2)
    expect(rate(10, 6)).toBeCloseTo(0.84, 2)
    expect(sizeOfBytes(1_250_000, 1e6).hashes).toBe(7)
    expect(rate(8, sizeOfBytes(1_000_000, 1e6).hashes)).toBeCloseTo(2.16, 2)
  })

  it('"a cuckoo filter is smaller below 3 %": of plain buckets, from about 0.2 % down', () => {
    const less = (rate: number) => {
      const { buckets, fingerprintBits } = cuckooSize(1e6, rate)
      return buckets * BUCKET * fingerprintBits < optimalSize(1e6, rate).bits
    }
    expect([0.03, 0.01, 0.003].map(less)).toEqual([false, false, false])
    expect([0.002, 0.001, 0.0001].map(less)).toEqual([true, true, true])
  })

  it('"a little over capacity does little": with twice the keys 1 % becomes 15.7 %', () => {
    expect(100 * expectedRate(optimalSize(1e6, 0.01), 2e6)).toBeCloseTo(15.7, 1)
    expect(100 * expectedRate(optimalSize(2e6, 0.01), 1e6)).toBeCloseTo(0.025, 3)
  })
})

describe('hashes', () => {
  it('"any good 32-bit hash will do": a million keys cannot go below n / 2^32, 0.023 %, whatever the size', () => {
    const keys = 300_000
    const bits = 60 * keys
    const narrow = BloomFilter.ofSize({ bits, hashes: 20, capacity: keys })
    // Words of a hash of the number: those of two numbers may be equal, as of any two keys.
    const word = (i: number) => avalanche(Math.imul(i, 0x9e3779b1) ^ (avalanche(~i) >>> 3))
    for (let i = 0; i < keys; i++) narrow.addHash(word(i), avalanche(word(i)))
    let wrong = 0
    for (let i = keys; i < 2 * keys; i++) if (narrow.mightContainHash(word(i), avalanche(word(i)))) wrong++
    expect(expectedRate({ bits, hashes: 20 }, keys)).toBeLessThan(1e-10)
    // 21 expected: four standard deviations are 18.
    expect(wrong).toBeGreaterThan(3)
    expect(wrong).toBeLessThan(40)
    expect((100 * 1e6) / 2 ** 32).toBeCloseTo(0.023, 3)
  })
})

describe('deleting and combining', () => {
  const members = Array.from({ length: 1_000 }, (_, i) => `member ${i}`)

  it.each([
    ['counting', () => CountingBloomFilter.create({ capacity: 1_000, rate: 0.01 })],
    ['cuckoo', () => CuckooFilter.create({ capacity: 1_000, rate: 0.01 })],
    ['quotient', () => QuotientFilter.create({ capacity: 1_000, rate: 0.01 })],
  ])('"a %s filter deletes whatever it says maybe to": deleting strangers makes it deny members', (_, make) => {
    const filter = make()
    for (const member of members) filter.add(member)
    const strangers = Array.from({ length: 5_000 }, (_, i) => `stranger ${i}`).filter((key) => filter.mightContain(key))
    expect(strangers.length).toBeGreaterThan(10)
    for (const stranger of strangers) filter.delete(stranger)
    expect(members.some((member) => !filter.mightContain(member))).toBe(true)
  })

  it('"the intersection is the filter of the common keys": it has their bits and more, and errs more', () => {
    const filled = (from: number, to: number) => {
      const filter = BloomFilter.create({ capacity: 10_000, rate: 0.01 })
      for (let i = from; i < to; i++) filter.add(`key ${i}`)
      return filter
    }
    const both = filled(0, 6_000).intersection(filled(4_000, 10_000))
    const common = filled(4_000, 6_000)
    expect(both.union(common).fillRatio()).toBe(both.fillRatio())
    expect(both.fillRatio()).toBeGreaterThan(1.2 * common.fillRatio())
    // The union is exact.
    expect(filled(0, 6_000).union(filled(4_000, 10_000)).fillRatio()).toBe(filled(0, 10_000).fillRatio())
  })
})

describe('sorted hashes', () => {
  it('"Bloom filters are the smallest": n sorted prefixes of b bits, Rice-coded, take log2(2^b / n) + 1.5 bits; a Bloom filter of their rate takes more', () => {
    const rice = (rate: number) => Math.log2(1 / rate) + 1.5
    const bloom = (keys: number, rate: number) => optimalSize(keys, rate).bits / keys
    // A million prefixes of four bytes, as browsers have them.
    expect(rice(1e6 / 2 ** 32)).toBeCloseTo(13.6, 1)
    expect(bloom(1e6, 1e6 / 2 ** 32)).toBeCloseTo(17.4, 1)
    // McIlroy 1982: 30,000 words, hashes of 27 bits.
    expect(rice(30_000 / 2 ** 27)).toBeCloseTo(13.6, 1)
    expect(bloom(30_000, 30_000 / 2 ** 27)).toBeCloseTo(17.5, 1)
  })
})
