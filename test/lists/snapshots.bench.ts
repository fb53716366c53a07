import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from '../../scripts/bench/bench.ts'
import { feedLines } from '../../scripts/bench/feeds.ts'
import { readPlain } from '../../src/feeds/plain.ts'
import { bloomDelta } from '../../src/filter/bloom-delta.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import { listDelta } from '../../src/lists/list-delta.ts'
import { applyUpdate } from '../../src/lists/list-update.ts'
import { decodeBatch, encodeHashList } from '../../src/protocol/hash-list-message.ts'
import { batchPath, filterPath } from '../../src/protocol/paths.ts'
import { realFileSystem } from '../../src/publisher/file-system.ts'
import { SigningKey } from '../../src/publisher/key-file.ts'
import { makeFilter } from '../../src/publisher/list-filter.ts'
import { publish } from '../../src/publisher/publish.ts'
import { PublishedBases } from '../../src/publisher/published-bases.ts'
import { PublishedFolder } from '../../src/publisher/published-folder.ts'
import { createApp } from '../../src/server/app.ts'
import { PublishedStore } from '../../src/server/published-store.ts'
import { randomEntries } from '../support/generated-urls.ts'

const T0 = Date.UTC(2026, 0, 1)
const silent = { info: () => undefined, warn: () => undefined }

interface Snapshots {
  readonly feed: string
  /** Oldest first. */
  readonly files: readonly string[]
  readonly addresses: (lines: readonly string[]) => readonly string[]
}

const FEEDS: readonly Snapshots[] = [
  {
    feed: 'Phishing.Database',
    files: ['d7_2026-03-09T2334', 'd1_2026-03-12T0530', 'prev_2026-03-13T0330', 't0_2026-03-13T0530'].map(
      (name) => `phishing-database-domains/${name}.txt.xz`,
    ),
    addresses: (lines) => lines,
  },
  {
    feed: 'polkadot-js/phishing',
    files: ['d30_2026-01-05T0108', 'd7_2026-01-27T1053', 'd1_2026-02-02T1325', 'prev_2026-02-03T2115', 't0_2026-02-03T2016'].map(
      (name) => `polkadot-phishing/${name}.json.xz`,
    ),
    addresses: (lines) => denied(JSON.parse(lines.join('\n'))),
  },
  {
    // There is no nearer pair of it: three months, in which nearly every address has changed.
    feed: 'URLhaus online',
    files: ['urlhaus-csv/urlhaus_csv_online_2025-04-21.csv.xz', 'urlhaus-filter-2025-07-19/urlhaus-filter-wildcard-online.txt'],
    addresses: (lines) => lines.flatMap(hostOf),
  },
]

/** What a client downloads from one snapshot to the next, signatures included, as the real publisher and server make it. */
export default async function measure(bench: Bench): Promise<void> {
  for (const each of FEEDS) await pairs(bench, each)
  for (const entryLength of [4, 8] as const) million(bench, entryLength)
}

async function pairs(bench: Bench, { feed, files, addresses }: Snapshots): Promise<void> {
  const snapshots = files.map((file) => feedLines(file)).flatMap((lines) => (lines ? [addresses(lines)] : []))
  if (snapshots.length < files.length) return
  const folder = mkdtempSync(join(tmpdir(), 'wary-bench-'))
  try {
    const key = new SigningKey(generateKeyPairSync('ed25519').privateKey)
    const store = new PublishedStore({ folder: new PublishedFolder(folder), logger: silent })
    const app = createApp({ store, clock: { now: () => T0 }, logger: silent })
    const body = async (path: string): Promise<Uint8Array> =>
      new Uint8Array(await (await app.fetch(new Request(`http://localhost${path}`))).arrayBuffer())
    let former: HashList | undefined
    for (const [i, snapshot] of snapshots.entries()) {
      const items = readPlain(snapshot.join('\n'))
      const { lists } = await publish({
        dataFolder: folder,
        key,
        clock: { now: () => T0 },
        lists: [{ stem: 'se', feeds: [{ name: feed, items }] }],
      })
      store.reload()
      const name = lists[0]?.name ?? ''
      const whole = await body(batchPath([name], []))
      const [update] = decodeBatch(whole)
      if (update === undefined) throw new Error('no list')
      const list = applyUpdate(undefined, update)
      if (former !== undefined && former.entryLength === list.entryLength) {
        const held = { epoch: 1, sequence: i }
        const delta = await body(batchPath([name], [former.version]))
        const [change] = decodeBatch(delta)
        if (change === undefined || applyUpdate(former, change).count !== list.count) throw new Error('the delta is not the list')
        rows(bench, `${feed} ${i}`, former, list, {
          whole: whole.length,
          delta: delta.length,
          filter: (await body(filterPath(name))).length,
          filterDelta: (await body(filterPath(name, held))).length,
        })
      }
      former = list
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Sizes {
  readonly whole: number
  readonly delta: number
  readonly filter: number
  readonly filterDelta: number
}

function rows(bench: Bench, about: string, from: HashList, to: HashList, sizes: Sizes): void {
  const { removals, additions } = listDelta(from, to)
  const [gone, come] = [removals.length, additions.length / to.entryLength]
  const name = `${about}: ${from.count} entries, ${gone} out, ${come} in`
  const least = leastBytes(from, gone, come)
  bench.row(`${name}: list`, sizes.whole, 'bytes', 'the choice of its entries', bitsOfSet(to.count, 8 * to.entryLength) / 8)
  bench.row(`${name}: delta`, sizes.delta, 'bytes', 'the choice of the changes', Math.max(least, 1))
  bench.row(`${name}: delta`, sizes.delta, 'bytes', 'the whole list', sizes.whole)
  bench.row(`${name}: filter`, sizes.filter, 'bytes', 'the whole list', sizes.whole)
  bench.row(`${name}: filter delta`, sizes.filterDelta, 'bytes', "the list's delta", sizes.delta)
  // A quiet hour of a feed of 141,000 entries.
  if (gone + come <= 4) bench.row(`${name}: delta, at most 400 bytes`, sizes.delta, 'bytes', '400 bytes', 400, { most: 1 })
}

/** 1 % out and 1 % in of a million, without the 150 bytes or so of a signature. */
function million(bench: Bench, entryLength: EntryLength): void {
  const count = 1_000_000
  const changed = count / 100
  const all = randomEntries(count + changed + 1000, entryLength)
  const named = (version: number, entries: Uint8Array): HashList =>
    HashList.fromUnsorted({ name: `se-${entryLength}b`, version: Uint8Array.of(version), entryLength, entries })
  // Random entries in the order in which they were drawn: those at the ends go and come.
  const from = named(1, all.subarray(0, count * entryLength))
  const to = named(2, all.subarray(changed * entryLength, (count + changed) * entryLength))
  const { removals, additions } = listDelta(from, to)
  const update = { name: to.name, version: to.version, partial: true, checksum: to.checksum(), minimumWaitMs: 300_000, signed: undefined }
  const delta = encodeHashList({ ...update, removals, additions: { entryLength, entries: additions } })
  const name = `1M entries of ${entryLength} bytes, 1 % out and 1 % in`
  const least = leastBytes(from, removals.length, additions.length / entryLength)
  if (entryLength === 4) bench.row(`${name}: delta, at most 37 KiB`, delta.length, 'bytes', '37 KiB', 37 * 1024, { most: 1 })
  bench.row(`${name}: delta`, delta.length, 'bytes', 'the choice of the changes', least, { most: 1.04 })
  const whole = encodeHashList({ ...update, partial: false, removals: undefined, additions: { entryLength, entries: to.entries } })
  bench.row(`${name}: delta`, delta.length, 'bytes', `the whole list of ${whole.length} bytes`, whole.length)
  const none = new PublishedBases('/nowhere', realFileSystem)
  const [before, after] = [from, to].map((list) => makeFilter(list, 1e-3, none).bloom)
  if (before === undefined || after === undefined) throw new Error('no filters')
  const bits = bloomDelta(before, after)
  bench.row(`${name}: filter delta`, bits.length, 'bytes', "the list's delta", delta.length)
  bench.row(`${name}: filter delta`, bits.length, 'bytes', `the whole filter of ${after.byteLength} bytes`, after.byteLength)
}

/** Which of the entries go, and which of all possible entries come. */
function leastBytes(from: HashList, gone: number, come: number): number {
  return (bitsOfChoice(from.count, gone) + (come === 0 ? 0 : bitsOfSet(come, 8 * from.entryLength))) / 8
}

/** log2 of n choose k. */
function bitsOfChoice(n: number, k: number): number {
  let bits = 0
  for (let i = 0; i < k; i++) bits += Math.log2((n - i) / (k - i))
  return bits
}

/** log2 of the number of sets of `count` out of 2^bits: what is drawn is next to nothing of all there is. */
function bitsOfSet(count: number, bits: number): number {
  let sum = count * bits
  for (let i = 1; i <= count; i++) sum -= Math.log2(i)
  return sum
}

function denied(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || !('deny' in value) || !Array.isArray(value.deny)) throw new Error('no deny list')
  return value.deny.map(String)
}

/** A URL in the third column of the one file, `*.host` in the other. */
function hostOf(line: string): string[] {
  const url = /^"\d+","[^"]*","([^"]+)"/.exec(line)?.[1]
  if (url !== undefined) return URL.canParse(url) ? [new URL(url).hostname] : []
  const host = /^\*\.([a-z0-9.-]+)$/i.exec(line)?.[1]
  return host === undefined ? [] : [host]
}
