import { expect } from 'vitest'
import type { MembershipFilter } from '../../src/filter/membership-filter.ts'
import { avalanche } from '../../src/filter/murmur3-128.ts'

/** A million of distinct hashes each for keys that are in (even numbers) and for strangers (odd ones), by way of two bijections. */
export function memberHash(i: number): [high: number, low: number] {
  return [avalanche(2 * i), avalanche(2 * i + 0x40000000)]
}

export function strangerHash(i: number): [high: number, low: number] {
  return [avalanche(2 * i + 1), avalanche(2 * i + 0x40000001)]
}

/**
 * That the first `members` hashes are all in, and that strangers are taken for members as often as the filter says, at `rate` at most. Five
 * standard deviations of a binomial count: a sound filter fails this less than once in a million times.
 */
export function expectRate(filter: MembershipFilter, members: number, rate: number, strangers = 400_000): void {
  let lost = 0
  for (let i = 0; i < members; i++) if (!filter.mightContainHash(...memberHash(i))) lost++
  expect(lost).toBe(0)
  let positives = 0
  for (let i = 0; i < strangers; i++) if (filter.mightContainHash(...strangerHash(i))) positives++
  const expected = strangers * filter.expectedRate()
  expect(Math.abs(positives - expected)).toBeLessThan(5 * Math.sqrt(expected))
  expect(filter.expectedRate()).toBeLessThanOrEqual(rate)
}

/** That filters of two seeds, each with the first 2,000 hashes in at a rate from 0.005 to 0.02, err about different keys. */
export function expectSeedsDiffer(filled: (seed: number) => MembershipFilter): void {
  const filters = [1, 2].map(filled)
  const probes = 100_000
  const errors = [0, 0]
  let both = 0
  for (let i = 0; i < probes; i++) {
    const [first = false, second = false] = filters.map((filter) => filter.mightContainHash(...strangerHash(i)))
    errors[0] = (errors[0] as number) + (first ? 1 : 0)
    errors[1] = (errors[1] as number) + (second ? 1 : 0)
    if (first && second) both++
  }
  expect(Math.min(...errors)).toBeGreaterThan(400)
  // By chance some 2 to 40 keys are in both; filters that ignore their seed share all.
  expect(both).toBeLessThan(100)
}

/** That `open` refuses `file` shorter by any number of bytes, longer by one, and with any one bit flipped. */
export function expectDamageRefused(file: Uint8Array, open: (file: Uint8Array) => unknown): void {
  const refused = expect.objectContaining({ code: 'filter-format' })
  for (let length = 0; length < file.length; length++) expect(() => open(file.subarray(0, length)), `${length} bytes`).toThrow(refused)
  expect(() => open(new Uint8Array([...file, 0]))).toThrow(refused)
  for (let bit = 0; bit < file.length * 8; bit++) {
    const flipped = file.slice()
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
    expect(() => open(flipped), `bit ${bit}`).toThrow(refused)
  }
  open(file)
}
