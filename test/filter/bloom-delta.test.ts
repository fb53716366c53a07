import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { applyDelta, bloomDelta } from '../../src/filter/bloom-delta.ts'
import { CountingBloomFilter } from '../../src/filter/counting-bloom.ts'
import { seal } from '../../src/filter/encoding.ts'
import { expectDamageRefused, memberHash } from '../support/membership.ts'

const refusedFile = expect.objectContaining({ code: 'filter-format' })
const refusedParameter = expect.objectContaining({ code: 'filter-parameter' })

function bloomOf(keys: readonly string[], seed = 1): BloomFilter {
  const filter = BloomFilter.create({ capacity: 100, rate: 0.01, seed })
  for (const key of keys) filter.add(key)
  return filter
}

describe('delta of a filter', () => {
  it('turns any state into any other, bit for bit, and leaves the first as it was', () => {
    const keys = fc.array(fc.string({ maxLength: 8 }), { maxLength: 60 })
    fc.assert(
      fc.property(keys, keys, (before, after) => {
        const former = bloomOf(before)
        const later = bloomOf(after)
        const file = former.toBytes()
        const made = applyDelta(former, bloomDelta(former, later))
        expect(made.toBytes()).toEqual(later.toBytes())
        expect(former.toBytes()).toEqual(file)
      }),
    )
  })

  it('is 49 bytes at most where nothing changes, and two bits a bit of the filter where all do', () => {
    expect(bloomDelta(bloomOf(['a']), bloomOf(['a'])).length).toBeLessThanOrEqual(49)
    const empty = BloomFilter.ofSize({ bits: 8000, hashes: 1, capacity: 1 })
    const full = BloomFilter.ofSize({ bits: 8000, hashes: 1, capacity: 1 })
    for (let i = 0; i < 100_000; i++) full.addHash(...memberHash(i))
    expect(full.fillRatio()).toBeGreaterThan(0.99)
    expect(bloomDelta(empty, full).length).toBeLessThan(48 + 2000)
  })

  it('is a seventeenth of the filter for a hundredth of the keys out and as many in', () => {
    const n = 50_000
    const counting = CountingBloomFilter.create({ capacity: n, rate: 1e-3 })
    for (let i = 0; i < n; i++) counting.addHash(...memberHash(i))
    const former = CountingBloomFilter.verified(counting.toBytes())
    for (let i = 0; i < n / 100; i++) {
      counting.deleteHash(...memberHash(i))
      counting.addHash(...memberHash(n + i))
    }
    const delta = counting.delta(former)
    expect(counting.delta(former.toBloom())).toEqual(delta)
    expect(applyDelta(former.toBloom(), delta).toBytes()).toEqual(counting.toBloom().toBytes())
    expect(counting.toBloom().byteLength / delta.length).toBeGreaterThan(15)
  })

  it('starts from one filter only', () => {
    const delta = bloomDelta(bloomOf(['a']), bloomOf(['b']))
    for (const other of [bloomOf([]), bloomOf(['a', 'a']), bloomOf(['a'], 2), bloomOf(['b'])])
      expect(() => applyDelta(other, delta)).toThrow(refusedParameter)
    expect(() => bloomDelta(bloomOf([]), bloomOf([], 2))).toThrow(refusedParameter)
    const smaller = BloomFilter.create({ capacity: 99, rate: 0.01, seed: 1 })
    expect(() => bloomDelta(bloomOf([]), smaller)).toThrow(refusedParameter)
    expect(() => CountingBloomFilter.create({ capacity: 99, rate: 0.01, seed: 1 }).delta(bloomOf([]))).toThrow(refusedParameter)
  })

  it('refuses every truncation and every flipped bit', () => {
    const former = bloomOf(['a', 'b', 'c'])
    expectDamageRefused(bloomDelta(former, bloomOf(['b', 'd'])), (delta) => applyDelta(former, delta))
  })

  it.each([
    ['another version', 4, [2]],
    ['an r above 31', 5, [32]],
    ['something in the first gap of the head', 7, [1]],
    ['something in the second', 20, [1]],
    ['another outcome', 16, [1, 2, 3, 4]],
    ['other keys', 24, [9]],
    ['another capacity', 32, [9]],
    ['a capacity above 2^53', 39, [1]],
    ['a bit less', 40, [9]],
    ['bits without end', 40, [255, 255, 255, 255]],
    ['more bits than numbers go', 40, [255, 255, 255, 255, 255, 255, 255, 255]],
  ])('refuses a delta with %s, though its checksum holds', (_, at, bytes) => {
    const former = bloomOf(['a', 'b', 'c'])
    const delta = bloomDelta(former, bloomOf(['b', 'd']))
    delta.set(bytes, at)
    expect(() => applyDelta(former, seal(delta))).toThrow(refusedFile)
  })

  it('has the same bytes on every platform', () => {
    expect(Buffer.from(bloomDelta(bloomOf(['a']), bloomOf(['b']))).toString('hex')).toMatchInlineSnapshot(
      `"57444c54010600005cb0aaf26683d85ea2034f7100000000010000000000000064000000000000000e00000000000000ea44649480773583dee38d248a00"`,
    )
  })
})
