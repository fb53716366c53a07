import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { benignUrls, feedFile } from '../../scripts/bench/feeds.ts'
import { concatBytes } from '../../src/bytes.ts'
import { CheckCounters } from '../../src/check/check-counters.ts'
import { FullHashCache } from '../../src/check/full-hash-cache.ts'
import { UrlChecker } from '../../src/check/url-checker.ts'
import { WaryError } from '../../src/errors.ts'
import { readPlain } from '../../src/feeds/plain.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { addEntries } from '../../src/filter/ready-hash.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { expressions } from '../../src/url/expressions.ts'
import { FakeClock, MemoryAnswerStore, RecordingLogger, T0 } from '../support/fakes.ts'
import { recordFigure } from '../support/figures.ts'

const ENTRIES = 1_000_000
const trails = feedFile('maltrail/trails-static.tar.xz')
const urls = existsSync(trails) ? benignUrls() : undefined

/**
 * How many navigations to well-known pages would ask the server, with a million real entries on the device and nothing in the cache. Needs feeds that
 * are not ours to ship (scripts/bench/feeds.ts).
 */
describe.runIf(urls !== undefined)('share of benign navigations that need a question', () => {
  const hashes = listedHashes()

  it.each([8, 4] as const)('a million real entries of %d bytes', (entryLength) => {
    const list = listOf(hashes, entryLength)
    expect(list.count).toBeGreaterThan(0.99 * ENTRIES)
    const asking = (urls ?? []).filter((url) => asks(list, url))
    // What is listed by its full hash is no collision: somebody's feed names a page that the benign list names too.
    const listed = new Set(hashes.map((hash) => Buffer.from(hash).toString('latin1')))
    const collisions = asking.filter((url) => !isListed(listed, url))
    const share = (100 * asking.length) / (urls?.length ?? 0)
    recordFigure({ name: `benign navigations that ask, 1M entries of ${entryLength} bytes`, value: share, unit: '%' })
    recordFigure({ name: `of them by a collision, ${entryLength} bytes`, value: collisions.length, unit: `of ${urls?.length}` })
    if (entryLength === 8) expect((100 * collisions.length) / (urls?.length ?? 0)).toBeLessThanOrEqual(0.01)
  })
})

/** Full hashes of the first million different domains of the trails. */
function listedHashes(): Uint8Array[] {
  if (!existsSync(trails)) return []
  const text = execFileSync('tar', ['-xJOf', trails, '--wildcards', '*/malware/*', '*/suspicious/*', '*/malicious/*'], {
    maxBuffer: 2 ** 30,
  })
  const domains = new Set<string>()
  for (const item of readPlain(text.toString('utf8'))) {
    if (!('entry' in item) || !/^[^/]*[a-z]\/$/.test(item.entry.expression)) continue
    domains.add(item.entry.expression)
    if (domains.size === ENTRIES) break
  }
  return [...domains].map(fullHash)
}

function listOf(hashes: readonly Uint8Array[], entryLength: EntryLength): HashList {
  const entries = concatBytes(hashes.map((hash) => hash.subarray(0, entryLength)))
  return HashList.fromUnsorted({ name: `se-${entryLength}b`, version: new Uint8Array([1]), entryLength, entries })
}

const checkers = new Map<HashList, UrlChecker>()

/** Whether the device alone has no answer. */
function asks(list: HashList, url: string): boolean {
  const checker = checkers.get(list) ?? checkerOf(list)
  checkers.set(list, checker)
  return checker.local(url, { tabId: 1, frame: false, persist: false }).kind === 'ask'
}

function checkerOf(list: HashList): UrlChecker {
  const filter = BloomFilter.create({ capacity: list.count, rate: 1e-3 })
  addEntries(filter, list.entries, list.entryLength)
  const { name, count: entryCount, entryLength } = list
  const checksum = list.checksum()
  const state = { name, epoch: 1, sequence: 1, entryCount, entryLength, checksum, pslVersion: '', issuedAt: T0, expiresAt: T0 + 1e9 }
  const clock = new FakeClock()
  const counters = new CheckCounters()
  return new UrlChecker({
    lists: () => ({ kind: 'lists', lists: [{ source: 'feeds', list, filter, state, updatedAt: T0 }], source: 'feeds', signed: true }),
    allowances: { allows: () => false },
    cache: new FullHashCache({ store: new MemoryAnswerStore(), clock, counters, logger: new RecordingLogger() }),
    search: { search: () => Promise.reject(new WaryError('internal', 'nothing is asked here')) },
    clock,
    counters,
    onContradiction: () => undefined,
  })
}

function isListed(listed: ReadonlySet<string>, url: string): boolean {
  return expressions(canonicalize(url)).some((expression) => listed.has(Buffer.from(fullHash(expression)).toString('latin1')))
}
