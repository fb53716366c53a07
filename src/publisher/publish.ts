import { createHash } from 'node:crypto'
import { toHex } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import type { FeedItem, FeedReject } from '../feeds/feed.ts'
import { BloomFilter } from '../filter/bloom.ts'
import { fullHash } from '../hash/full-hash.ts'
import { encodeFilterState } from '../lists/filter-state.ts'
import { type EntryLength, HashList } from '../lists/hash-list.ts'
import { encodeListState } from '../lists/signed-state.ts'
import { TEST_ENTRIES } from '../lists/test-entries.ts'
import type { Clock } from '../ports.ts'
import { encodeHashList } from '../protocol/hash-list-message.ts'
import { encodeSignedState } from '../protocol/signed-state-message.ts'
import { LIST_STEMS, type ThreatType } from '../protocol/threat-type.ts'
import { PSL_VERSION } from '../url/public-suffix.ts'
import { addThreatType, encodeFullHashes } from './full-hash-file.ts'
import type { SigningKey } from './key-file.ts'
import { withPublishLock } from './publish-lock.ts'
import { type FileSystem, PublishedFolder } from './published-folder.ts'

/** Above this many entries, four bytes collide too often with pages that are not listed (design section 1). */
const MOST_SHORT_ENTRIES = 100_000
const DAY_MS = 24 * 60 * 60 * 1000

export interface PublishOptions {
  readonly dataFolder: string
  readonly key: SigningKey
  readonly clock: Clock
  /** What goes into which list: `stem` is `se`, `mw`, `uws` or `pha`. */
  readonly lists: readonly {
    readonly stem: string
    readonly feeds: readonly { readonly name: string; readonly items: Iterable<FeedItem> }[]
  }[]
  /** Raised to start anew after a lost sequence number; default: that of the former version, else 1. */
  readonly epoch?: number
  /** Default 7 days. */
  readonly expiresInMs?: number
  /** How long clients are asked to wait between updates; default 5 minutes. */
  readonly minimumWaitMs?: number
  /** False positive rate of LIST.filter; default 0.001. */
  readonly filterRate?: number
  readonly onProgress?: (step: string) => void
  readonly files?: FileSystem
}

export interface PublishedList {
  readonly name: string
  readonly entries: number
  readonly entryLength: EntryLength
  readonly listBytes: number
  readonly filterBytes: number
  readonly feeds: readonly { readonly name: string; readonly accepted: number; readonly rejects: readonly FeedReject[] }[]
}

export interface Publication {
  readonly version: string
  readonly epoch: number
  readonly sequence: number
  readonly issuedAt: number
  readonly expiresAt: number
  readonly keyId: string
  readonly lists: readonly PublishedList[]
}

/**
 * Makes lists of feeds and puts them in force in the data folder, all or nothing.
 * @throws {WaryError} `feed-format`, `publish-failed` (the former version stays), `publish-damaged` (the folder is not what it should be)
 */
export function publish(options: PublishOptions): Promise<Publication> {
  return withPublishLock(options.dataFolder, async () => {
    const { key, clock, lists, expiresInMs = 7 * DAY_MS, onProgress = () => undefined } = options
    const folder = new PublishedFolder(options.dataFolder, options.files)
    const current = folder.current()
    const former = current === undefined ? undefined : folder.manifest(current)
    const epoch = options.epoch ?? former?.epoch ?? 1
    if (former !== undefined && epoch < former.epoch)
      throw new WaryError('publish-failed', `the epoch cannot go back from ${former.epoch} to ${epoch}`)
    const sequence = (former?.sequence ?? 0) + 1
    // Whole seconds: that is what statements hold.
    const issuedAt = Math.floor(clock.now() / 1000) * 1000
    const edition = { epoch, sequence, issuedAt, expiresAt: issuedAt + expiresInMs }
    const files = new Map<string, Uint8Array>()
    const published: PublishedList[] = []
    for (const list of lists) {
      const made = makeList(list, edition, options)
      if (published.some(({ name }) => name === made.list.name))
        throw new WaryError('publish-failed', `the list ${made.list.name} is named twice`)
      for (const [name, bytes] of made.files) files.set(name, bytes)
      published.push(made.list)
      onProgress(`${made.list.name}: ${made.list.entries} entries`)
    }
    onProgress('writing')
    const keyId = toHex(key.id)
    const version = folder.put({ format: 1, ...edition, keyId, lists: published.map(({ name, entries }) => ({ name, entries })) }, files)
    return { version, ...edition, keyId, lists: published }
  })
}

interface Edition {
  readonly epoch: number
  readonly sequence: number
  readonly issuedAt: number
  readonly expiresAt: number
}

function makeList(
  { stem, feeds }: PublishOptions['lists'][number],
  edition: Edition,
  { key, minimumWaitMs = 5 * 60_000, filterRate = 1e-3, onProgress = () => undefined }: PublishOptions,
): { readonly list: PublishedList; readonly files: ReadonlyMap<string, Uint8Array> } {
  const about = LIST_STEMS[stem]
  if (about === undefined) throw new WaryError('publish-failed', `there is no list ${stem}: choose ${Object.keys(LIST_STEMS).join(', ')}`)
  const types = new Map<string, Set<ThreatType>>()
  for (const { expression, threatType } of TEST_ENTRIES) addThreatType(types, fullHash(expression), threatType)
  const read = feeds.map(({ name, items }) => {
    onProgress(`reading ${name}`)
    const rejects: FeedReject[] = []
    let accepted = 0
    for (const item of items) {
      if ('reject' in item) rejects.push(item.reject)
      else {
        accepted++
        addThreatType(types, fullHash(item.entry.expression), item.entry.threatType ?? about)
      }
    }
    return { name, accepted, rejects }
  })

  const entryLength: EntryLength = types.size > MOST_SHORT_ENTRIES ? 8 : 4
  const name = `${stem}-${entryLength}b`
  const packed = new Uint8Array(types.size * entryLength)
  let at = 0
  for (const hash of types.keys()) {
    packed.set(Buffer.from(hash.slice(0, 2 * entryLength), 'hex'), at)
    at += entryLength
  }
  const version = new TextEncoder().encode(`${edition.epoch}.${edition.sequence}`)
  const list = HashList.fromUnsorted({ name, version, entryLength, entries: packed })
  const checksum = list.checksum()
  const state = { ...edition, name, entryCount: list.count, entryLength, checksum, pslVersion: PSL_VERSION }
  const hashList = encodeHashList({
    name,
    version,
    partial: false,
    additions: { entryLength, entries: list.entries },
    removals: undefined,
    checksum,
    minimumWaitMs,
    signed: key.signed(encodeListState(state)),
  })

  const filter = BloomFilter.create({ capacity: list.count, rate: filterRate })
  for (let i = 0; i < list.count; i++) filter.add(list.entries.subarray(i * entryLength, (i + 1) * entryLength))
  const filterFile = filter.toBytes()
  const filterChecksum = new Uint8Array(createHash('sha256').update(filterFile).digest())
  const filterState = encodeFilterState({
    ...edition,
    name,
    entryCount: list.count,
    byteLength: filterFile.length,
    checksum: filterChecksum,
  })
  return {
    list: { name, entries: list.count, entryLength, listBytes: hashList.length, filterBytes: filterFile.length, feeds: read },
    files: new Map([
      [`${name}.hashlist`, hashList],
      [`${name}.fullhashes`, encodeFullHashes(types)],
      [`${name}.filter`, filterFile],
      [`${name}.filter.state`, encodeSignedState(key.signed(filterState))],
    ]),
  }
}
