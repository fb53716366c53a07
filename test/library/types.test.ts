import { expect, expectTypeOf, test } from 'vitest'
import {
  BinaryFuseFilter,
  BloomFilter,
  type BloomOptions,
  CuckooFilter,
  type Deletable,
  type FilterKind,
  type Guarded,
  guard,
  type Insertable,
  type Key,
  kindOf,
  type MembershipFilter,
  QuotientFilter,
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
