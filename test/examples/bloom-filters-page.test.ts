import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXACT_KINDS } from '../../src/cli/filter-exact-sizes.ts'
import { fuseCells, fuseSize } from '../../src/filter/binary-fuse-size.ts'
import { BUCKET, cuckooSize } from '../../src/filter/cuckoo-size.ts'
import { BloomFilter, ScalableBloomFilter, SplitBlockBloomFilter } from '../../src/filter/index.ts'
import { optimalPages, PAGE_BITS } from '../../src/filter/paged-size.ts'
import { type BloomSize, expectedRate, optimalSize, textbookSize } from '../../src/filter/parameters.ts'
import { mostKeys, quotientSize } from '../../src/filter/quotient-size.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LOADER = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href
const PAGE = readFileSync(join(ROOT, 'docs/bloom-filters.md'), 'utf8')

interface Block {
  /** The heading above it and its number on the page. */
  readonly name: string
  readonly file: string
  readonly code: string
}

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(({ index, 1: code = '' }, i) => {
    const heading = [...page.slice(0, index).matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? ''
    return { name: `${i + 1}: ${heading}`, file: `block-${i + 1}.ts`, code }
  })
}

const BLOCKS = blocksOf(PAGE)

describe('the blocks of the page', () => {
  /** A project of somebody who has the library. */
  const project = mkdtempSync(join(tmpdir(), 'wary-page-'))

  beforeAll(() => {
    mkdirSync(join(project, 'node_modules'))
    symlinkSync(ROOT, join(project, 'node_modules/wary'))
    symlinkSync(join(ROOT, 'node_modules/@types'), join(project, 'node_modules/@types'))
    writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
    const options = { extends: join(ROOT, 'docs/examples/tsconfig.json'), include: ['*.ts'] }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(options))
    for (const { file, code } of BLOCKS) writeFileSync(join(project, file), code)
  })
  afterAll(() => rmSync(project, { recursive: true, force: true }))

  test('are some for each claim, and each says what comes out', () => {
    expect(BLOCKS.length).toBeGreaterThanOrEqual(25)
    for (const { name, code } of BLOCKS) {
      expect(code, name).toContain(`import assert from 'node:assert/strict'`)
      expect(code, name).toMatch(/from 'wary\/filter'/)
      expect(code, name).toMatch(/^ *(for \(.*\) )?assert\./m)
    }
    // No other way of fencing code goes by the test.
    expect(PAGE.match(/^ *(```|~~~)(?!ts$|$).*$/gm)).toBeNull()
  })

  test('hold the types of the library', () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' })
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
  })

  test.each(BLOCKS)('$name', ({ file }) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', LOADER, file], { cwd: project, encoding: 'utf8' })
    expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 })
  })
})

/** Cells of the rows of the table below `<!-- table: NAME -->`, without its head. */
function table(name: string): string[][] {
  const lines = PAGE.split('\n')
  const at = lines.indexOf(`<!-- table: ${name} -->`)
  expect(at, name).toBeGreaterThan(0)
  const rows = lines.slice(at + 3)
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}

const MILLION = 1_000_000
const whole = (number: number) => number.toLocaleString('en-US')
const percent = (share: number, digits: number) => `${(100 * share).toFixed(digits)} %`
const numberOf = (text: string) => Number(text.replaceAll(',', ''))

describe('the tables of the page', () => {
  test('rates: bits a key, k and size of each rate', () => {
    const rows = table('rates')
    expect(rows).toHaveLength(5)
    for (const row of rows) {
      const rate = Number(row[0]?.replace(' %', '')) / 100
      const { bits, hashes } = optimalSize(MILLION, rate)
      const size = `${(bits / 8 / 1e6).toFixed(2)} MB`
      expect(row.slice(1)).toEqual([(bits / MILLION).toFixed(2), `${hashes}`, size, Math.log2(1 / rate).toFixed(2)])
    }
  })

  test('whole-k: the textbook misses the rate, the library does not', () => {
    const row = ({ bits, hashes }: BloomSize) => [whole(bits), `${hashes}`, percent(expectedRate({ bits, hashes }, MILLION), 3)]
    const { bits } = textbookSize(MILLION, 0.01)
    expect(table('whole-k').map((cells) => cells.slice(1))).toEqual([
      row({ bits, hashes: 6 }),
      row(textbookSize(MILLION, 0.01)),
      row(optimalSize(MILLION, 0.01)),
    ])
    expect(PAGE.replace(/\s+/g, ' ')).toContain(`here ${whole(optimalSize(MILLION, 0.01).bits - bits)} bits (a kilobyte) more`)
  })

  test('past-capacity: fill and rate', () => {
    const size = optimalSize(MILLION, 0.01)
    const rows = table('past-capacity')
    expect(rows.length).toBeGreaterThan(5)
    for (const row of rows) {
      const keys = numberOf(row[0] ?? '')
      const fill = 1 - Math.exp((-size.hashes * keys) / size.bits)
      expect(row.slice(1)).toEqual([percent(fill, 1), percent(expectedRate(size, keys), 3)])
    }
  })

  test('twice: what it costs and brings to size for twice the entries', () => {
    const row = (capacity: number) => {
      const size = optimalSize(capacity, 0.01)
      return [`${whole(capacity)} at 1 %`, whole(size.bits), ...[MILLION, 2 * MILLION].map((keys) => percent(expectedRate(size, keys), 3))]
    }
    expect(table('twice')).toEqual([row(MILLION), row(2 * MILLION)])
  })

  test('memory: against the exact sets that `wary filter size` shows', () => {
    const bytesOf = (name: string, entries: number) =>
      (EXACT_KINDS.find((kind) => kind.name === name)?.size(entries, 0.01).bits ?? Number.NaN) / 8
    const shown = (bytes: number, unit: string, digits: number) => `${(bytes / (unit === 'MB' ? 1e6 : 1e9)).toFixed(digits)} ${unit}`
    const rows = [
      ['1 million', 1e6, 'MB'],
      ['500 million', 5e8, 'GB'],
      ['1 billion', 1e9, 'GB'],
      ['10 billion', 1e10, 'GB'],
    ] as const
    expect(table('memory')).toEqual(
      rows.map(([name, entries, unit]) => [
        name,
        shown(bytesOf('Set of texts', entries), unit, 0),
        shown(bytesOf('sorted 64-bit hashes', entries), unit, 0),
        ...[0.01, 0.001].map((rate) => shown(optimalSize(entries, rate).bits / 8, unit, 2)),
      ]),
    )
  })

  test('kinds: bits a key of each, as they are sized', () => {
    const fuse = fuseSize(MILLION, 10)
    const cuckoo = cuckooSize(MILLION, 0.001)
    const quotientBits = (keys: number) => {
      const size = quotientSize(keys, 0.001)
      return (2 ** size.quotientBits * (size.remainderBits + 3)) / keys
    }
    const bloom = optimalSize(MILLION, 0.001).bits / MILLION
    const bits = [
      (fuseCells(fuse) * fuse.fingerprintBits) / MILLION,
      quotientBits(mostKeys(20)),
      (cuckoo.buckets * BUCKET * cuckoo.fingerprintBits) / MILLION,
      bloom,
      (optimalPages(MILLION, 0.001).pages * PAGE_BITS) / MILLION,
      ScalableBloomFilter.create({ capacity: MILLION, rate: 0.001 }).bits / MILLION,
      (SplitBlockBloomFilter.create({ capacity: MILLION, rate: 0.001 }).blocks * 256) / MILLION,
      quotientBits(MILLION),
      grownBits(1_000) / MILLION,
      4 * bloom,
    ]
    expect(table('kinds').map((row) => row.slice(1))).toEqual(bits.map((each) => [each.toFixed(2), (each / bloom).toFixed(2)]))
    expect(PAGE).toContain(`2²⁰ slots (${whole(mostKeys(20))} keys)`)
  })
})

/** Bits of a scalable filter at 0.1 % that has taken a million keys. */
function grownBits(capacity: number): number {
  const filter = ScalableBloomFilter.create({ capacity, rate: 0.001 })
  for (let i = 0; i < MILLION; i++) filter.add(`key${i}`)
  return filter.bits
}

test('the drawn bits are those of the filter', () => {
  const filter = BloomFilter.ofSize({ bits: 24, hashes: 3, capacity: 2 })
  filter.add('hen')
  filter.add('dog')
  const bytes = filter.toBytes().subarray(-3)
  const bits = Array.from({ length: 24 }, (_, i) => `${i}=${((bytes[i >> 3] ?? 0) >> (i & 7)) & 1}`)
  for (const name of ['bloom-insert.svg', 'bloom-look-up.svg']) {
    const svg = readFileSync(join(ROOT, 'docs/images', name), 'utf8')
    const drawn = [...svg.matchAll(/data-bit="(\d+)" data-set="([01])"/g)].map(([, bit, set]) => `${bit}=${set}`)
    expect(drawn, name).toEqual(bits)
    expect(svg, name).toContain('prefers-color-scheme: dark')
  }
})
