import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { CountingBloomFilter } from '../../src/filter/counting-bloom.ts'
import { headBytes, seal } from '../../src/filter/encoding.ts'
import type { Key, MembershipFilter } from '../../src/filter/membership-filter.ts'
import { PagedBloomFilter } from '../../src/filter/paged-bloom.ts'
import { ScalableBloomFilter } from '../../src/filter/scalable-bloom.ts'

/** A filter that keys are put in and that can be put together with another of its shape; deleting is tested where a kind can do it. */
interface Mergeable extends MembershipFilter {
  add(key: Key): boolean
  union(other: this): this
}

type Step =
  | { readonly kind: 'add'; readonly of: 0 | 1; readonly key: string | Uint8Array }
  | { readonly kind: 'reload' | 'merge'; readonly of: 0 | 1 }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('add'), of: fc.constantFrom(0, 1), key: fc.oneof(fc.string(), fc.uint8Array()) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('reload', 'merge'), of: fc.constantFrom(0, 1) }) },
)

/** Does the steps on two filters and on two sets, and compares. */
function follow<F extends Mergeable>(make: () => F, verified: (file: Uint8Array) => F, script: readonly Step[]): void {
  const filters: [F, F] = [make(), make()]
  const models = [new Set<Key>(), new Set<Key>()] as const
  for (const each of script) {
    const { of } = each
    if (each.kind === 'add') {
      expect(filters[of].add(each.key)).toBe(true)
      models[of].add(each.key)
    } else if (each.kind === 'reload') filters[of] = verified(filters[of].toBytes())
    else {
      filters[of] = filters[of].union(filters[1 - of] as F)
      for (const key of models[1 - of] as Set<Key>) models[of].add(key)
    }
  }
  for (const of of [0, 1] as const) for (const key of models[of]) expect(filters[of].mightContain(key), String(key)).toBe(true)
}

describe('no key is ever denied, whatever is added, merged and saved', () => {
  const shape = fc.record({ hashes: fc.integer({ min: 1, max: 32 }), seed: fc.nat(), capacity: fc.nat(9) })
  const script = fc.array(step, { maxLength: 80, size: 'max' })

  it('bloom', () => {
    fc.assert(
      fc.property(shape, fc.integer({ min: 1, max: 3000 }), script, (size, bits, steps) =>
        follow(() => BloomFilter.ofSize({ ...size, bits }), BloomFilter.verified, steps),
      ),
      { numRuns: 150 },
    )
  })

  it('paged-bloom', () => {
    fc.assert(
      fc.property(shape, fc.integer({ min: 1, max: 3 }), script, (size, pages, steps) =>
        follow(() => PagedBloomFilter.ofSize({ ...size, pages }), PagedBloomFilter.verified, steps),
      ),
      { numRuns: 60 },
    )
  })
})

describe('a head of any numbers is refused, or describes a filter of the size of its file', () => {
  const filters = [
    { make: BloomFilter.ofSize({ bits: 1000, hashes: 3, capacity: 9 }), open: BloomFilter.verified, numbers: 3 },
    { make: PagedBloomFilter.ofSize({ pages: 1, hashes: 3, capacity: 9 }), open: PagedBloomFilter.verified, numbers: 3 },
    { make: CountingBloomFilter.ofSize({ bits: 1000, hashes: 3, capacity: 9 }), open: CountingBloomFilter.verified, numbers: 3 },
    // Parameters and the head of the layer.
    { make: ScalableBloomFilter.create({ capacity: 9, rate: 0.1 }), open: ScalableBloomFilter.verified, numbers: 9 },
  ]
  const extreme = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.bigInt({ min: 0n, max: 2000n }),
    fc.constantFrom(2n ** 32n, 2n ** 53n),
  )

  it.each(filters)('$make.kind', ({ make, open, numbers }) => {
    let opened = 0
    fc.assert(
      fc.property(fc.nat(numbers - 1), extreme, (which, number) => {
        const file = make.toBytes()
        new DataView(file.buffer).setBigUint64(headBytes(which), number, true)
        seal(file)
        try {
          expect(open(file).byteLength).toBe(file.length)
          opened++
        } catch (error) {
          expect(error).toMatchObject({ code: 'filter-format' })
        }
      }),
      { numRuns: 500 },
    )
    expect(opened).toBeGreaterThan(0)
  })
})
