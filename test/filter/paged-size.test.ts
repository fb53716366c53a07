import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectedPagedRate, MOST_PAGES, optimalPages, PAGE_BITS } from '../../src/filter/paged-size.ts'
import { expectedRate, optimalSize } from '../../src/filter/parameters.ts'

/** As the docstring has it, term by term, with logarithms of factorials. */
function averageOverPages(pages: number, hashes: number, keys: number): number {
  const logs = [0]
  for (let i = 1; i <= keys; i++) logs.push((logs[i - 1] as number) + Math.log(i))
  const logOf = (i: number): number => logs[i] as number
  let sum = 0
  for (let j = 0; j <= keys; j++) {
    const chance = Math.exp(logOf(keys) - logOf(j) - logOf(keys - j) - j * Math.log(pages) + (keys - j) * Math.log1p(-1 / pages))
    sum += chance * (1 - (1 - 1 / PAGE_BITS) ** (hashes * j)) ** hashes
  }
  return sum
}

describe('expectedPagedRate', () => {
  it.each([
    [2, 7, 5000],
    [3, 10, 6700],
    [50, 10, 110_000],
    [7, 1, 100],
    [40, 3, 30],
  ])('is the average over pages: %d pages, k %d, %d keys', (pages, hashes, keys) => {
    expect(expectedPagedRate({ pages, hashes }, keys) / averageOverPages(pages, hashes, keys)).toBeCloseTo(1, 6)
  })

  it('is that of a filter of its own where there is one page', () => {
    expect(expectedPagedRate({ pages: 1, hashes: 7 }, 3000) / expectedRate({ bits: PAGE_BITS, hashes: 7 }, 3000)).toBeCloseTo(1, 2)
    expect(expectedPagedRate({ pages: 1, hashes: 7 }, 0)).toBe(0)
    expect(expectedPagedRate({ pages: 9, hashes: 7 }, 0)).toBe(0)
  })

  it('is near that of the standard form, from above', () => {
    const size = { pages: 440, hashes: 10 }
    const ratio = expectedPagedRate(size, 1_000_000) / expectedRate({ bits: 440 * PAGE_BITS, hashes: 10 }, 1_000_000)
    expect(ratio).toBeGreaterThan(1.005)
    expect(ratio).toBeLessThan(1.03)
  })
})

describe('optimalPages', () => {
  it('keeps the rate with one page less than would not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), fc.double({ min: 1e-6, max: 0.5, noNaN: true }), (capacity, rate) => {
        const size = optimalPages(capacity, rate)
        expect(expectedPagedRate(size, capacity)).toBeLessThanOrEqual(rate)
        if (size.pages === 1) return
        for (let hashes = 1; hashes <= 32; hashes++)
          expect(expectedPagedRate({ pages: size.pages - 1, hashes }, capacity)).toBeGreaterThan(rate)
      }),
      { numRuns: 40 },
    )
  })

  it.each([1e-2, 1e-3, 1e-4])('takes less than a hundredth more than the standard form at %d', (rate) => {
    const { pages } = optimalPages(1_000_000, rate)
    const ratio = (pages * PAGE_BITS) / optimalSize(1_000_000, rate).bits
    expect(ratio).toBeGreaterThan(1)
    expect(ratio).toBeLessThan(1.01)
  })

  it('is a page where a page will do, of as few probes as will do', () => {
    expect(optimalPages(0, 0.5)).toEqual({ pages: 1, hashes: 1 })
    expect(optimalPages(100, 1e-3)).toEqual({ pages: 1, hashes: 2 })
    expect(expectedPagedRate({ pages: 1, hashes: 1 }, 100)).toBeGreaterThan(1e-3)
  })

  it.each([
    [-1, 0.1],
    [1.5, 0.1],
    [10, 0],
    [10, 1],
    [1e12, 0.01],
  ])('refuses %d keys at %d', (capacity, rate) => {
    expect(() => optimalPages(capacity, rate)).toThrow(expect.objectContaining({ code: 'filter-parameter' }))
    expect(MOST_PAGES).toBe(131_072)
  })
})

it('of more keys than any filter can tell apart the rate is 1, at once', () => {
  // Adding up the chances of 10^8 numbers of keys took a second, or an hour.
  const started = performance.now()
  expect(expectedPagedRate({ pages: 2, hashes: 1 }, Number.MAX_SAFE_INTEGER)).toBe(1)
  expect(expectedPagedRate({ pages: 131_072, hashes: 32 }, 1e14)).toBe(1)
  expect(() => optimalPages(Number.MAX_SAFE_INTEGER, 0.1)).toThrow(expect.objectContaining({ code: 'filter-parameter' }))
  expect(performance.now() - started).toBeLessThan(2000)
  // It rises to 1 without a step.
  const rates = [60, 70, 79, 80, 81].map((keys) => expectedPagedRate({ pages: 3, hashes: 1 }, keys * 32_768 * 3))
  expect(rates).toEqual([...rates].sort((a, b) => a - b))
  expect(1 - (rates[0] ?? 0)).toBeLessThan(1e-12)
})
