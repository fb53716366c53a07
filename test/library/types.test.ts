import { expect, expectTypeOf, test } from 'vitest'
import {
  applyDelta,
  BinaryFuseFilter,
  Bip37Filter,
  type Bip37Options,
  BloomFilter,
  type BloomOptions,
  type BloomSize,
  bloomDelta,
  CountingBloomFilter,
  CuckooFilter,
  capacityOf,
  type Deletable,
  expectedRate,
  type FilterKind,
  type GuardCounts,
  type Guarded,
  guard,
  type Insertable,
  type Key,
  keysOfFill,
  kindOf,
  type MembershipFilter,
  optimalSize,
  PagedBloomFilter,
  type PagedShape,
  QuotientFilter,
  ScalableBloomFilter,
  type ScalableBloomOptions,
  SplitBlockBloomFilter,
  sizeOfBytes,
  textbookSize,
  WaryError,
} from '../../src/filter/index.ts'

test('each class is what its kind can do, and no more', () => {
  expectTypeOf<BloomFilter>().toExtend<MembershipFilter & Insertable>()
  expectTypeOf<BloomFilter>().not.toExtend<Deletable>()
  expectTypeOf<CuckooFilter>().toExtend<MembershipFilter & Insertable & Deletable>()
  expectTypeOf<QuotientFilter>().toExtend<MembershipFilter & Insertable & Deletable>()
  expectTypeOf<BinaryFuseFilter>().toExtend<MembershipFilter>()
  expectTypeOf<BinaryFuseFilter>().not.toExtend<Insertable>()
  expectTypeOf<BinaryFuseFilter>().not.toExtend<Deletable>()
  // The kind tells them apart.
  expectTypeOf<BloomFilter['kind']>().toEqualTypeOf<'bloom'>()
  expectTypeOf<CuckooFilter['kind']>().toEqualTypeOf<'cuckoo'>()
  expectTypeOf<QuotientFilter['kind']>().toEqualTypeOf<'quotient'>()
})

test('the newer kinds too', () => {
  expectTypeOf<PagedBloomFilter>().toExtend<MembershipFilter & Insertable>()
  expectTypeOf<PagedBloomFilter>().not.toExtend<Deletable>()
  expectTypeOf<CountingBloomFilter>().toExtend<MembershipFilter & Insertable & Deletable>()
  expectTypeOf<ScalableBloomFilter>().toExtend<MembershipFilter & Insertable>()
  expectTypeOf<ScalableBloomFilter>().not.toExtend<Deletable>()
  expectTypeOf<CountingBloomFilter['toBloom']>().toEqualTypeOf<() => BloomFilter>()
  expectTypeOf(bloomDelta).toEqualTypeOf<(former: BloomFilter, later: BloomFilter) => Uint8Array<ArrayBuffer>>()
  expectTypeOf(applyDelta).toEqualTypeOf<(filter: BloomFilter, delta: Uint8Array) => BloomFilter>()
  expectTypeOf<ScalableBloomOptions>().toExtend<BloomOptions>()
  expectTypeOf(SplitBlockBloomFilter.create).returns.toEqualTypeOf<SplitBlockBloomFilter>()
  expectTypeOf(Bip37Filter.create).parameter(0).toEqualTypeOf<Bip37Options>()
})

test('a page of a paged filter can be asked by its shape alone', () => {
  expectTypeOf<PagedBloomFilter>().toExtend<PagedShape>()
  expectTypeOf<PagedShape>().toEqualTypeOf<Pick<PagedBloomFilter, 'pages' | 'hashes' | 'seed'>>()
  expectTypeOf(PagedBloomFilter.pageOf).toEqualTypeOf<(shape: PagedShape, key: Key) => number>()
  expectTypeOf(PagedBloomFilter.pageMightContain).parameters.toEqualTypeOf<[PagedShape, Uint8Array, Key]>()
  expectTypeOf(PagedBloomFilter.prototype.union).toEqualTypeOf<(other: PagedBloomFilter) => PagedBloomFilter>()
  // It has none of another shape.
  expectTypeOf<BloomFilter>().not.toExtend<PagedShape>()
  expectTypeOf<PagedBloomFilter['kind']>().toEqualTypeOf<'paged-bloom'>()
})

test('a counting filter always has room, gives keys back, and makes deltas of the standard filters that it stands for', () => {
  expectTypeOf<CountingBloomFilter['add']>().returns.toEqualTypeOf<true>()
  expectTypeOf<CountingBloomFilter['delete']>().toEqualTypeOf<(key: Key) => boolean>()
  expectTypeOf<CountingBloomFilter['delta']>().parameter(0).toEqualTypeOf<BloomFilter | CountingBloomFilter>()
  expectTypeOf<CountingBloomFilter['delta']>().returns.toEqualTypeOf<Uint8Array<ArrayBuffer>>()
  expectTypeOf<CountingBloomFilter['kind']>().toEqualTypeOf<'counting-bloom'>()
  // @ts-expect-error: counters are no bits
  expect(() => bloomDelta(CountingBloomFilter.create({ capacity: 1, rate: 0.1 }), BloomFilter.create({ capacity: 1, rate: 0.1 }))).toThrow()
})

test('a scalable filter may have no room, and says how it grows', () => {
  expectTypeOf<ScalableBloomFilter['add']>().returns.toEqualTypeOf<boolean>()
  expectTypeOf<ScalableBloomFilter>().toExtend<Required<Omit<ScalableBloomOptions, 'capacity'>> & { readonly layers: number }>()
  expectTypeOf<ScalableBloomOptions['growth']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<ScalableBloomFilter['kind']>().toEqualTypeOf<'scalable-bloom'>()
  // @ts-expect-error: a text is no number
  expect(() => ScalableBloomFilter.create({ capacity: 10, rate: 0.1, growth: '2' })).toThrow(WaryError)
  // @ts-expect-error: nor here
  expect(() => ScalableBloomFilter.create({ capacity: 10, rate: 0.1, tightening: '0.5' })).toThrow(WaryError)
})

test('the filters of other programs are none of ours: they have no kind, no seed, no file of ours', () => {
  expectTypeOf<SplitBlockBloomFilter>().not.toExtend<MembershipFilter>()
  expectTypeOf<Bip37Filter>().not.toExtend<MembershipFilter>()
  expectTypeOf<SplitBlockBloomFilter['addHash']>().toEqualTypeOf<(hash: bigint) => void>()
  expectTypeOf<SplitBlockBloomFilter['mightContain']>().parameter(0).toEqualTypeOf<Key>()
  expectTypeOf<Bip37Filter['add']>().parameter(0).toEqualTypeOf<Uint8Array>()
  expectTypeOf(SplitBlockBloomFilter.fromBitset).toEqualTypeOf<(bitset: Uint8Array) => SplitBlockBloomFilter>()
  expectTypeOf(Bip37Filter.fromBytes).toEqualTypeOf<(message: Uint8Array) => Bip37Filter>()
})

test('sizes go both ways, and the textbook is told from what keeps the rate', () => {
  expectTypeOf(optimalSize).toEqualTypeOf<(capacity: number, rate: number) => BloomSize>()
  expect([textbookSize(1e6, 0.01), optimalSize(1e6, 0.01)]).toEqual([
    { bits: 9_585_059, hashes: 7 },
    { bits: 9_592_955, hashes: 7 },
  ])
  expect(expectedRate(textbookSize(1e6, 0.01), 1e6)).toBeGreaterThan(0.01)
  expect(expectedRate(optimalSize(1e6, 0.01), 1e6)).toBeLessThanOrEqual(0.01)
  expect(capacityOf(sizeOfBytes(2 ** 20, 1e6), 0.02)).toBeGreaterThan(1.02e6)
  expect(keysOfFill({ bits: 1000, hashes: 1 }, 0)).toBe(0)
})

test('keys are text or bytes', () => {
  expectTypeOf<Key>().toEqualTypeOf<string | Uint8Array>()
  expectTypeOf<MembershipFilter['mightContain']>().toEqualTypeOf<(key: Key) => boolean>()
  expectTypeOf<Insertable['add']>().toEqualTypeOf<(key: Key) => boolean>()
  expectTypeOf<Deletable['delete']>().toEqualTypeOf<(key: Key) => boolean>()
  // A Bloom filter always has room.
  expectTypeOf<BloomFilter['add']>().returns.toEqualTypeOf<true>()
})

test('filters are made by options, of files, and of each other', () => {
  expectTypeOf(BloomFilter.create).parameter(0).toEqualTypeOf<BloomOptions>()
  expectTypeOf<BloomOptions>().toExtend<{ readonly capacity: number; readonly rate: number; readonly seed?: number }>()
  // @ts-expect-error: not by `new`
  expectTypeOf(() => new BloomFilter()).toBeFunction()
  for (const { fromBytes, verified } of [BinaryFuseFilter, BloomFilter, CuckooFilter, QuotientFilter]) {
    expectTypeOf(fromBytes).parameter(0).toEqualTypeOf<Uint8Array>()
    expectTypeOf(verified).parameter(0).toEqualTypeOf<Uint8Array>()
  }
  expectTypeOf(BinaryFuseFilter.from).parameter(0).toEqualTypeOf<Iterable<Key>>()
  expectTypeOf<MembershipFilter['toBytes']>().returns.toEqualTypeOf<Uint8Array<ArrayBuffer>>()
  expectTypeOf(BloomFilter.prototype.union).toEqualTypeOf<(other: BloomFilter) => BloomFilter>()
  expectTypeOf(QuotientFilter.prototype.merge).toEqualTypeOf<(other: QuotientFilter) => QuotientFilter>()
  expectTypeOf(kindOf).toEqualTypeOf<(file: Uint8Array) => FilterKind>()
})

test('a guard answers what its look-up answers', () => {
  const filter = BloomFilter.create({ capacity: 10, rate: 0.1 })
  expectTypeOf(guard(filter, () => 7)).toEqualTypeOf<Guarded<number>>()
  expectTypeOf(guard(filter, async () => 'x')).returns.toEqualTypeOf<Promise<string> | undefined>()
  expectTypeOf(guard(filter, () => 7).counts.asked).toBeNumber()
  expectTypeOf<Guarded<number>['counts']>().toEqualTypeOf<GuardCounts>()
  // @ts-expect-error: they are counted by the guard alone
  guard(filter, () => 7).counts.asked = 1
  // @ts-expect-error: a set is no filter
  guard(new Set(['x']), () => 7)
})

test('what cannot be is refused by the types, and by a named error too', () => {
  // @ts-expect-error: no rate
  expect(() => BloomFilter.create({ capacity: 10 })).toThrow(WaryError)
  // @ts-expect-error: a number is no capacity in words
  expect(() => CuckooFilter.create({ capacity: 'many', rate: 0.1 })).toThrow(WaryError)
  const filter = QuotientFilter.create({ capacity: 10, rate: 0.1 })
  // @ts-expect-error: capacities do not change
  filter.capacity satisfies string
  expect(filter.kind).toBe('quotient')
})
