import { describe, expect, it } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { CountingBloomFilter } from '../../src/filter/counting-bloom.ts'
import type { MembershipFilter } from '../../src/filter/membership-filter.ts'
import { PagedBloomFilter } from '../../src/filter/paged-bloom.ts'
import { ScalableBloomFilter } from '../../src/filter/scalable-bloom.ts'
import { recordFigure } from '../support/figures.ts'

const KEYS = 1_000_000
const STRANGERS = 10_000_000

/** A filter for `capacity` keys at `rate` with the keys from 0 on in it. */
type Filled = (capacity: number, rate: number) => MembershipFilter

interface Growing extends MembershipFilter {
  add(key: string): boolean
}

function filled(make: (options: { readonly capacity: number; readonly rate: number; readonly seed: number }) => Growing): Filled {
  return (capacity, rate) => {
    const filter = make({ capacity, rate, seed: 20 })
    for (let i = 0; i < capacity; i++) if (!filter.add(key(i))) throw new Error(`no room for key ${i}`)
    return filter
  }
}

/** Other kinds join here. A scalable filter is told a hundredth of what comes; the whole of its layers is what keeps the rate. */
const KINDS: Readonly<Record<string, Filled>> = {
  bloom: filled(BloomFilter.create),
  'paged-bloom': filled(PagedBloomFilter.create),
  'counting-bloom': filled(CountingBloomFilter.create),
  'scalable-bloom': filled((options) => ScalableBloomFilter.create({ ...options, capacity: options.capacity / 100 })),
}

function key(i: number): string {
  return `https://host-${i % 1000}.test/page/${i}`
}

describe.each(Object.entries(KINDS))('%s, a million keys', (kind, make) => {
  it.each([1e-2, 1e-3, 1e-4])('denies none, and keeps the rate %d over ten million strangers', (rate) => {
    const filter = make(KEYS, rate)
    for (let i = 0; i < KEYS; i++) if (!filter.mightContain(key(i))) throw new Error(`key ${i} is lost`)
    let positives = 0
    for (let i = KEYS; i < KEYS + STRANGERS; i++) if (filter.mightContain(key(i))) positives++
    const measured = positives / STRANGERS
    recordFigure({ name: `false positives of ${kind} at ${rate}, of the target`, value: measured / rate, unit: '' })
    expect(measured).toBeLessThanOrEqual(1.1 * rate)
    // Nor is it much larger than it has to be.
    const expected = filter.expectedRate()
    expect(expected).toBeLessThanOrEqual(rate)
    expect(Math.abs(measured - expected)).toBeLessThan(5 * Math.sqrt(expected / STRANGERS) + 0.01 * expected)
  })
})
