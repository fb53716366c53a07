import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BinaryFuseFilter } from '../../src/filter/binary-fuse.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { CountingBloomFilter } from '../../src/filter/counting-bloom.ts'
import { CuckooFilter } from '../../src/filter/cuckoo.ts'
import { PagedBloomFilter } from '../../src/filter/paged-bloom.ts'
import { QuotientFilter } from '../../src/filter/quotient.ts'
import { ScalableBloomFilter } from '../../src/filter/scalable-bloom.ts'
import { jsonOf, waryHere } from '../support/cli.ts'
import { temporaryFolder } from '../support/publisher.ts'

type Filter = BloomFilter | CuckooFilter | PagedBloomFilter | QuotientFilter

function put<F extends Filter>(folder: string, name: string, filter: F, keys: readonly string[]): string {
  for (const key of keys) filter.add(key)
  const path = join(folder, name)
  writeFileSync(path, filter.toBytes())
  return path
}

test('Bloom filters of one shape become the filter of all their keys', async () => {
  const folder = temporaryFolder()
  const empty = () => BloomFilter.create({ capacity: 4, rate: 0.001 })
  const a = put(folder, 'a', empty(), ['1', '2'])
  const b = put(folder, 'b', empty(), ['2', '3'])
  const c = put(folder, 'c', empty(), ['4'])
  const out = join(folder, 'out')
  const merged = await waryHere(['filter', 'merge', a, b, c, '--out', out])
  expect(merged).toMatchObject({ code: 0, stdout: expect.stringContaining(`Wrote ${out}\n`) })
  expect(merged.stderr).toMatch(/^note: 5 keys in room for 4; there will be more false positives than 0\.000\d+\n$/)
  const all = put(folder, 'all', empty(), ['1', '2', '2', '3', '4'])
  expect(readFileSync(out)).toEqual(readFileSync(all))
})

test('paged ones too', async () => {
  const folder = temporaryFolder()
  const empty = () => PagedBloomFilter.create({ capacity: 5000, rate: 0.001 })
  const a = put(folder, 'a', empty(), ['1', '2'])
  const b = put(folder, 'b', empty(), ['3'])
  const out = join(folder, 'out')
  expect(jsonOf(await waryHere(['filter', 'merge', a, b, '--out', out, '--json']))).toMatchObject({ kind: 'paged-bloom', entries: 3 })
  const merged = PagedBloomFilter.verified(new Uint8Array(readFileSync(out)))
  expect(['1', '2', '3', '4'].map((key) => merged.mightContain(key))).toEqual([true, true, true, false])
})

test('quotient filters of one seed and size of fingerprints are merged, and grow', async () => {
  const folder = temporaryFolder()
  const empty = () => QuotientFilter.create({ capacity: 30, rate: 1e-6 })
  const keys = Array.from({ length: 50 }, (_, i) => `key ${i}`)
  const a = put(folder, 'a', empty(), keys.slice(0, 25))
  const b = put(folder, 'b', empty(), keys.slice(25))
  const out = join(folder, 'out')
  expect(jsonOf(await waryHere(['filter', 'merge', a, b, '--out', out, '--json']))).toMatchObject({
    file: out,
    kind: 'quotient',
    entries: 50,
    quotientBits: 6,
  })
  const filter = QuotientFilter.verified(new Uint8Array(readFileSync(out)))
  expect(keys.filter((key) => !filter.mightContain(key))).toEqual([])
})

test.each<[string, () => Filter, () => Filter, string]>([
  [
    'two kinds',
    () => BloomFilter.create({ capacity: 9, rate: 0.1 }),
    () => QuotientFilter.create({ capacity: 9, rate: 0.1 }),
    'one is a bloom filter, the other a quotient filter',
  ],
  [
    'another size',
    () => BloomFilter.create({ capacity: 9, rate: 0.1 }),
    () => BloomFilter.create({ capacity: 10, rate: 0.1 }),
    'only filters of the same bits, hash functions and seed can be combined',
  ],
  [
    'another seed',
    () => QuotientFilter.create({ capacity: 9, rate: 0.1, seed: 1 }),
    () => QuotientFilter.create({ capacity: 9, rate: 0.1 }),
    'only filters of the same seed and the same size of fingerprints can be merged',
  ],
])('refuses %s', async (_what, one, other, reason) => {
  const folder = temporaryFolder()
  const a = put(folder, 'a', one(), ['x'])
  const b = put(folder, 'b', other(), ['y'])
  const out = join(folder, 'out')
  expect(await waryHere(['filter', 'merge', a, b, '--out', out])).toEqual({
    code: 1,
    stdout: '',
    stderr: `wary: filter-mismatch: ${b} cannot be merged with ${a}: ${reason}\n`,
  })
  expect(existsSync(out)).toBe(false)
})

test.each([
  CountingBloomFilter.create({ capacity: 9, rate: 0.1 }),
  ScalableBloomFilter.create({ capacity: 9, rate: 0.1 }),
  CuckooFilter.create({ capacity: 9, rate: 0.1 }),
  BinaryFuseFilter.from(['x'], { rate: 0.1 }),
])('refuses $kind filters, and says what to do', async (filter) => {
  const folder = temporaryFolder()
  const a = join(folder, 'a')
  writeFileSync(a, filter.toBytes())
  const out = join(folder, 'out')
  expect(await waryHere(['filter', 'merge', a, a, '--out', out])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      `wary: filter-mismatch: ${a} cannot be merged with ${a}: ${filter.kind} filters cannot be merged without their keys: ` +
      'build one filter of all keys (wary filter build)\n',
  })
  expect(existsSync(out)).toBe(false)
})

test('refuses one file alone, and none, and a damaged one', async () => {
  const folder = temporaryFolder()
  const a = put(folder, 'a', BloomFilter.create({ capacity: 9, rate: 0.1 }), ['x'])
  const out = join(folder, 'out')
  expect(await waryHere(['filter', 'merge', a, '--out', out])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('give two filter files or more'),
  })
  expect(await waryHere(['filter', 'merge', '--out', out])).toMatchObject({ code: 2 })
  writeFileSync(join(folder, 'junk'), 'junk')
  expect(await waryHere(['filter', 'merge', a, join(folder, 'junk'), '--out', out])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^wary: filter-format: .*junk: a filter file has at least 24 bytes, not 4;/),
  })
})
