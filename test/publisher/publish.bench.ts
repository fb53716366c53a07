import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Bench } from '../../scripts/bench/bench.ts'
import type { FeedItem } from '../../src/feeds/feed.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { HashList } from '../../src/lists/hash-list.ts'
import { encodeListState } from '../../src/lists/signed-state.ts'
import { TEST_ENTRIES } from '../../src/lists/test-entries.ts'
import { encodeHashList } from '../../src/protocol/hash-list-message.ts'
import { realFileSystem } from '../../src/publisher/file-system.ts'
import { SigningKey } from '../../src/publisher/key-file.ts'
import { makeFilter } from '../../src/publisher/list-filter.ts'
import { publish } from '../../src/publisher/publish.ts'
import { PublishedBases } from '../../src/publisher/published-bases.ts'
import { PublishedFolder } from '../../src/publisher/published-folder.ts'
import type { PublishedManifest } from '../../src/publisher/published-manifest.ts'
import { PublishedStore } from '../../src/server/published-store.ts'

const T0 = Date.UTC(2026, 0, 1)
const COUNT = 1_000_000
/** Entries that go, and as many that come, from one version to the next. */
const STEP = 1000
const BASES = 32
const NAME = 'se-8b'

/** One publish of a million entries: with nothing kept, with one former version, with 32; and what a server needs to load them. */
export default async function measure(bench: Bench): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wary-bench-'))
  try {
    const key = new SigningKey(generateKeyPairSync('ed25519').privateKey)
    const [none, one, all] = [join(folder, 'none'), join(folder, 'one'), join(folder, 'all')]
    keep(new PublishedBases(all, realFileSystem), key)
    cpSync(all, one, { recursive: true })
    const alone = await timed(none, key, 0)
    const fromOne = await timed(one, key, 1)
    const fromAll = await timed(all, key, BASES)
    bench.row('publish 1M entries of 8 bytes, nothing kept', alone, 'ms', 'itself', alone)
    bench.row('publish 1M entries of 8 bytes, deltas from one version', fromOne, 'ms', 'nothing kept', alone)
    bench.row(`publish 1M entries of 8 bytes, deltas from ${BASES} versions`, fromAll, 'ms', 'nothing kept', alone)
    bench.row('each further version', (fromAll - fromOne) / (BASES - 1), 'ms', 'nothing kept', alone)
    const store = new PublishedStore({ folder: new PublishedFolder(all), logger: { info: () => undefined, warn: () => undefined } })
    const began = performance.now()
    store.reload()
    if (store.failure) throw store.failure
    bench.row(`a server loads it, with ${BASES} deltas of list and filter`, performance.now() - began, 'ms', 'nothing kept', alone)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Milliseconds of a publish that has deltas from `versions` former ones, none of them left out. */
async function timed(dataFolder: string, key: SigningKey, versions: number): Promise<number> {
  const feeds = [{ name: 'bench', items: items(BASES + 1) }]
  const clock = { now: () => T0 }
  const began = performance.now()
  const { warnings, version } = await publish({ dataFolder, key, clock, lists: [{ stem: 'se', feeds }], epoch: 2, keepVersions: versions })
  const ms = performance.now() - began
  const [list] = new PublishedFolder(dataFolder).manifest(version).lists
  const made = list?.bases?.filter((base) => base.list && base.filter).length
  if (warnings.length > 0 || list?.name !== NAME || made !== versions)
    throw new Error(`not what was to be measured: ${list?.name}, ${made} deltas, ${warnings.join(', ')}`)
  return ms
}

function* expressions(version: number): Generator<string> {
  for (let i = 0; i < COUNT; i++) yield `host${version * STEP + i}.example/`
}

function* items(version: number): Generator<FeedItem> {
  let line = 0
  for (const expression of expressions(version)) yield { entry: { expression, threatType: undefined, line: ++line } }
}

/** Copies of 32 versions, as if they had been published: reading feeds 32 times over is not what is measured. */
function keep(bases: PublishedBases, key: SigningKey): void {
  const hashes = new Uint8Array((COUNT + BASES * STEP) * 8)
  for (let i = 0; i < hashes.length / 8; i++) hashes.set(fullHash(`host${i + STEP}.example/`).subarray(0, 8), 8 * i)
  const tests = TEST_ENTRIES.map(({ expression }) => fullHash(expression).subarray(0, 8))
  for (let sequence = 1; sequence <= BASES; sequence++) {
    const entries = new Uint8Array((COUNT + tests.length) * 8)
    entries.set(hashes.subarray((sequence - 1) * STEP * 8, ((sequence - 1) * STEP + COUNT) * 8))
    for (const [i, hash] of tests.entries()) entries.set(hash, (COUNT + i) * 8)
    const version = new TextEncoder().encode(`1.${sequence}`)
    const list = HashList.fromUnsorted({ name: NAME, version, entryLength: 8, entries })
    const checksum = list.checksum()
    const edition = { epoch: 1, sequence, issuedAt: T0, expiresAt: T0 + 86_400_000 }
    const state = { ...edition, name: NAME, entryCount: list.count, entryLength: 8 as const, checksum, pslVersion: 'bench' }
    const bytes = encodeHashList({
      name: NAME,
      version,
      partial: false,
      additions: { entryLength: 8, entries: list.entries },
      removals: undefined,
      checksum,
      minimumWaitMs: 300_000,
      signed: key.signed(encodeListState(state)),
    })
    const { counting, bloom } = makeFilter(list, 1e-3, bases)
    const files = new Map([
      [`${NAME}.hashlist`, bytes],
      [`${NAME}.filter`, bloom.toBytes()],
    ])
    if (sequence === BASES) files.set(`${NAME}.counting`, counting.toBytes())
    const manifest: PublishedManifest = { format: 1, ...edition, publicKey: '', keyId: '', lists: [{ name: NAME, entries: list.count }] }
    bases.put(manifest, files)
  }
}
