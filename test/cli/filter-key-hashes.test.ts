import { expect, test } from 'vitest'
import { KeyHashes } from '../../src/cli/filter-key-hashes.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { CuckooFilter } from '../../src/filter/cuckoo.ts'
import { memberHash } from '../support/membership.ts'

test('each hash once, however often and in whatever order it came, and always in one order', () => {
  const hashes = new KeyHashes(0)
  const given: [number, number][] = Array.from({ length: 20_000 }, (_, i) => memberHash(i % 15_000))
  for (const [high, low] of [...given, [0, 0], [-1, -1], [0, 1], [-1, 0]] as const) hashes.addHash(high, low)
  expect(hashes.settle()).toBe(15_004)
  const settled = [...hashes.entries()].map(([high, low]) => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0))
  const distinct = new Set(given.map(([high, low]) => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)))
  for (const edge of [0n, 2n ** 64n - 1n, 1n, (2n ** 32n - 1n) << 32n]) distinct.add(edge)
  expect(settled).toHaveLength(distinct.size)
  expect(new Set(settled)).toEqual(distinct)
  const backwards = new KeyHashes(0)
  for (const [high, low] of [...hashes.entries()].reverse()) backwards.addHash(high, low)
  expect(backwards.settle()).toBe(15_004)
  expect([...backwards.entries()]).toEqual([...hashes.entries()])
  expect([...backwards.packed(15_004)].map((half) => half >>> 0)).toEqual([...hashes.entries()].flat().map((half) => half >>> 0))
})

test.each([0, 7, 0xfffffff0])('a filter of the hashes is the filter of the keys (seed %i)', (seed) => {
  const keys = Array.from({ length: 500 }, (_, i) => `kéy ${i}`)
  const hashes = new KeyHashes(seed)
  for (const key of [...keys, ...keys]) hashes.add(key)
  expect(hashes.settle()).toBe(500)
  const ofKeys = BloomFilter.create({ capacity: 500, rate: 0.01, seed })
  for (const key of keys) ofKeys.add(key)
  const ofHashes = BloomFilter.create({ capacity: 500, rate: 0.01, seed })
  for (const [high, low] of hashes.entries()) ofHashes.addHash(high, low)
  expect(ofHashes.toBytes()).toEqual(ofKeys.toBytes())
})

test('a cuckoo filter takes the keys in this order too', () => {
  const hashes = new KeyHashes(0)
  for (let i = 0; i < 100_000; i++) hashes.addHash(...memberHash(i))
  const filter = CuckooFilter.create({ capacity: hashes.settle(), rate: 0.001 })
  for (const [high, low] of hashes.entries()) expect(filter.addHash(high, low)).toBe(true)
})
