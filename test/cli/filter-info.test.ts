import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KIND_NAMES } from '../../src/cli/filter-kinds.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { PagedBloomFilter } from '../../src/filter/paged-bloom.ts'
import { jsonOf, waryHere } from '../support/cli.ts'
import { temporaryFolder } from '../support/publisher.ts'

async function built(kind: string): Promise<string> {
  const out = join(temporaryFolder(), 'f')
  const keys = Array.from({ length: 1000 }, (_, i) => `key ${i}\n`).join('')
  const stdin = async () => new TextEncoder().encode(keys)
  expect(await waryHere(['filter', 'build', '--kind', kind, '--rate', '0.01', '--out', out], { stdin })).toMatchObject({ code: 0 })
  return out
}

test.each(KIND_NAMES)('%s: says what the file is, and what a filter of that rate would need at least', async (kind) => {
  const file = await built(kind)
  const facts = jsonOf(await waryHere(['filter', 'info', file, '--json']))
  const bytes = readFileSync(file).length
  expect(facts).toMatchObject({ file, kind, seed: 0, entries: 1000, bytes, formatVersion: 2, holds: true })
  if (kind === 'binary-fuse') expect(facts).toMatchObject({ fill: null, capacity: null, rateWhenFull: null })
  else {
    // A page is more than a thousand keys need.
    expect(facts.fill).toBeGreaterThan(kind === 'paged-bloom' ? 0.05 : 0.2)
    expect(facts.fill).toBeLessThanOrEqual(1)
    expect(facts.capacity).toBeGreaterThanOrEqual(1000)
    expect(facts.rateWhenFull).toBeGreaterThanOrEqual(Number(facts.expectedRate))
  }
  expect(facts.bitsPerEntry).toBeCloseTo((8 * bytes) / 1000, 9)
  expect(facts.leastBitsPerEntry).toBeCloseTo(-Math.log2(Number(facts.expectedRate)), 9)
  expect(facts.leastBitsPerEntry).toBeGreaterThan(-Math.log2(0.01))
  expect(facts.bitsPerEntry).toBeGreaterThan(Number(facts.leastBitsPerEntry))
  const { stdout, code } = await waryHere(['filter', 'info', file])
  expect(code).toBe(0)
  for (const row of [
    /^ {2}kind +[a-z-]+, format version 2$/m,
    /^ {2}entries +1,000/m,
    kind === 'binary-fuse' ? /^ {2}fingerprint +7 bits$/m : /^ {2}fill +\d+\.\d\d %$/m,
    /^ {2}expected rate +[01]\.\d+ %$/m,
    /^ {2}bits an entry +\d+\.\d\d; log2\(1 \/ expected rate\) = \d\.\d\d$/m,
    /^ {2}checksum +holds$/m,
  ])
    expect(stdout).toMatch(row)
})

test.each(KIND_NAMES)('%s: a damaged file is described, as far as it goes, and called damaged', async (kind) => {
  const file = await built(kind)
  const bytes = readFileSync(file)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] as number) ^ 0x10
  writeFileSync(file, bytes)
  const { stdout, code } = await waryHere(['filter', 'info', file])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^ {2}entries +1,000/m)
  expect(stdout).toMatch(/^ {2}checksum +DAMAGED: the checksum does not hold$/m)
  const json = await waryHere(['filter', 'info', file, '--json'])
  expect(json.code).toBe(1)
  expect(jsonOf(json)).toMatchObject({ kind, holds: false })
})

const MOST = Number.MAX_SAFE_INTEGER

test.each([
  ['bloom', () => BloomFilter.ofSize({ bits: 8, hashes: 1, capacity: MOST })],
  // The keys of two pages: adding up their likelihoods one by one took minutes.
  ['paged-bloom', () => PagedBloomFilter.ofSize({ pages: 2, hashes: 1, capacity: MOST })],
])('%s: a file that speaks of more keys than there can be is described', async (kind, filter) => {
  const file = join(temporaryFolder(), 'f')
  writeFileSync(file, filter().toBytes())
  const described = await waryHere(['filter', 'info', file])
  expect(described).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ {2}rate when full +100\.0 %$/m) })
  expect(jsonOf(await waryHere(['filter', 'info', file, '--json']))).toMatchObject({ kind, capacity: MOST, rateWhenFull: 1 })
})
