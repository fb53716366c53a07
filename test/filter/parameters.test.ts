import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { capacityOf, expectedRate, keysOfFill, optimalSize, sizeOfBytes, textbookSize } from '../../src/filter/parameters.ts'
import { vectors } from '../support/vectors.ts'

const GIB = 2 ** 30
const gigabytes = (bits: number): number => bits / 8 / 1e9

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
  ])('refuses %d keys at %d', (capacity, rate) => {
    expect(() => optimalSize(capacity, rate)).toThrow(expect.objectContaining({ code: 'filter-parameter' }))
  })
})

describe('examples that are told often', () => {
  it.each([
    ['a billion at 0.1 %', 1e9, 1e-3, 14.4, 1.8],
    ['500 million at 0.1 %', 5e8, 1e-3, 14.4, 0.9],
    ['ten billion at 1 %', 1e10, 1e-2, 9.6, 12],
  ])('%s', (_, keys, rate, bitsAKey, size) => {
    const { bits } = optimalSize(keys, rate)
    expect(bits / keys).toBeCloseTo(bitsAKey, 1)
    expect(gigabytes(bits)).toBeCloseTo(size, 1)
  })

  it('a whole k misses the rate at the size of the textbook: 1.014 % with 6, 1.004 % with 7', () => {
    const { bits } = textbookSize(1_000_000, 0.01)
    expect(100 * expectedRate({ bits, hashes: 6 }, 1_000_000)).toBeCloseTo(1.014, 3)
    expect(100 * expectedRate({ bits, hashes: 7 }, 1_000_000)).toBeCloseTo(1.004, 3)
  })

  it('1 MiB does not hold eight million keys at 2 %, as is often said, but 1.03 million', () => {
    const best = Math.max(...[5, 6].map((hashes) => capacityOf({ bits: 8 * 2 ** 20, hashes }, 0.02)))
    expect(best / 1e6).toBeCloseTo(1.03, 2)
    expect(expectedRate(sizeOfBytes(2 ** 20, 8e6), 8e6)).toBeGreaterThan(0.5)
  })

  it('ten billion URLs at 1 % do not fit 2 GB, as is often said: in 2 GiB more than four of ten are false positives', () => {
    expect(expectedRate(sizeOfBytes(2 * GIB, 1e10), 1e10)).toBeGreaterThan(0.4)
  })
})

describe('both directions', () => {
  it('a size from a number of keys holds that number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.double({ min: 1e-6, max: 0.4, noNaN: true }), (keys, rate) => {
        const held = capacityOf(optimalSize(keys, rate), rate)
        expect(held).toBeGreaterThanOrEqual(keys - 1)
        expect(held).toBeLessThanOrEqual(keys + 2)
      }),
    )
  })

  it('a size from bytes has the best whole k', () => {
    for (const [bytes, keys] of [
      [1000, 500],
      [1000, 1000],
      [1000, 3000],
      [1000, 100_000],
    ] as const) {
      const size = sizeOfBytes(bytes, keys)
      for (let hashes = 1; hashes <= 32; hashes++) {
        expect(expectedRate(size, keys)).toBeLessThanOrEqual(expectedRate({ bits: 8 * bytes, hashes }, keys) * (1 + 1e-12))
      }
    }
  })

  it('a fill tells the keys', () => {
    const size = optimalSize(1000, 0.01)
    const fill = 1 - Math.exp((-size.hashes * 700) / size.bits)
    expect(keysOfFill(size, fill)).toBeCloseTo(700, 6)
    expect(keysOfFill(size, 1)).toBe(Number.POSITIVE_INFINITY)
  })

  it.each([[0], [-1], [1.5], [Number.NaN]])('refuses %d bytes', (bytes) =>
    expect(() => sizeOfBytes(bytes, 10)).toThrow(expect.objectContaining({ code: 'filter-parameter' })),
  )
})
