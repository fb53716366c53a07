import { asWaryError } from '../errors.ts'
import type { BloomFilter } from '../filter/bloom.ts'
import { bloomDelta } from '../filter/bloom-delta.ts'
import type { HashList } from '../lists/hash-list.ts'
import { listDelta } from '../lists/list-delta.ts'
import type { ListUpdate } from '../lists/list-update.ts'
import { encodeHashList } from '../protocol/hash-list-message.ts'
import type { Base, PublishedBases } from './published-bases.ts'
import type { ManifestBase } from './published-manifest.ts'

/** How many former versions have deltas, for how long, and at what size: all must hold. */
export interface Keeping {
  /** Default 32; 0 for none. */
  readonly keepVersions?: number
  /** Milliseconds since a version was issued; default 14 days. */
  readonly keepMs?: number
  /** Bytes that the copies of one list may have, without that of the version in force; default 512 MiB. */
  readonly keepBytes?: number
}

export const KEEP_VERSIONS = 32
export const KEEP_DAYS = 14
/** 32 versions of two million entries of 8 bytes. There are four kinds of list (LIST_STEMS), so the folder stays within 2 GiB. */
const KEEP_BYTES = 512 * 1024 * 1024
const DAY_MS = 24 * 60 * 60_000

export interface MadeDeltas {
  /** By name: LIST.from-EPOCH.SEQUENCE.hashlist. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Every base that stays, newest first. */
  readonly bases: readonly ManifestBase[]
  /** Of bases that are damaged. */
  readonly warnings: readonly string[]
}

export interface DeltaPlan extends Keeping {
  readonly bases: PublishedBases
  /** The list as it is now, and the full update of it: the deltas carry its checksum, version and signed state. */
  readonly list: HashList
  readonly full: ListUpdate
  /** The full update's bytes: what is no smaller is not written. */
  readonly fullBytes: number
  readonly filter: BloomFilter
  /** Milliseconds since 1970. */
  readonly issuedAt: number
}

/** Deltas from every version that is kept. */
export function makeDeltas(plan: DeltaPlan): MadeDeltas {
  const { list, full, fullBytes, filter } = plan
  const files = new Map<string, Uint8Array>()
  const warnings: string[] = []
  const named: ManifestBase[] = []
  for (const base of keptBases(plan, warnings)) {
    const delta = encodeHashList(partialUpdate(base.list, list, full))
    const smaller = delta.length < fullBytes
    if (smaller) files.set(listDeltaFile(list.name, base.version), delta)
    const bits = filterDelta(base, filter, warnings)
    if (bits) files.set(filterDeltaFile(list.name, base.version), bits)
    named.push({ version: base.version, list: smaller, filter: bits !== undefined })
  }
  return { files, bases: named, warnings }
}

/** `LIST.from-EPOCH.SEQUENCE.hashlist` */
export function listDeltaFile(name: string, version: string): string {
  return `${name}.from-${version}.hashlist`
}

/** `LIST.from-EPOCH.SEQUENCE.filter` */
export function filterDeltaFile(name: string, version: string): string {
  return `${name}.from-${version}.filter`
}

/** What a person should see of them. */
export interface DeltaSizes {
  readonly from: string
  /** Null where the whole is no larger. */
  readonly listBytes: number | null
  readonly filterBytes: number | null
}

export function deltaSizes(name: string, { version }: ManifestBase, files: ReadonlyMap<string, Uint8Array>): DeltaSizes {
  const bytes = (file: string): number | null => files.get(file)?.length ?? null
  return { from: version, listBytes: bytes(listDeltaFile(name, version)), filterBytes: bytes(filterDeltaFile(name, version)) }
}

/** One after the other: a list of millions need not be in memory as often as it was published. */
function* keptBases({ bases, list, issuedAt, ...keeping }: DeltaPlan, warnings: string[]): Generator<Base> {
  const { keepVersions = KEEP_VERSIONS, keepMs = KEEP_DAYS * DAY_MS, keepBytes = KEEP_BYTES } = keeping
  const own = new TextDecoder().decode(list.version)
  const versions = bases.versions(list.name).filter((version) => version !== own)
  let bytes = 0
  for (const version of versions.slice(0, keepVersions)) {
    bytes += bases.size(list.name, version)
    if (bytes > keepBytes) return
    try {
      const base = bases.read(list.name, version)
      if (issuedAt - base.issuedAt <= keepMs) yield base
    } catch (error) {
      warnings.push(`no delta of ${list.name} from version ${version}, whose copy is damaged: ${asWaryError(error).message}`)
    }
  }
}

/** Undefined where the two have another shape, or the whole is no larger. */
function filterDelta({ version, filter }: Base, later: BloomFilter, warnings: string[]): Uint8Array | undefined {
  try {
    const former = filter()
    if (former.bits !== later.bits || former.hashes !== later.hashes || former.seed !== later.seed) return undefined
    const delta = bloomDelta(former, later)
    return delta.length < later.byteLength ? delta : undefined
  } catch (error) {
    warnings.push(`no delta of the filter from version ${version}, whose copy is damaged: ${asWaryError(error).message}`)
    return undefined
  }
}

function partialUpdate(from: HashList, to: HashList, full: ListUpdate): ListUpdate {
  const { removals, additions } = listDelta(from, to)
  return {
    ...full,
    partial: true,
    removals: removals.length > 0 ? removals : undefined,
    additions: additions.length > 0 ? { entryLength: to.entryLength, entries: additions } : undefined,
  }
}
