import { describe, expect, test } from 'vitest'
import {
  BinaryFuseFilter,
  Bip37Filter,
  BloomFilter,
  bloomDelta,
  CountingBloomFilter,
  CuckooFilter,
  kindOf,
  PagedBloomFilter,
  QuotientFilter,
  ScalableBloomFilter,
  SplitBlockBloomFilter,
  verifyFile,
} from '../../src/filter/index.ts'

/* What callers without types do, and what comes from elsewhere: an error at once, never a filter that answers something else. */

const parameter = expect.objectContaining({ code: 'filter-parameter' })
const MADE = {
  BloomFilter,
  PagedBloomFilter,
  CountingBloomFilter,
  ScalableBloomFilter,
  CuckooFilter,
  QuotientFilter,
  SplitBlockBloomFilter,
  Bip37Filter,
}
const OF_FILES = { BloomFilter, PagedBloomFilter, CountingBloomFilter, ScalableBloomFilter, CuckooFilter, QuotientFilter, BinaryFuseFilter }

/** As a program in JavaScript passes it on: past the types. */
function untyped(call: unknown): (...args: readonly unknown[]) => unknown {
  if (typeof call !== 'function') throw new Error('no function')
  return (...args) => call(...args)
}

describe.each(Object.entries(MADE))('%s', (_name, filter) => {
  const create = untyped(filter.create.bind(filter))

  test.each([undefined, Number.NaN, -1, 1.5, '10', 10n, null, 2 ** 53, Number.POSITIVE_INFINITY])('no capacity: %s', (capacity) => {
    expect(() => create({ capacity, rate: 0.1 })).toThrow(parameter)
  })

  test.each([undefined, Number.NaN, 0, 1, -0.1, 2, '0.1', [0.1], null, 1n])('no rate: %s', (rate) => {
    expect(() => create({ capacity: 10, rate })).toThrow(parameter)
  })

  test('the least and the most that can be asked for', () => {
    for (const rate of [0.999_999_999_999, 0.5, 1e-9]) expect(create({ capacity: 1, rate })).toBeInstanceOf(filter)
    if (filter !== Bip37Filter) expect(() => create({ capacity: Number.MAX_SAFE_INTEGER, rate: 0.1 })).toThrow(parameter)
  })
})

const SEEDED = { BloomFilter, PagedBloomFilter, CountingBloomFilter, ScalableBloomFilter, CuckooFilter, QuotientFilter }

describe.each(Object.entries(SEEDED))('seeds of %s', (_name, filter) => {
  test.each([Number.NaN, 0.5, 2 ** 32, -(2 ** 31) - 1, '1', null])('none of 32 bits: %s', (seed) => {
    expect(() => untyped(filter.create.bind(filter))({ capacity: 10, rate: 0.1, seed })).toThrow(parameter)
  })

  test('signed or not, they are the same', () => {
    expect(filter.create({ capacity: 10, rate: 0.1, seed: -1 }).seed).toBe(2 ** 32 - 1)
    expect(filter.create({ capacity: 10, rate: 0.1, seed: 2 ** 31 }).seed).toBe(2 ** 31)
  })
})

test('seeds of the others', () => {
  expect(() => BinaryFuseFilter.from(['a'], { rate: 0.1, seed: 0.5 })).toThrow(parameter)
  expect(() => Bip37Filter.create({ capacity: 10, rate: 0.1, tweak: 2 ** 32 })).toThrow('the tweak must be')
})

describe.each(Object.entries(OF_FILES))('files of %s', (_name, filter) => {
  const file = fileOf(filter)

  test.each([
    ['nothing', undefined],
    ['text', 'WFLT'.repeat(30)],
    ['an array', [...file]],
    ['a buffer without a view', file.buffer],
    ['signed bytes', new Int8Array(file.buffer)],
    ['words', new Uint16Array(file.buffer.slice(0, file.length & -2))],
  ])('%s', (_what, given) => {
    for (const open of [filter.fromBytes, filter.verified, kindOf, verifyFile]) {
      expect(() => untyped(open)(given)).toThrow(new TypeError('a filter file must be a Uint8Array'))
    }
  })

  test('bytes of any kind of memory are a file', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(file.length))
    shared.set(file)
    const within = new Uint8Array(file.length + 7).fill(255)
    within.set(file, 3)
    for (const bytes of [Buffer.from(file), shared, within.subarray(3, 3 + file.length)]) {
      const opened = filter.verified(bytes)
      expect([opened.mightContain('a'), opened.mightContain('b'), opened.mightContain('c')]).toEqual([true, true, false])
      expect(opened.toBytes()).toEqual(file)
    }
  })
})

function fileOf(filter: (typeof OF_FILES)[keyof typeof OF_FILES]): Uint8Array<ArrayBuffer> {
  if (!('create' in filter)) return filter.from(['a', 'b'], { rate: 1e-9 }).toBytes()
  const made = filter.create({ capacity: 2, rate: 1e-9 })
  made.add('a')
  made.add('b')
  return made.toBytes()
}

test('one key is no list of keys', () => {
  expect(() => BinaryFuseFilter.from('evil.test', { rate: 0.1 })).toThrow(TypeError)
  expect(() => untyped(BinaryFuseFilter.from.bind(BinaryFuseFilter))(Buffer.from('evil.test'), { rate: 0.1 })).toThrow(TypeError)
})

test('deltas are of standard filters', () => {
  const counting = CountingBloomFilter.create({ capacity: 10, rate: 0.1 })
  // The same m, k and seed: the difference of their counters would be taken for that of their bits.
  expect(() => untyped(bloomDelta)(counting, counting)).toThrow(TypeError)
  expect(() => untyped(bloomDelta)(counting.toBloom(), counting)).toThrow(TypeError)
})

test.each([BloomFilter, PagedBloomFilter])('a number of keys that is none finds none: it is refused', (filter) => {
  const made = filter.create({ capacity: 10, rate: 0.1 })
  made.addHash(1, 2)
  const ready = Int32Array.of(1, 2)
  for (const count of [Number.NaN, -1, 0.5, undefined, '1', 2]) {
    expect(() => untyped(made.hasMany.bind(made))(ready, count, new Uint8Array(9)), String(count)).toThrow(RangeError)
    expect(() => untyped(made.hasAny.bind(made))(ready, count), String(count)).toThrow(RangeError)
  }
  expect([made.hasMany(ready, 1, new Uint8Array(1)), made.hasAny(ready, 1), made.hasAny(ready, 0)]).toEqual([1, true, false])
})

test('pages of a shape that no filter has are not asked', () => {
  const page = new Uint8Array(PagedBloomFilter.PAGE_BYTES)
  for (const pages of [0, -1, 1.5, Number.NaN, 2 ** 17 + 1]) {
    expect(() => PagedBloomFilter.pageOf({ pages, hashes: 3, seed: 0 }, 'a')).toThrow(RangeError)
    expect(() => PagedBloomFilter.pageOfHash({ pages, hashes: 3, seed: 0 }, 1, 2)).toThrow(RangeError)
  }
  for (const hashes of [0, -1, 1.5, Number.NaN, 33]) {
    expect(() => PagedBloomFilter.pageMightContain({ pages: 1, hashes, seed: 0 }, page, 'a')).toThrow(RangeError)
    expect(() => PagedBloomFilter.pageMightContainHash({ pages: 1, hashes, seed: 0 }, page, 1, 2)).toThrow(RangeError)
  }
})

describe('filters of other programs', () => {
  test('elements and values are bytes', () => {
    const bip37 = Bip37Filter.create({ capacity: 10, rate: 0.01 })
    const split = SplitBlockBloomFilter.create({ capacity: 10, rate: 0.01 })
    for (const given of [undefined, 7, [1, 2], new ArrayBuffer(2), new Uint16Array(1), {}]) {
      expect(() => untyped(bip37.add.bind(bip37))(given)).toThrow(TypeError)
      expect(() => untyped(bip37.mightContain.bind(bip37))(given)).toThrow(TypeError)
      expect(() => untyped(split.add.bind(split))(given)).toThrow(TypeError)
      expect(() => untyped(split.mightContain.bind(split))(given)).toThrow(TypeError)
    }
    expect(() => untyped(bip37.add.bind(bip37))('text')).toThrow(TypeError)
    expect(() => untyped(SplitBlockBloomFilter.fromBitset)(new ArrayBuffer(32))).toThrow(TypeError)
    expect(() => untyped(Bip37Filter.fromBytes)('text')).toThrow(TypeError)
  })

  test('a filterload message stays as it is, a Buffer of Node.js too', () => {
    const message = Buffer.from(Bip37Filter.create({ capacity: 10, rate: 0.01 }).toBytes())
    const before = Buffer.from(message)
    const filter = Bip37Filter.fromBytes(message)
    filter.add(Uint8Array.of(1, 2, 3))
    expect(filter.mightContain(Uint8Array.of(1, 2, 3))).toBe(true)
    expect(message).toEqual(before)
  })

  test('a 64-bit hash with a sign, as Java has it, is the one without', () => {
    const split = SplitBlockBloomFilter.ofBlocks(8)
    split.addHash(-0x1234_5678_9abc_def0n)
    expect(split.mightContainHash(2n ** 64n - 0x1234_5678_9abc_def0n)).toBe(true)
    split.addHash(2n ** 64n - 1n)
    expect(split.mightContainHash(-1n)).toBe(true)
    expect(split.mightContainHash(-2n)).toBe(false)
  })
})

test.each([1, {}, new ArrayBuffer(4), new Uint16Array(2), null, undefined])(
  'a key that is neither text nor bytes is refused: %s',
  (key) => {
    const bloom = BloomFilter.create({ capacity: 10, rate: 0.1 })
    const cuckoo = CuckooFilter.create({ capacity: 10, rate: 0.1 })
    expect(() => untyped(bloom.add.bind(bloom))(key)).toThrow(TypeError)
    expect(() => untyped(bloom.mightContain.bind(bloom))(key)).toThrow(TypeError)
    expect(() => untyped(cuckoo.delete.bind(cuckoo))(key)).toThrow(TypeError)
  },
)
