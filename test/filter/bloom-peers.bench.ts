import JSBloom from '@duckduckgo/jsbloom'
import Minibloom from '@mcrowe/minibloom'
import Bfilter from 'bfilter'
import { BloomFilter as Bloomfilter } from 'bloomfilter'
import type { Bench } from '../../scripts/bench/bench.ts'
import { ownLoop } from '../../scripts/bench/own-loop.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { textbookSize } from '../../src/filter/parameters.ts'
import { generatedUrls } from '../support/generated-urls.ts'

const KEYS = 1_000_000
const RATE = 1e-3
const OURS = 'wary BloomFilter'

interface Peer {
  readonly name: string
  readonly make: () => unknown
  readonly add: (filter: unknown, keys: readonly unknown[]) => number
  readonly has: (filter: unknown, keys: readonly unknown[]) => number
}

function peer(name: string, make: () => unknown, add: string, has: string): Peer {
  return { name, make, add: ownLoop(add), has: ownLoop(has) }
}

/** With a million real-looking URLs at 1e-3, in the same run: our Bloom filter against the popular packages, and against theory. */
export default function measure(bench: Bench): void {
  const keys = generatedUrls(KEYS)
  const strangers = keys.map((key) => key.replace('site', 'else'))
  sizes(bench)
  times(bench, keys, strangers)
  opening(bench, keys)
  many(bench)
}

function sizes(bench: Bench): void {
  const bloom = BloomFilter.create({ capacity: KEYS, rate: RATE })
  bench.row('Bloom filter, a key', bloom.bits / KEYS, 'bits', 'log2(1/p) / ln 2', Math.log2(1 / RATE) / Math.LN2, { most: 1.001 })
  bench.row('its file, a key', (8 * bloom.toBytes().length) / KEYS, 'bits', 'its bits', bloom.bits / KEYS, { most: 1.001 })
}

function peers(): readonly Peer[] {
  const { bits, hashes } = textbookSize(KEYS, RATE)
  return [
    peer(OURS, () => BloomFilter.create({ capacity: KEYS, rate: RATE }), 'filter.add(key)', 'filter.mightContain(key)'),
    peer('bloomfilter 1.1.0', () => new Bloomfilter(bits, hashes), 'filter.add(key)', 'filter.test(key)'),
    peer('@mcrowe/minibloom 0.2.0', () => Minibloom.optimalFilter(KEYS, RATE), 'filter.add(key)', 'filter.test(key)'),
    // Its own sizing stops at the 36,000 bytes of its protocol.
    peer(
      'bfilter 2.4.0',
      () => new Bfilter.BloomFilter(bits, hashes, 0, 0),
      'filter.add(Buffer.from(key))',
      'filter.test(Buffer.from(key))',
    ),
    peer('@duckduckgo/jsbloom 1.0.2', () => new JSBloom.filter(KEYS, RATE), 'filter.addEntry(key)', 'filter.checkEntry(key)'),
    peer('Set', () => new Set<string>(), 'filter.add(key)', 'filter.has(key)'),
  ]
}

function times(bench: Bench, keys: readonly string[], strangers: readonly string[]): void {
  const all = peers()
  const rivals = all.map(({ name }) => name).filter((name) => name !== OURS && name !== 'Set')
  const empty = new Map<string, unknown>()
  const built = bench.compare(
    all.map(({ name, make, add }) => ({
      name,
      setUp: () => {
        empty.set(name, make())
      },
      run: () => add(empty.get(name), keys),
    })),
    { things: KEYS, rounds: 5 },
  )
  bench.time('add a URL', built, OURS, fastest(built, rivals), { most: 0.75 })
  bench.time('add a URL', built, OURS, 'Set')

  const negative = bench.compare(
    all.map(({ name, has }) => ({ name, run: () => has(empty.get(name), strangers) })),
    { things: KEYS, rounds: 7 },
  )
  bench.time('look up a URL that is not in', negative, OURS, fastest(negative, rivals), { most: 0.6 })
  bench.time('look up a URL that is not in', negative, OURS, 'Set')
  for (const { name, has } of all) {
    if (name === 'Set') continue
    const wrong = has(empty.get(name), strangers) / KEYS
    bench.row(`false positives of ${name}`, wrong, 'of 1', 'the rate asked for', RATE, name === OURS ? { most: 1.1 } : {})
  }
}

function fastest(figures: ReadonlyMap<string, number>, names: readonly string[]): string {
  return names.reduce((best, name) => ((figures.get(name) ?? 0) < (figures.get(best) ?? 0) ? name : best))
}

function opening(bench: Bench, keys: readonly string[]): void {
  const ours = BloomFilter.create({ capacity: KEYS, rate: RATE })
  const { bits, hashes } = textbookSize(KEYS, RATE)
  const theirs = new Bloomfilter(bits, hashes)
  for (const key of keys) {
    ours.add(key)
    theirs.add(key)
  }
  const file = ours.toBytes()
  const json = JSON.stringify([...theirs.buckets])
  const figures = bench.compare(
    [
      { name: 'open', run: () => BloomFilter.fromBytes(file).count },
      { name: 'verify', run: () => BloomFilter.verified(file).count },
      { name: 'JSON of bloomfilter 1.1.0', run: () => new Bloomfilter(JSON.parse(json), hashes).buckets.length },
    ],
    { things: 1, rounds: 15 },
  )
  bench.time('open a filter of 1M keys', figures, 'open', 'JSON of bloomfilter 1.1.0', { most: 0.01 })
  bench.time('open it and read all of it', figures, 'verify', 'JSON of bloomfilter 1.1.0', { most: 0.05 })
}

/** 30 ready hashes at once, as for a URL with as many expressions. */
function many(bench: Bench): void {
  const filter = BloomFilter.create({ capacity: KEYS, rate: RATE })
  let x = 1
  const next = (): number => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return x
  }
  for (let i = 0; i < KEYS; i++) filter.addHash(next(), next())
  const groups = Array.from({ length: 5000 }, () => Int32Array.from({ length: 60 }, next))
  const found = new Uint8Array(30)
  const figures = bench.compare(
    [
      {
        name: 'one by one',
        run: () => {
          let sum = 0
          for (const keys of groups)
            for (let i = 0; i < 60; i += 2) if (filter.mightContainHash(keys[i] as number, keys[i + 1] as number)) sum++
          return sum
        },
      },
      { name: 'hasMany', run: () => groups.reduce((sum, keys) => sum + filter.hasMany(keys, 30, found), 0) },
    ],
    { things: 30 * groups.length, same: true, rounds: 15 },
  )
  bench.time('look up 30 ready hashes, each', figures, 'one by one', 'hasMany', { least: 2.4 })
}
