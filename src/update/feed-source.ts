import { concatBytes } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import type { FeedItem, FeedReject } from '../feeds/feed.ts'
import { fullHash } from '../hash/full-hash.ts'
import { HashList, type HashListParts, sortEntries } from '../lists/hash-list.ts'
import type { Clock, Fetch } from '../ports.ts'
import { download } from '../protocol/download.ts'
import { LIST_STEMS, type ThreatType } from '../protocol/threat-type.ts'
import { buildFilter } from './filter-building.ts'
import { inSlices, nextTask, type Pause } from './in-slices.ts'
import type { Acquired, Acquisition, ListSource } from './source.ts'
import { heldList } from './wary-source.ts'

const LONGEST_FEED_BYTES = 32 * 1024 * 1024
const TIMEOUT_MS = 120_000
const IDLE_TIMEOUT_MS = 20_000
/** Nobody asked this web space whether it wants to be read every few minutes. */
const SHORTEST_WAIT_MS = 60 * 60 * 1000
/** A navigation that comes meanwhile waits about this long, in milliseconds. */
const SLICE_MS = 10
const LINES_A_LOOK = 64
const HASH_BYTES = 32
const SHOWN_REJECTS = 3

export interface FeedSourceOptions {
  readonly id: string
  readonly url: string
  /** What its entries are, as far as it does not say itself. */
  readonly threatType: ThreatType
  /** Hosts file, domains, URLs, `||host^`: what a line is shows by itself. */
  readonly read: (text: string) => Iterable<FeedItem>
  readonly fetch: Fetch
  readonly clock: Clock
  readonly filterRate?: number
  readonly pause?: Pause
}

/**
 * A feed as it stands somewhere on the web, read by the extension itself: its entries become full hashes, so that verdicts need no server at
 * all. Whoever can change the file can block pages, and nobody signs it: TLS is all that stands for it.
 */
export class FeedSource implements ListSource {
  readonly id: string
  readonly identity: string
  readonly lists: readonly string[]
  readonly #options: FeedSourceOptions
  readonly #list: string

  constructor(options: FeedSourceOptions) {
    this.#options = options
    this.id = options.id
    this.#list = feedList(options.threatType)
    this.identity = options.url
    this.lists = [this.#list]
  }

  async acquire(acquisition: Acquisition): Promise<Acquired> {
    const { memory, signal, onProgress } = acquisition
    const { url, fetch, clock, filterRate: rate = 1e-3, pause = nextTask } = this.#options
    const held = heldList(acquisition.held, this.#list)
    const etag = held && new TextDecoder().decode(held.list.version)
    let wait = SHORTEST_WAIT_MS
    const answer = await download(url, {
      fetch,
      limitBytes: LONGEST_FEED_BYTES,
      timeoutMs: TIMEOUT_MS,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      signal,
      type: 'text/plain, */*;q=0.5',
      anyType: true,
      ...(etag ? { headers: { 'if-none-match': etag } } : {}),
      onHead: ({ headers }) => {
        wait = Math.max(SHORTEST_WAIT_MS, 1000 * Number(/\bmax-age=(\d{1,6})\b/.exec(headers.get('cache-control') ?? '')?.[1] ?? 0))
      },
      onProgress: (receivedBytes, totalBytes) => onProgress({ phase: 'downloading', receivedBytes, totalBytes }),
    })
    if (answer.status === 304 && held) return { lists: [{ stored: held, change: 'none' }], minimumWaitsMs: [wait], memory }
    if (answer.short) throw new WaryError('http-truncated', 'the feed ended before the length that its server announced')
    onProgress({ phase: 'verifying' })
    const { hashes, rejects } = await this.#hashes(text(answer.bytes), signal, pause)
    if (hashes.length === 0) throw new WaryError('feed-format', `the feed holds nothing that could be listed${said(rejects)}`)
    const parts: HashListParts = {
      name: this.#list,
      version: new TextEncoder().encode(answer.etag ?? ''),
      entryLength: HASH_BYTES,
      entries: await sorted(hashes, signal, pause),
    }
    const list = await inSlices(HashList.checking(parts), { clock, pause, signal })
    onProgress({ phase: 'building' })
    const filter = await buildFilter(list, { rate, clock, pause, signal })
    const remarks = rejects.length === 0 ? [] : [`${rejects.length} lines of the feed list nothing${said(rejects)}`]
    const stored = { source: this.id, list, filter, state: undefined, updatedAt: clock.now() }
    return { lists: [{ stored, change: 'entries' }], minimumWaitsMs: [wait], memory, remarks }
  }

  /** Full hashes in the feed's order, packed. */
  async #hashes(feed: string, signal: AbortSignal, pause: Pause): Promise<{ hashes: Uint8Array; rejects: readonly FeedReject[] }> {
    const { read, clock } = this.#options
    const parts: Uint8Array[] = []
    const rejects: FeedReject[] = []
    let started = clock.now()
    let lines = 0
    for (const item of read(feed)) {
      if ('entry' in item) parts.push(fullHash(item.entry.expression))
      else rejects.push(item.reject)
      if (++lines % LINES_A_LOOK !== 0 || clock.now() - started < SLICE_MS) continue
      await pause()
      signal.throwIfAborted()
      started = clock.now()
    }
    return { hashes: concatBytes(parts), rejects }
  }
}

/** Name of the list that a feed's entries make, such as `se-32b`. */
export function feedList(threatType: ThreatType): string {
  const stem = Object.entries(LIST_STEMS).find(([, type]) => type === threatType)?.[0]
  if (stem === undefined) throw new RangeError(`no list is about ${threatType}`)
  return `${stem}-32b`
}

function text(bytes: Uint8Array): string {
  const feed = new TextDecoder().decode(bytes)
  // What a proxy or a moved page answers in place of the file.
  if (/^\s*(<!doctype html|<html)/i.test(feed)) throw new WaryError('feed-format', 'the address answers with a web page, not with a feed')
  return feed
}

function said(rejects: readonly FeedReject[]): string {
  const some = rejects.slice(0, SHOWN_REJECTS).map(({ line, reason }) => `line ${line}: ${reason}`)
  return some.length === 0 ? '' : ` (${some.join('; ')}${rejects.length > some.length ? '; ...' : ''})`
}

/** Sorted, without repeats, in 256 steps: all at once, a million hashes would hold up a navigation for seconds. */
async function sorted(hashes: Uint8Array, signal: AbortSignal, pause: Pause): Promise<Uint8Array> {
  const counts = new Uint32Array(257)
  for (let at = 0; at < hashes.length; at += HASH_BYTES) raise(counts, (hashes[at] as number) + 1, 1)
  for (let i = 1; i < counts.length; i++) raise(counts, i, counts[i - 1] as number)
  const starts = counts.slice(0, 256)
  const buckets = new Uint8Array(hashes.length)
  for (let at = 0; at < hashes.length; at += HASH_BYTES) {
    const first = hashes[at] as number
    buckets.set(hashes.subarray(at, at + HASH_BYTES), HASH_BYTES * (starts[first] as number))
    raise(starts, first, 1)
  }
  const parts: Uint8Array[] = []
  for (let i = 0; i < 256; i++) {
    parts.push(sortEntries(buckets.subarray(HASH_BYTES * (counts[i] as number), HASH_BYTES * (counts[i + 1] as number)), HASH_BYTES))
    await pause()
    signal.throwIfAborted()
  }
  return concatBytes(parts)
}

function raise(numbers: Uint32Array, at: number, by: number): void {
  numbers[at] = (numbers[at] as number) + by
}
