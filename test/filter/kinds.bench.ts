import type { Bench } from '../../scripts/bench/bench.ts'
import { ownLoop } from '../../scripts/bench/own-loop.ts'
import { BinaryFuseFilter } from '../../src/filter/binary-fuse.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { CountingBloomFilter } from '../../src/filter/counting-bloom.ts'
import { CuckooFilter } from '../../src/filter/cuckoo.ts'
import { PagedBloomFilter } from '../../src/filter/paged-bloom.ts'
import { QuotientFilter } from '../../src/filter/quotient.ts'
import { ScalableBloomFilter } from '../../src/filter/scalable-bloom.ts'
import { SplitBlockBloomFilter } from '../../src/filter/split-block-bloom.ts'
import { generatedUrls, randomEntries } from '../support/generated-urls.ts'

/** What fills 2^20 slots as far as they may be: slots come in powers of two, so any other number would be somebody's worst. */
const KEYS = Math.floor(0.95 * 2 ** 20)
const RATE = 1e-3
const RATES = [1e-1, 3.1623e-2, 1e-2, 3.1623e-3, 1e-3, 3.1623e-4, 1e-4, 3.1623e-5, 1e-5, 3.1623e-6, 1e-6]

interface Filter {
  readonly byteLength?: number
  readonly blocks?: number
}

interface Kind {
  readonly name: string
  readonly make: (rate: number) => Filter
  /** At most so many times log2(1/p) bits a key; absent where theory has no such size. */
  readonly most?: number
  readonly deletes?: true
}

const options = (rate: number) => ({ capacity: KEYS, rate })
/** With 1.1 times the size that theory has for each, as a multiple of log2(1/p). */
const KINDS: readonly Kind[] = [
  { name: 'Bloom', make: (rate) => BloomFilter.create(options(rate)), most: 1.1 / Math.LN2 },
  { name: 'paged Bloom', make: (rate) => PagedBloomFilter.create(options(rate)), most: 1.1 / Math.LN2 },
  { name: 'split-block Bloom', make: (rate) => SplitBlockBloomFilter.create(options(rate)) },
  { name: 'counting Bloom', make: (rate) => CountingBloomFilter.create(options(rate)), most: 4.4 / Math.LN2, deletes: true },
  { name: 'scalable Bloom', make: (rate) => ScalableBloomFilter.create({ capacity: Math.ceil(KEYS / 7), rate }) },
  {
    name: 'cuckoo',
    make: (rate) => CuckooFilter.create(options(rate)),
    most: (1.1 * (Math.log2(1 / RATE) + 3)) / 0.955 / Math.log2(1 / RATE),
    deletes: true,
  },
  {
    name: 'quotient',
    make: (rate) => QuotientFilter.create(options(rate)),
    most: (1.1 * (Math.log2(1 / RATE) + 3)) / 0.95 / Math.log2(1 / RATE),
    deletes: true,
  },
]

const bitsOf = ({ byteLength, blocks }: Filter): number => (byteLength === undefined ? 256 * (blocks ?? Number.NaN) : 8 * byteLength)

/** One table of all kinds: space against the limit, times, and whether they keep their rate. */
export default function measure(bench: Bench): void {
  const keys = generatedUrls(KEYS)
  const strangers = keys.map((key) => key.replace('site', 'else'))
  const limit = Math.log2(1 / RATE)
  for (const { name, make, most, deletes } of KINDS) {
    const add = ownLoop('filter.add(key)')
    const has = ownLoop('filter.mightContain(key)')
    const take = ownLoop('filter.delete(key)')
    let empty: Filter = make(RATE)
    const full = make(RATE)
    add(full, keys)
    let spare: Filter = full
    const figures = bench.compare(
      [
        {
          name: 'add',
          setUp: () => {
            empty = make(RATE)
          },
          run: () => add(empty, keys),
        },
        { name: 'negative', run: () => has(full, strangers) },
        { name: 'positive', run: () => has(full, keys) },
        ...(deletes
          ? [
              {
                name: 'delete',
                setUp: () => {
                  spare = make(RATE)
                  add(spare, keys)
                },
                run: () => take(spare, keys),
              },
            ]
          : []),
      ],
      { things: KEYS, rounds: 3 },
    )
    const bitsPerKey = bitsOf(full) / KEYS
    bench.kind({
      kind: name,
      bitsPerKey,
      limit,
      ...times(figures),
      rate: has(full, strangers) / KEYS,
      target: RATE,
    })
    if (most !== undefined) bench.row(`${name}, a key`, bitsPerKey, 'bits', 'log2(1/p)', limit, { most })
    bench.row(`false positives of ${name}`, has(full, strangers) / KEYS, 'of 1', 'the rate asked for', RATE, { most: 1.1 })
  }
  fuse(bench, keys, strangers)
  exact(bench, keys, strangers)
  curves(bench)
}

function times(figures: ReadonlyMap<string, number>) {
  const time = (name: string): number => figures.get(name) ?? Number.NaN
  return { add: time('add'), negative: time('negative'), positive: time('positive'), delete: figures.get('delete') }
}

/** Made at once of all its keys. */
function fuse(bench: Bench, keys: readonly string[], strangers: readonly string[]): void {
  const has = ownLoop('filter.mightContain(key)')
  const full = BinaryFuseFilter.from(keys, { rate: RATE })
  const figures = bench.compare(
    [
      { name: 'add', run: () => BinaryFuseFilter.from(keys, { rate: RATE }).count },
      { name: 'negative', run: () => has(full, strangers) },
      { name: 'positive', run: () => has(full, keys) },
    ],
    { things: KEYS, rounds: 3 },
  )
  const limit = Math.log2(1 / RATE)
  const bitsPerKey = bitsOf(full) / KEYS
  bench.kind({ kind: 'binary fuse', bitsPerKey, limit, ...times(figures), rate: has(full, strangers) / KEYS, target: RATE })
  bench.row('binary fuse, a key', bitsPerKey, 'bits', 'log2(1/p)', limit, { most: 1.1 * 1.125 })
}

/** What a filter is instead of. */
function exact(bench: Bench, keys: readonly string[], strangers: readonly string[]): void {
  const add = ownLoop('filter.add(key)')
  const has = ownLoop('filter.has(key)')
  const take = ownLoop('filter.delete(key)')
  let set = new Set<string>()
  const full = new Set(keys)
  const figures = bench.compare(
    [
      {
        name: 'add',
        setUp: () => {
          set = new Set()
        },
        run: () => add(set, keys),
      },
      { name: 'negative', run: () => has(full, strangers) },
      { name: 'positive', run: () => has(full, keys) },
      {
        name: 'delete',
        setUp: () => {
          set = new Set(keys)
        },
        run: () => take(set, keys),
      },
    ],
    { things: KEYS, rounds: 3 },
  )
  // Of the table alone: 80 bytes an entry (src/cli/filter-exact-sizes.ts), the texts not counted, which somebody holds anyhow.
  bench.kind({ kind: 'Set of strings', bitsPerKey: 640, limit: Math.log2(1 / RATE), ...times(figures), rate: undefined, target: RATE })
}

function curves(bench: Bench): void {
  const plotted = KINDS.filter(({ name }) => name !== 'counting Bloom' && name !== 'scalable Bloom')
  for (const { name, make } of plotted)
    bench.curve({ kind: name, points: RATES.map((rate) => ({ rate, bitsPerKey: bitsOf(make(rate)) / KEYS })) })
  const hashes = new Int32Array(randomEntries(KEYS, 8).buffer)
  bench.curve({
    kind: 'binary fuse',
    points: RATES.map((rate) => ({ rate, bitsPerKey: bitsOf(BinaryFuseFilter.fromHashes(hashes, { rate })) / KEYS })),
  })
}
