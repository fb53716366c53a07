import { concatBytes } from '../bytes.ts'
import { type HashPrefix, hashPrefix, prefixBytes } from '../hash/hash-prefix.ts'
import { sha256Bytes } from '../hash/sha256.ts'
import { HashList } from '../lists/hash-list.ts'
import type { StoredList } from '../ports.ts'

/** More would cost the server and hide little more. */
export const MOST_DECOYS = 8
const SPACE = 2 ** 32
/** A point counts within a 64th of the mean distance between entries: one point in 64 does, and one entry in 64 has a nearer neighbour. */
const NARROWING = 64
const POINTS_A_HASH = 8
/** Eight decoys take 64 hashes on average; what is not found in four times as many is a list with hardly more entries than that. */
const MOST_HASHES = 256

export interface DecoysOptions {
  /** 32 random bytes that this device alone knows and keeps. Never rejects. */
  readonly key: () => Promise<Uint8Array>
  /** Decoys for each question, 0 to MOST_DECOYS. */
  readonly count: () => number
  readonly lists: () => readonly StoredList[] | Promise<readonly StoredList[]>
}

/**
 * Prefixes that are asked about beside the one that was hit, so that the server has to guess which it was (design, "Privacy rules"). They
 * are entries of the lists, as every real question is, and always the same for the same prefix: fresh ones at every visit would leave the
 * real one as the only one that returns. A secret of the device chooses, because with a public rule the server could tell the one prefix
 * whose decoys the others are.
 *
 * What is chosen is a point of the hash space and the entry behind it, so that an update changes few choices. But the entry must be near:
 * where any distance will do, entries behind wide gaps are chosen more often, and the one behind the narrowest gap is the real one far too
 * often (of four prefixes, in 55 of 100 cases instead of 25; within a 64th of the mean gap it is 25.6).
 */
export class Decoys {
  readonly #options: DecoysOptions

  constructor(options: DecoysOptions) {
    this.#options = options
  }

  /**
   * The prefixes to ask about, `prefix` among them, in an order that says nothing of which it is: ascending. Fewer than `count` others only
   * where the lists have no more.
   */
  async around(prefix: HashPrefix): Promise<readonly HashPrefix[]> {
    const count = Math.min(this.#options.count(), MOST_DECOYS)
    // Full-length entries need no question (UrlChecker), so who asks about one gives a decoy away; a filter alone has no entries to choose from.
    if (count === 0) return [prefix]
    const lists = (await this.#options.lists()).flatMap(({ list }) =>
      list instanceof HashList && list.count > 0 && list.entryLength < 32 ? [list] : [],
    )
    if (lists.length === 0) return [prefix]
    return [...chosen(prefix, count, lists, await this.#options.key())].sort((a, b) => a - b)
  }
}

function chosen(prefix: HashPrefix, count: number, lists: readonly HashList[], key: Uint8Array): ReadonlySet<HashPrefix> {
  const all = new Set([prefix])
  const entries = lists.reduce((sum, list) => sum + list.count, 0)
  const nearness = Math.max(1, SPACE / (NARROWING * entries))
  for (let i = 0; i < MOST_HASHES; i++) {
    for (const point of points(key, prefix, i)) {
      const entry = entryFrom(point, lists)
      if (distance(point, entry) < nearness) all.add(entry)
      if (all.size > count) return all
    }
  }
  // Hardly more entries than decoys, so that nearly every one is taken anyway, in whatever way.
  for (const point of points(key, prefix, MOST_HASHES)) {
    let entry = entryFrom(point, lists)
    for (let step = all.size; step > 0 && all.has(entry); step--) entry = entryFrom((entry + 1) >>> 0, lists)
    all.add(entry)
    if (all.size > count) break
  }
  return all
}

/** Number `i` of a sequence of eight points each. Secret and question have one length always, so a plain hash of both is a keyed one. */
function points(key: Uint8Array, prefix: HashPrefix, i: number): readonly number[] {
  const hash = sha256Bytes(concatBytes([key, prefixBytes(prefix), Uint8Array.of(i >>> 8, i)]))
  const view = new DataView(hash.buffer)
  return Array.from({ length: POINTS_A_HASH }, (_, n) => view.getUint32(4 * n))
}

/** The prefix of the first entry of any list at or after `point`; after the last comes the first. */
function entryFrom(point: number, lists: readonly HashList[]): HashPrefix {
  const wanted = new Uint8Array(32)
  new DataView(wanted.buffer).setUint32(0, point)
  const found = lists.map((list) => {
    const place = list.lowerBound(wanted, 0, 0, list.entries.length)
    const start = place === list.entries.length ? 0 : place
    return hashPrefix(list.entries.subarray(start, start + 4))
  })
  return found.reduce((nearest, each) => (distance(point, each) < distance(point, nearest) ? each : nearest))
}

/** How far behind `point` the entry is, around the end of the space. */
function distance(point: number, entry: HashPrefix): number {
  return (entry - point) >>> 0
}
