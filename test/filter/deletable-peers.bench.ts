import BloomFilters from 'bloom-filters'
import type { Bench } from '../../scripts/bench/bench.ts'
import { ownLoop } from '../../scripts/bench/own-loop.ts'
import { CountingBloomFilter } from '../../src/filter/counting-bloom.ts'
import { CuckooFilter } from '../../src/filter/cuckoo.ts'
import { QuotientFilter } from '../../src/filter/quotient.ts'
import { ScalableBloomFilter } from '../../src/filter/scalable-bloom.ts'
import { generatedUrls } from '../support/generated-urls.ts'

/** bloom-filters takes 10 microseconds and more for a key, so few; what fills 2^14 slots as far as they may be. */
const FEW = Math.floor(0.95 * 2 ** 14)
const RATE = 1e-3
/** Ours does the work so many times over: a run of a millisecond would measure the machine's other work. */
const TIMES = 20
/** Filters that the quotient filter is held against its rival with. */
const MANY = Math.floor(0.95 * 2 ** 20)

interface Side {
  readonly name: string
  readonly make: () => unknown
  readonly has: string
  readonly take?: string
}

const sides = (capacity: number) => ({
  cuckoo: {
    name: 'wary CuckooFilter',
    make: () => CuckooFilter.create({ capacity, rate: RATE }),
    has: 'filter.mightContain(key)',
    take: 'filter.delete(key)',
  },
  quotient: {
    name: 'wary QuotientFilter',
    make: () => QuotientFilter.create({ capacity, rate: RATE }),
    has: 'filter.mightContain(key)',
    take: 'filter.delete(key)',
  },
  counting: {
    name: 'wary CountingBloomFilter',
    make: () => CountingBloomFilter.create({ capacity, rate: RATE }),
    has: 'filter.mightContain(key)',
    take: 'filter.delete(key)',
  },
  scalable: {
    name: 'wary ScalableBloomFilter',
    make: () => ScalableBloomFilter.create({ capacity: Math.ceil(capacity / 7), rate: RATE }),
    has: 'filter.mightContain(key)',
  },
})

/** Kinds that change: each operation by itself, warm, the filling not counted; against the one package that has them all. */
export default function measure(bench: Bench): void {
  const keys = generatedUrls(FEW)
  const strangers = keys.map((key) => key.replace('site', 'else'))
  const few = sides(FEW)
  const asked = { most: 1 / 20 }
  const cuckoo: Side = {
    name: 'bloom-filters 3.0.4',
    make: () => BloomFilters.CuckooFilter.create(FEW * 1.1, RATE),
    has: 'filter.has(key)',
    take: 'filter.remove(key)',
  }
  const counting: Side = {
    name: 'bloom-filters 3.0.4',
    make: () => BloomFilters.CountingBloomFilter.create(FEW, RATE),
    has: 'filter.has(key)',
    take: 'filter.remove(key)',
  }
  const scalable: Side = {
    name: 'bloom-filters 3.0.4',
    make: () => BloomFilters.ScalableBloomFilter.create(Math.ceil(FEW / 7), RATE, 0.5),
    has: 'filter.has(key)',
  }
  compared(bench, 'cuckoo', few.cuckoo, cuckoo, keys, strangers, asked)
  compared(bench, 'counting Bloom', few.counting, counting, keys, strangers, asked)
  compared(bench, 'scalable Bloom', few.scalable, scalable, keys, strangers, asked)
  const all = generatedUrls(MANY)
  const none = all.map((key) => key.replace('site', 'else'))
  const large = sides(MANY)
  compared(bench, 'quotient', large.quotient, large.cuckoo, all, none, { most: 2 })
}

function compared(
  bench: Bench,
  kind: string,
  ours: Side,
  theirs: Side,
  keys: readonly string[],
  strangers: readonly string[],
  limit: { readonly most: number },
): void {
  const same = keys.length > FEW
  const players = [
    { ...player(ours), times: same ? 1 : TIMES },
    { ...player(theirs), times: 1 },
  ]
  const jobs = ['add', 'look up a stranger', 'look up a member', ...(ours.take && theirs.take ? ['delete'] : [])] as const
  for (const job of jobs) {
    const figures = bench.compare(
      players.map(({ name, make, add, has, take, times }) => {
        let filters: unknown[] = []
        const full = make()
        add(full, keys)
        return {
          name,
          setUp: () => {
            filters = job === 'add' || job === 'delete' ? Array.from({ length: times }, make) : []
            if (job === 'delete') for (const filter of filters) add(filter, keys)
          },
          run: () => {
            for (let i = 0; i < times; i++) {
              if (job === 'add') add(filters[i], keys)
              else if (job === 'delete') take(filters[i], keys)
              else has(full, job === 'look up a member' ? keys : strangers)
            }
          },
        }
      }),
      { things: keys.length, rounds: 3 },
    )
    const each = new Map(players.map(({ name, times }) => [name, (figures.get(name) ?? Number.NaN) / times]))
    bench.time(`${kind}: ${job}`, each, ours.name, theirs.name, limit)
  }
}

function player({ name, make, has, take = 'false' }: Side) {
  return { name, make, add: ownLoop('filter.add(key)'), has: ownLoop(has), take: ownLoop(take) }
}
