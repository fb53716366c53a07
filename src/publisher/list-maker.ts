import { createHash } from 'node:crypto'
import { WaryError } from '../errors.ts'
import type { FeedItem, FeedReject } from '../feeds/feed.ts'
import { fullHash } from '../hash/full-hash.ts'
import { encodeFilterState } from '../lists/filter-state.ts'
import { type EntryLength, HashList } from '../lists/hash-list.ts'
import type { ListUpdate } from '../lists/list-update.ts'
import { encodeListState } from '../lists/signed-state.ts'
import { TEST_ENTRIES } from '../lists/test-entries.ts'
import { encodeHashList } from '../protocol/hash-list-message.ts'
import { encodeSignedState } from '../protocol/signed-state-message.ts'
import { LIST_STEMS } from '../protocol/threat-type.ts'
import { PSL_VERSION } from '../url/public-suffix.ts'
import { FullHashCollection } from './full-hash-file.ts'
import type { Signer } from './key-file.ts'
import { type DeltaSizes, deltaSizes, type Keeping, makeDeltas } from './list-deltas.ts'
import { makeFilter } from './list-filter.ts'
import { editionName, type PublishedBases } from './published-bases.ts'
import type { ManifestList } from './published-manifest.ts'

/** Above this many entries, four bytes collide too often with pages that are not listed (docs/protocol.md, "Entry length"). */
const MOST_SHORT_ENTRIES = 100_000
/** Below this many, a list of long entries gets short ones again: one that goes up and down around the border would else begin anew each time. */
const FEWEST_LONG_ENTRIES = 80_000

/** One moment of publishing; all lists of it share these. Times are milliseconds since 1970. */
export interface Edition {
  readonly epoch: number
  readonly sequence: number
  readonly issuedAt: number
  readonly expiresAt: number
}

export interface ListFeed {
  /** For people. */
  readonly name: string
  readonly items: Iterable<FeedItem>
}

export interface ListPlan extends Keeping {
  readonly stem: string
  readonly feeds: readonly ListFeed[]
  readonly edition: Edition
  readonly key: Signer
  /** Where former versions are kept. */
  readonly bases: PublishedBases
  /** Default 5 minutes. */
  readonly minimumWaitMs?: number
  /** Default 0.001. */
  readonly filterRate?: number
  readonly onProgress: (step: string) => void
}

/** What became of one feed. */
export interface ReadFeed {
  readonly name: string
  /** Entries of the feed, repeats included. */
  readonly accepted: number
  /** Of these, how many the list had by then: repeats, and what other feeds or the test entries list as well. */
  readonly repeated: number
  readonly rejects: readonly FeedReject[]
}

export interface PublishedList {
  readonly name: string
  readonly entries: number
  readonly entryLength: EntryLength
  /** Sizes of the list's files. */
  readonly listBytes: number
  readonly fullHashBytes: number
  readonly filterBytes: number
  /** From each former version that is kept, newest first. */
  readonly deltas: readonly DeltaSizes[]
  readonly feeds: readonly ReadFeed[]
}

export interface MadeList {
  readonly list: PublishedList
  /** What the version's manifest says of it. */
  readonly about: ManifestList
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly warnings: readonly string[]
}

/**
 * A signed list of feeds, with the test entries in it, as the files of a published version: whole, and as what changes from each version
 * that clients may still hold.
 * @throws {WaryError} `feed-format`, or `publish-failed` for a stem that is not known
 */
export function makeList(plan: ListPlan): MadeList {
  const { stem, edition, key, minimumWaitMs = 5 * 60_000, filterRate = 1e-3, onProgress } = plan
  const { hashes, feeds } = gather(plan)
  const fullHashes = hashes.toBytes()
  const entryLength = entryLengthOf(stem, hashes.count, plan.bases)
  const name = `${stem}-${entryLength}b`
  onProgress(`building ${name} with ${hashes.count} full hashes`)
  const version = new TextEncoder().encode(editionName(edition))
  const list = HashList.fromUnsorted({ name, version, entryLength, entries: hashes.entries(entryLength) })
  const checksum = list.checksum()
  const state = { ...edition, name, entryCount: list.count, entryLength, checksum, pslVersion: PSL_VERSION }
  const full: ListUpdate = {
    name,
    version,
    partial: false,
    additions: { entryLength, entries: list.entries },
    removals: undefined,
    checksum,
    minimumWaitMs,
    signed: key.signed(encodeListState(state)),
  }
  const hashList = encodeHashList(full)

  const { counting, bloom, warnings } = makeFilter(list, filterRate, plan.bases)
  const filter = bloom.toBytes()
  if (plan.bases.versions(name).length > 0) onProgress(`comparing ${name} with former versions`)
  const deltas = makeDeltas({ ...plan, list, full, fullBytes: hashList.length, filter: bloom, issuedAt: edition.issuedAt })
  const filterState = encodeFilterState({
    ...edition,
    name,
    entryCount: list.count,
    byteLength: filter.length,
    checksum: new Uint8Array(createHash('sha256').update(filter).digest()),
  })
  return {
    list: {
      name,
      entries: list.count,
      entryLength,
      listBytes: hashList.length,
      fullHashBytes: fullHashes.length,
      filterBytes: filter.length,
      deltas: deltas.bases.map((base) => deltaSizes(name, base, deltas.files)),
      feeds,
    },
    about: { name, entries: list.count, bases: deltas.bases },
    warnings: [...warnings, ...deltas.warnings],
    files: new Map([
      [`${name}.hashlist`, hashList],
      [`${name}.fullhashes`, fullHashes],
      [`${name}.filter`, filter],
      [`${name}.filter.state`, encodeSignedState(key.signed(filterState))],
      ...deltas.files,
      [`${name}.counting`, counting.toBytes()],
    ]),
  }
}

/** Lists of the other length have another name, and no delta leads from one to the other. */
function entryLengthOf(stem: string, count: number, bases: PublishedBases): EntryLength {
  const long = bases.versions(`${stem}-8b`).length > 0 && count >= FEWEST_LONG_ENTRIES
  return long || count > MOST_SHORT_ENTRIES ? 8 : 4
}

function gather({ stem, feeds, onProgress }: ListPlan): { readonly hashes: FullHashCollection; readonly feeds: readonly ReadFeed[] } {
  const about = Object.hasOwn(LIST_STEMS, stem) ? LIST_STEMS[stem] : undefined
  if (about === undefined) throw new WaryError('publish-failed', `there is no list ${stem}: choose ${Object.keys(LIST_STEMS).join(', ')}`)
  const hashes = new FullHashCollection()
  for (const { expression, threatType } of TEST_ENTRIES) hashes.add(fullHash(expression), threatType)
  const read = feeds.map(({ name, items }): ReadFeed => {
    onProgress(`reading ${name}`)
    const rejects: FeedReject[] = []
    let accepted = 0
    let repeated = 0
    for (const item of items) {
      if ('reject' in item) {
        rejects.push(item.reject)
        continue
      }
      accepted++
      if (!hashes.add(fullHash(item.entry.expression), item.entry.threatType ?? about)) repeated++
    }
    return { name, accepted, repeated, rejects }
  })
  return { hashes, feeds: read }
}
