import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EXACT_KINDS } from '../../src/cli/filter-exact-sizes.ts'
import { leastRate, mostEntries } from '../../src/cli/filter-fit.ts'
import type { SizeFacts } from '../../src/cli/filter-size.ts'
import { SET_KINDS, type SetKind } from '../../src/cli/filter-sizes.ts'
import { setBits } from '../../src/filter/bit-array.ts'
import { CountingBloomFilter } from '../../src/filter/counting-bloom.ts'
import { avalanche } from '../../src/filter/murmur3-128.ts'
import { PagedBloomFilter } from '../../src/filter/paged-bloom.ts'
import { expectedPagedRate } from '../../src/filter/paged-size.ts'
import { ScalableBloomFilter } from '../../src/filter/scalable-bloom.ts'
import { SplitBlockBloomFilter } from '../../src/filter/split-block-bloom.ts'
import { jsonOf, waryHere } from '../support/cli.ts'

const KINDS = [...SET_KINDS, ...EXACT_KINDS]

async function sizes(...args: string[]): Promise<Record<string, SizeFacts>> {
  const { sizes } = jsonOf(await waryHere(['filter', 'size', '--json', ...args]))
  if (!Array.isArray(sizes) || !sizes.every(isFacts)) throw new Error(`no sizes: ${JSON.stringify(sizes)}`)
  return Object.fromEntries(sizes.map((facts) => [facts.kind, facts]))
}

function isFacts(value: unknown): value is SizeFacts {
  if (typeof value !== 'object' || value === null) return false
  const types = Object.entries(value).map(([name, field]) => [name, field === null ? 'null' : typeof field])
  expect(Object.fromEntries(types)).toEqual({
    kind: 'string',
    entries: 'number',
    bits: 'number',
    bytes: 'number',
    bitsPerEntry: 'number',
    hashes: expect.stringMatching(/number|null/),
    fill: expect.stringMatching(/number|null/),
    rate: 'number',
    note: expect.stringMatching(/string|null/),
  })
  return true
}

test('the table that people look up', async () => {
  const { code, stdout, stderr } = await waryHere(['filter', 'size', '--entries', '1e9', '--rate', '0.001'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('1,000,000,000 entries at 0.1 %: no filter takes fewer than 9.97 bits an entry, 1.25 GB\n')
  // 14.4 bits an entry, 1.8 GB.
  expect(stdout).toMatch(/^ {2}bloom +14,377,639,339 +1,797,204,918 +14\.38 +10 +50\.1 % +0\.1 % +in 4 files or more$/m)
  expect(stdout).toMatch(/^ {2}bloom \(textbook\) +14,377,587,567 +1,797,198,446 +14\.38 +10 +50\.1 % +0\.100002 % /m)
  expect(stdout).toMatch(/^ {2}Set of texts +640,000,000,000 .* 0 +estimated for 40 characters; V8 takes 16777216 into one Set$/m)
  expect(stdout).toMatch(/^ {2}sorted 64-bit hashes +64,000,000,000 +8,000,000,000 +64\.00 +5\.42e-9 %/m)
  const lines = stdout.split('\n').map((line) => line.trimEnd())
  expect(lines).toHaveLength(3 + KINDS.length)
  const docs = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  expect(docs).toContain(`\`\`\`\n${lines.join('\n')}\`\`\`\n`)
})

test('all kinds keep the rate, as far as they promise it, for any number of entries', async () => {
  for (const entries of ['1', '7', '1000', '1e6', '123456789', '1e12']) {
    for (const rate of ['0.5', '0.01', '1e-6', '1e-9']) {
      const found = await sizes('--entries', entries, '--rate', rate)
      expect(Object.keys(found)).toEqual(KINDS.map(({ name }) => name))
      for (const { kind, bits, bytes, rate: kept } of Object.values(found)) {
        const where = `${kind}, ${entries} at ${rate}`
        expect(bits, where).toBeGreaterThan(0)
        expect(bytes, where).toBe(Math.ceil(bits / 8))
        // Fixed at 64 bits, so beyond 2^34 entries it does not keep every rate.
        if (kind !== 'bloom (textbook)' && kind !== 'sorted 64-bit hashes') expect(kept, where).toBeLessThanOrEqual(Number(rate))
      }
    }
  }
})

test('the other kinds of Bloom filter have the sizes that they are made with', async () => {
  for (const [entries, rate] of [
    [7, 0.1],
    [30_000, 0.001],
    [123_456, 1e-6],
  ] as const) {
    const found = await sizes('--entries', String(entries), '--rate', String(rate))
    const options = { capacity: entries, rate }
    const paged = PagedBloomFilter.create(options)
    expect(found['paged-bloom']).toMatchObject({ bits: paged.bits, hashes: paged.hashes })
    expect(found['paged-bloom']?.rate).toBe(expectedPagedRate(paged, entries))
    expect(found['split-block']?.bits).toBe(8 * SplitBlockBloomFilter.create(options).toBitset().length)
    const counting = CountingBloomFilter.create(options)
    expect(found['counting-bloom']).toMatchObject({ bits: 4 * counting.bits, hashes: counting.hashes })
    expect(found['counting-bloom']?.rate).toBe(found.bloom?.rate)
    const scalable = ScalableBloomFilter.create({ capacity: Math.ceil(entries / 7), rate })
    for (let i = 0; scalable.count < entries; i++) scalable.addHash(Math.imul(i, 0x9e3779b1), avalanche(i))
    expect(found['scalable-bloom']).toMatchObject({ bits: scalable.bits, note: 'grown from a seventh' })
    // Keys that seemed to be in took no room.
    expect(found['scalable-bloom']?.rate).toBeCloseTo(scalable.expectedRate(), 2)
  }
})

test('the shares of a paged and a split-block filter are those of a filled one', async () => {
  const entries = 20_000
  const found = await sizes('--entries', String(entries), '--rate', '0.01')
  const paged = PagedBloomFilter.create({ capacity: entries, rate: 0.01 })
  const split = SplitBlockBloomFilter.create({ capacity: entries, rate: 0.01 })
  for (let i = 0; i < entries; i++) {
    paged.add(`key ${i}`)
    split.add(`key ${i}`)
  }
  expect(found['paged-bloom']?.fill).toBeCloseTo(paged.fillRatio(), 2)
  expect(found['split-block']?.fill).toBeCloseTo(setBits(split.toBitset()) / (found['split-block']?.bits ?? 1), 2)
})

test('an answer is there at once, however many keys and however few errors are asked for', async () => {
  for (const args of [
    ['--entries', '1e12', '--rate', '5.5e-20'],
    ['--entries', '1', '--rate', '5.5e-20'],
    ['--entries', '1e12', '--bytes', '1024TiB'],
    ['--bytes', '1024TiB', '--rate', '5.5e-20'],
    ['--bytes', '1', '--rate', '0.999'],
  ]) {
    for (const facts of Object.values(await sizes(...args))) {
      expect(Number.isFinite(facts.bits) && facts.bits >= 0, `${args}: ${facts.kind}`).toBe(true)
      expect(facts.note ?? '', facts.kind).not.toContain('NaN')
    }
  }
})

test('nothing lies below the least that information theory allows', async () => {
  const found = await sizes('--entries', '1e6', '--rate', '0.001')
  for (const { kind, bitsPerEntry, rate } of Object.values(found)) {
    if (rate > 0) expect(bitsPerEntry, kind).toBeGreaterThan(-Math.log2(rate))
  }
  expect(found['Rice-coded hashes']?.bitsPerEntry).toBeCloseTo(-Math.log2(found['Rice-coded hashes']?.rate ?? 1) + 1.5, 0)
})

describe('the other directions agree with the sizes', () => {
  const bits = 8 * 64 * 2 ** 20

  test.each(KINDS)('$name: the most entries fit, and one more does not', (kind: SetKind) => {
    const most = mostEntries(kind, bits, 0.001, 1e15)
    expect(kind.size(most, 0.001).bits).toBeLessThanOrEqual(bits)
    expect(kind.size(most + 1, 0.001).bits).toBeGreaterThan(bits)
  })

  test.each(KINDS)('$name: the lowest rate fits, and a lower one does not', (kind: SetKind) => {
    const entries = 30_000_000
    const least = leastRate(kind, bits, entries)
    if (least === undefined) return expect(kind.size(entries, 0.99).bits).toBeGreaterThan(bits)
    expect(kind.size(entries, least).bits).toBeLessThanOrEqual(bits)
    const lower = kind.size(entries, least * 0.999)
    expect(lower.bits > bits || lower.fault !== undefined).toBe(true)
  })
})

test('how many entries fit, and at which rate', async () => {
  const fitting = await sizes('--bytes', '64MiB', '--rate', '0.001')
  expect(fitting.bloom).toMatchObject({ entries: 37_340_685, hashes: 10, bytes: 67_108_863 })
  expect(fitting.bloom?.rate).toBeLessThanOrEqual(0.001)
  expect(fitting['sorted 64-bit hashes']?.entries).toBe(2 ** 23)
  const rates = await sizes('--bytes', '67108864', '--entries', '1e8')
  expect(rates.bloom).toMatchObject({ hashes: 4, bits: 2 ** 29 })
  expect(rates.bloom?.rate).toBeCloseTo(0.0761, 4)
  expect(rates['sorted 64-bit hashes']).toMatchObject({ bits: 0, rate: 1, note: 'they do not fit' })
  const small = await sizes('--bytes', '1', '--rate', '0.001')
  expect(small.quotient).toMatchObject({ entries: 0, note: 'not one entry fits' })
})

test('an answer never needs parameters that no filter has', async () => {
  const found = await sizes('--bytes', '1MB', '--entries', '10')
  for (const { kind, note } of Object.values(found)) expect(note ?? '', kind).not.toMatch(/up to|bits, not/)
  expect(found.cuckoo?.bits).toBe(24 * 32)
})

test.each([
  [['--entries', '1e9'], 'give two of --entries, --rate and --bytes'],
  [[], 'give two of'],
  [['--entries', '10', '--rate', '0.1', '--bytes', '10'], 'give two of'],
  [['--entries', '1.5', '--rate', '0.1'], "option '--entries <N>' argument '1.5' is invalid"],
  [['--entries', '10', '--rate', '1e-20'], 'It must be 2^-64 (5.4e-20) or more: filters see 64 bits of a key.'],
  [['--entries', '2e12', '--rate', '0.1'], 'It must be a whole number from 1 to 1000000000000'],
  [['--bytes', '3XB', '--rate', '0.1'], 'It must be a size from 1 byte on'],
  [['--bytes', '0', '--rate', '0.1'], 'It must be a size from 1 byte on'],
])('refuses %j', async (args, message) => {
  const { code, stderr, stdout } = await waryHere(['filter', 'size', ...args])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^wary: usage: .*\n$/)
  expect(stderr).toContain(message)
})

test.each([
  ['1000', 1000],
  ['1.5kB', 1500],
  ['2 MB', 2e6],
  ['1GiB', 2 ** 30],
  ['1e3', 1000],
])('sizes are read: %s', async (text, bytes) => {
  expect(jsonOf(await waryHere(['filter', 'size', '--json', '--bytes', text, '--rate', '0.1']))).toMatchObject({
    entries: null,
    rate: 0.1,
    bytes,
  })
})
