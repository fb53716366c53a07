import JSBloom from '@duckduckgo/jsbloom'
import Minibloom from '@mcrowe/minibloom'
import Bfilter from 'bfilter'
import BloomFilters from 'bloom-filters'
import { BloomFilter as Bloomfilter } from 'bloomfilter'
import type { Bench } from '../../scripts/bench/bench.ts'
import { BinaryFuseFilter } from '../../src/filter/binary-fuse.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { CuckooFilter } from '../../src/filter/cuckoo.ts'
import { textbookSize } from '../../src/filter/parameters.ts'
import { QuotientFilter } from '../../src/filter/quotient.ts'
import { generatedUrls } from '../support/generated-urls.ts'

const KEYS = 1_000_000
const RATE = 1e-3
/** bloom-filters takes 10 microseconds and more for a key. */
const FEW = 20_000
const LIMIT = Math.log2(1 / RATE)

/** With a million real-looking URLs at 1e-3, in the same run: our kinds against the fastest of the popular packages, and against theory. */
export default function measure(bench: Bench): void {
  const keys = generatedUrls(KEYS)
  const strangers = keys.map((key) => key.replace('site', 'else'))
  sizes(bench, keys)
  bloom(bench, keys, strangers)
  opening(bench, keys)
  many(bench)
  deletable(bench, keys.slice(0, FEW), strangers.slice(0, FEW))
}

function sizes(bench: Bench, keys: readonly string[]): void {
  const bloom = BloomFilter.create({ capacity: KEYS, rate: RATE })
  const file = bloom.toBytes()
  bench.row('Bloom filter, a key', bloom.bits / KEYS, 'bits', 'log2(1/p) / ln 2', LIMIT / Math.LN2, { most: 1.001 })
  bench.row('its file, a key', (8 * file.length) / KEYS, 'bits', 'its bits', bloom.bits / KEYS, { most: 1.001 })
  const cuckoo = CuckooFilter.create({ capacity: KEYS, rate: RATE })
  bench.row('cuckoo filter, a key', (8 * cuckoo.byteLength) / KEYS, 'bits', '(log2(1/p) + 3) / 0.955', (LIMIT + 3) / 0.955, { most: 1.1 })
  // Slots are a power of two: at the number of keys that fills them as far as it may.
  const capacity = Math.floor(0.95 * 2 ** 20)
  const quotient = QuotientFilter.create({ capacity, rate: RATE })
  const least = (LIMIT + 3) / 0.95
  bench.row('quotient filter, a key, at its best size', (8 * quotient.byteLength) / capacity, 'bits', '(log2(1/p) + 3) / 0.95', least, {
    most: 1.1,
  })
  const fuse = BinaryFuseFilter.from(keys, { rate: RATE })
  bench.row('binary fuse filter, a key', (8 * fuse.byteLength) / KEYS, 'bits', '1.125 log2(1/p)', 1.125 * LIMIT, { most: 1.1 })
}

function bloom(bench: Bench, keys: readonly string[], strangers: readonly string[]): void {
  const { bits, hashes } = textbookSize(KEYS, RATE)
  const makers: Readonly<Record<string, () => Asked>> = {
    'wary BloomFilter': () => {
      const filter = BloomFilter.create({ capacity: KEYS, rate: RATE })
      return { add: (key) => filter.add(key), has: (key) => filter.mightContain(key) }
    },
    'bloomfilter 1.1.0': () => {
      const filter = new Bloomfilter(bits, hashes)
      return { add: (key) => filter.add(key), has: (key) => filter.test(key) }
    },
    '@mcrowe/minibloom 0.2.0': () => {
      const filter = Minibloom.optimalFilter(KEYS, RATE)
      return { add: (key) => filter.add(key), has: (key) => filter.test(key) }
    },
    'bfilter 2.4.0': () => {
      // Its own sizing stops at the 36,000 bytes of its protocol.
      const filter = new Bfilter.BloomFilter(bits, hashes, 0, 0)
      return { add: (key) => filter.add(Buffer.from(key)), has: (key) => filter.test(Buffer.from(key)) }
    },
    '@duckduckgo/jsbloom 1.0.2': () => {
      const filter = new JSBloom.filter(KEYS, RATE)
      return { add: (key) => filter.addEntry(key), has: (key) => filter.checkEntry(key) }
    },
    Set: () => new Set<string>(),
  }
  const built = bench.compare(
    Object.entries(makers).map(([name, make]) => ({ name, run: () => filled(make(), keys) })),
    { things: KEYS, rounds: 3 },
  )
  const peers = Object.keys(makers).filter((name) => name !== 'wary BloomFilter' && name !== 'Set')
  bench.time('add a URL', built, 'wary BloomFilter', fastest(built, peers), { most: 0.75 })
  bench.time('add a URL', built, 'wary BloomFilter', 'Set')

  const askers = Object.entries(makers).map(([name, make]) => ({ name, filter: filled(make(), keys) }))
  const negative = bench.compare(
    askers.map(({ name, filter }) => ({ name, run: () => count(strangers, (key) => filter.has(key)) })),
    { things: KEYS, rounds: 5 },
  )
  bench.time('look up a URL that is not in', negative, 'wary BloomFilter', fastest(negative, peers), { most: 0.6 })
  bench.time('look up a URL that is not in', negative, 'wary BloomFilter', 'Set')
  for (const { name, filter } of askers) {
    if (name === 'Set') continue
    const wrong = count(strangers, (key) => filter.has(key)) / KEYS
    bench.row(`false positives of ${name}`, wrong, 'of 1', 'the rate asked for', RATE, name === 'wary BloomFilter' ? { most: 1.1 } : {})
  }
}

function fastest(figures: ReadonlyMap<string, number>, names: readonly string[]): string {
  return names.reduce((best, name) => ((figures.get(name) ?? 0) < (figures.get(best) ?? 0) ? name : best))
}

interface Asked {
  add(key: string): unknown
  has(key: string): boolean
}

function filled<F extends { add(key: string): unknown }>(filter: F, keys: readonly string[]): F {
  for (const key of keys) filter.add(key)
  return filter
}

function count(keys: readonly string[], asks: (key: string) => boolean): number {
  let found = 0
  for (const key of keys) if (asks(key)) found++
  return found
}

function opening(bench: Bench, keys: readonly string[]): void {
  const file = filled(BloomFilter.create({ capacity: KEYS, rate: RATE }), keys).toBytes()
  const { bits, hashes } = textbookSize(KEYS, RATE)
  const json = JSON.stringify([...filled(new Bloomfilter(bits, hashes), keys).buckets])
  const figures = bench.compare(
    [
      { name: 'open', run: () => BloomFilter.fromBytes(file).count },
      { name: 'verify', run: () => BloomFilter.verified(file).count },
      { name: 'JSON of bloomfilter 1.1.0', run: () => new Bloomfilter(JSON.parse(json), hashes).buckets.length },
    ],
    { things: 1 },
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

function deletable(bench: Bench, keys: readonly string[], strangers: readonly string[]): void {
  const kinds = {
    'wary CuckooFilter': () => CuckooFilter.create({ capacity: FEW, rate: RATE }),
    'wary QuotientFilter': () => QuotientFilter.create({ capacity: FEW, rate: RATE }),
  }
  const jobs = ['add', 'look up', 'delete'] as const
  const times = new Map<string, number>()
  for (const job of jobs) {
    const ours = Object.entries(kinds).map(([name, make]) => ({
      name,
      run: () => ourJob(job, filled(make(), keys), make(), keys, strangers),
    }))
    const peer = () => peerJob(job, keys, strangers)
    for (const [name, time] of bench.compare([...ours, { name: 'bloom-filters 3.0.4', run: peer }], { things: FEW, rounds: 3 }))
      times.set(`${job} ${name}`, time)
  }
  for (const job of jobs) {
    const figures = new Map([...times].map(([name, time]) => [name.replace(`${job} `, ''), time]))
    bench.time(`cuckoo filter: ${job}, with filling`, figures, 'wary CuckooFilter', 'bloom-filters 3.0.4', { most: 1 / 20 })
    bench.time(`quotient filter: ${job}, with filling`, figures, 'wary QuotientFilter', 'wary CuckooFilter', { most: 2 })
  }
}

type Job = 'add' | 'look up' | 'delete'

function ourJob(
  job: Job,
  full: CuckooFilter | QuotientFilter,
  empty: CuckooFilter | QuotientFilter,
  keys: readonly string[],
  strangers: readonly string[],
): number {
  if (job === 'add') return filled(empty, keys).count
  if (job === 'look up') return count(strangers, (key) => full.mightContain(key))
  return count(keys, (key) => full.delete(key))
}

function peerJob(job: Job, keys: readonly string[], strangers: readonly string[]): number {
  const peer = BloomFilters.CuckooFilter.create(FEW * 1.1, RATE)
  for (const key of keys) peer.add(key)
  if (job === 'look up') return count(strangers, (key) => peer.has(key))
  if (job === 'delete') return count(keys, (key) => peer.remove(key))
  return peer.length
}
