import { bench, describe } from 'vitest'
import { CheckCounters } from '../../src/check/check-counters.ts'
import { FullHashCache } from '../../src/check/full-hash-cache.ts'
import { type CheckContext, UrlChecker } from '../../src/check/url-checker.ts'
import { WaryError } from '../../src/errors.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { HashList } from '../../src/lists/hash-list.ts'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { expressions } from '../../src/url/expressions.ts'
import { FakeClock, MemoryAnswerStore, RecordingLogger, T0 } from '../support/fakes.ts'

/** Read the ratio of the two: how much the whole local check costs beside the hashing that it cannot avoid. */
const ENTRIES = 1_000_000
const ENTRY_LENGTH = 8

function randomEntries(): Uint8Array {
  // xorshift32 with a fixed seed: the same list in every run.
  const words = new Uint32Array((ENTRIES * ENTRY_LENGTH) / 4)
  let x = 0x9e3779b9
  for (let i = 0; i < words.length; i++) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    words[i] = x
  }
  return new Uint8Array(words.buffer)
}

const list = HashList.fromUnsorted({ name: 'se-8b', version: new Uint8Array([1]), entryLength: ENTRY_LENGTH, entries: randomEntries() })
const filter = BloomFilter.create({ capacity: list.count, rate: 1e-3 })
for (let at = 0; at < list.entries.length; at += ENTRY_LENGTH) filter.add(list.entries.subarray(at, at + ENTRY_LENGTH))
const state = {
  name: list.name,
  epoch: 1,
  sequence: 1,
  entryCount: list.count,
  entryLength: ENTRY_LENGTH,
  checksum: list.checksum(),
  pslVersion: '',
  issuedAt: T0,
  expiresAt: T0 + 1e9,
} as const

const clock = new FakeClock()
const counters = new CheckCounters()
const checker = new UrlChecker({
  lists: () => ({ kind: 'lists', lists: [{ list, filter, state, updatedAt: T0 }], source: 'bench', signed: true }),
  allowances: { allows: () => false },
  cache: new FullHashCache({ store: new MemoryAnswerStore(), clock, counters, logger: new RecordingLogger() }),
  search: { search: () => Promise.reject(new WaryError('internal', 'the bench asks nothing')) },
  clock,
  counters,
  onContradiction: () => undefined,
})

/** Of the lengths and depths that people visit: five expressions each on average. */
const urls = Array.from({ length: 512 }, (_, i) => {
  const host = ['', 'www.', 'docs.', 'en.m.'][i % 4] ?? ''
  const path = ['', 'about', 'blog/2026/some-article.html', `search?q=${i}`][(i >> 2) % 4] ?? ''
  return `https://${host}site-${i}.org/${path}`
})
const hashed = urls.map((url) => expressions(canonicalize(url)))
const context: CheckContext = { tabId: 1, frame: false, persist: true }

describe(`check of 512 safe URLs against ${list.count} entries`, () => {
  bench('whole local check', () => {
    for (const url of urls) if (checker.local(url, context).kind !== 'verdict') throw new Error(`a false hit: ${url}`)
  })

  bench('SHA-256 of their expressions alone', () => {
    for (const texts of hashed) for (const text of texts) fullHash(text)
  })
})
