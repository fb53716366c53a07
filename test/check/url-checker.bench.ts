import { sha256 as noble } from '@noble/hashes/sha2.js'
import { BloomFilter as PeerFilter } from 'bloomfilter'
import type { Bench } from '../../scripts/bench/bench.ts'
import { benignUrls } from '../../scripts/bench/feeds.ts'
import { CheckCounters } from '../../src/check/check-counters.ts'
import { FullHashCache } from '../../src/check/full-hash-cache.ts'
import { type CheckContext, UrlChecker } from '../../src/check/url-checker.ts'
import { WaryError } from '../../src/errors.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { addEntries } from '../../src/filter/ready-hash.ts'
import { ExpressionHashes } from '../../src/hash/expression-hashes.ts'
import { sha256 } from '../../src/hash/sha256.ts'
import { HashList } from '../../src/lists/hash-list.ts'
import type { StoredList } from '../../src/ports.ts'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { ExpressionSpans, expressions, MOST_EXPRESSIONS } from '../../src/url/expressions.ts'
import { FakeClock, MemoryAnswerStore, RecordingLogger, T0 } from '../support/fakes.ts'
import { generatedUrls, randomEntries } from '../support/generated-urls.ts'

const MILLION = 1_000_000
const RATE = 1e-3
const context: CheckContext = { tabId: 1, frame: false, persist: true }

/**
 * The whole local check, from the browser's href to the answer "no", of every URL in turn: against the hashing alone that it cannot avoid, and
 * against the way in which one would write it down at first.
 */
export default function measure(bench: Bench): void {
  const urls = (benignUrls() ?? generatedUrls(192_000)).filter((_, i) => i % 4 === 0)
  const million = storedList(MILLION)
  const small = checkerOf([million])
  const large = checkerOf([storedList(10 * MILLION)])

  const spans = urls.map((href) => {
    const url = canonicalize(href)
    const parts = new ExpressionSpans()
    parts.set(url)
    return { text: url.source, parts }
  })
  const bytes = urls.map((href) => expressions(canonicalize(href)).map((text) => new TextEncoder().encode(text)))
  const hashes = new ExpressionHashes(MOST_EXPRESSIONS)
  const plain = plainWay(million.list)

  const figures = bench.compare(
    [
      { name: 'whole check, 1M entries', run: () => unsafe(urls, small) },
      { name: 'whole check, 10M entries', run: () => unsafe(urls, large) },
      {
        name: 'its SHA-256 alone',
        run: () => {
          for (const { text, parts } of spans) hashes.hash(text, parts)
        },
      },
      {
        name: 'SHA-256 alone by @noble/hashes',
        run: () => {
          for (const texts of bytes) for (const text of texts) noble(text)
        },
      },
      { name: 'the plain way, bloomfilter 1.1.0', run: () => urls.filter(plain).length },
    ],
    { things: urls.length },
  )
  bench.time('check of one safe URL, 1M entries', figures, 'whole check, 1M entries', 'its SHA-256 alone', { most: 1.3 })
  bench.time('the same', figures, 'whole check, 1M entries', 'the plain way, bloomfilter 1.1.0', { most: 0.45 })
  bench.time('check of one safe URL, 10M entries', figures, 'whole check, 10M entries', 'whole check, 1M entries', { most: 1.5 })
  sha256Of40Bytes(bench)
  bench.time('SHA-256 of its expressions', figures, 'its SHA-256 alone', 'SHA-256 alone by @noble/hashes')
}

function sha256Of40Bytes(bench: Bench): void {
  const messages = Array.from({ length: 10_000 }, (_, i) => Uint8Array.from({ length: 40 }, (_, j) => 0x61 + ((i * 7 + j * 11) % 26)))
  const words = new Int32Array(8)
  const figures = bench.compare(
    [
      {
        name: 'ours',
        run: () => {
          for (const message of messages) sha256(message, 0, 40, words, 0)
        },
      },
      {
        name: '@noble/hashes',
        run: () => {
          for (const message of messages) noble(message)
        },
      },
    ],
    { things: messages.length, rounds: 25 },
  )
  bench.time('SHA-256 of 40 bytes', figures, 'ours', '@noble/hashes', { most: 0.5 })
}

function unsafe(urls: readonly string[], checker: UrlChecker): number {
  let count = 0
  for (const url of urls) {
    const answer = checker.local(url, context)
    if (answer.kind !== 'verdict' || answer.verdict.kind !== 'safe') count++
  }
  return count
}

function storedList(count: number): StoredList & { readonly list: HashList } {
  const entryLength = 8
  const list = HashList.fromUnsorted({
    name: 'se-8b',
    version: new Uint8Array([1]),
    entryLength,
    entries: randomEntries(count, entryLength),
  })
  const filter = BloomFilter.create({ capacity: list.count, rate: RATE })
  addEntries(filter, list.entries, entryLength)
  const checksum = new Uint8Array(32)
  const state = {
    name: list.name,
    epoch: 1,
    sequence: 1,
    entryCount: list.count,
    entryLength,
    checksum,
    pslVersion: '',
    issuedAt: T0,
    expiresAt: T0 + 1e9,
  } as const
  return { source: 'bench', list, filter, state, updatedAt: T0 }
}

function checkerOf(lists: readonly StoredList[]): UrlChecker {
  const clock = new FakeClock()
  const counters = new CheckCounters()
  return new UrlChecker({
    lists: () => ({ kind: 'lists', lists }),
    allowances: { allows: () => false },
    cache: new FullHashCache({ store: new MemoryAnswerStore(), clock, counters, logger: new RecordingLogger() }),
    search: { search: () => Promise.reject(new WaryError('internal', 'the bench asks nothing')) },
    clock,
    counters,
    onContradiction: () => undefined,
  })
}

/** The URL parser, an array of strings, one call of a hash library each, and a popular filter that takes strings. */
function plainWay(list: HashList): (href: string) => boolean {
  const { bits, hashes } = BloomFilter.create({ capacity: list.count, rate: RATE })
  const filter = new PeerFilter(bits, hashes)
  const key = (bytes: Uint8Array): string => String.fromCharCode(...bytes)
  for (let at = 0; at < list.entries.length; at += list.entryLength) filter.add(key(list.entries.subarray(at, at + list.entryLength)))
  const encoder = new TextEncoder()
  return (href) => {
    const { hostname, pathname, search } = new URL(href)
    const labels = hostname.split('.')
    const hosts = new Set([hostname])
    for (let i = Math.max(0, labels.length - 5); i < labels.length - 1; i++) hosts.add(labels.slice(i).join('.'))
    const paths = new Set([pathname + search, pathname])
    const segments = pathname.split('/')
    for (let i = 1; i < Math.min(segments.length, 5); i++) paths.add(`${segments.slice(0, i).join('/')}/`)
    for (const host of hosts) {
      for (const path of paths) if (filter.test(key(noble(encoder.encode(host + path)).subarray(0, list.entryLength)))) return true
    }
    return false
  }
}
