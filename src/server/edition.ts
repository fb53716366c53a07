import { createHash } from 'node:crypto'
import { equalBytes } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { BloomFilter } from '../filter/bloom.ts'
import { firstDenied } from '../filter/ready-hash.ts'
import { decodeFilterState } from '../lists/filter-state.ts'
import type { HashList } from '../lists/hash-list.ts'
import { applyUpdate, type ListUpdate } from '../lists/list-update.ts'
import { checkState, decodeListState, opening, type SignedStatement } from '../lists/signed-state.ts'
import { verifiedNow } from '../lists/verifying.ts'
import type { Logger } from '../ports.ts'
import { decodeHashList } from '../protocol/hash-list-message.ts'
import { decodeSignedState } from '../protocol/signed-state-message.ts'
import { verifiesEd25519 } from '../publisher/ed25519.ts'
import { FullHashFile } from '../publisher/full-hash-file.ts'
import type { PublishedFolder } from '../publisher/published-folder.ts'
import { keySetOf, type ManifestList, type PublishedManifest } from '../publisher/published-manifest.ts'
import { loadDeltas, type ServedDeltas } from './served-deltas.ts'
import { loadKeys, type ServedKeys } from './served-keys.ts'
import { type ServedUpdate, servedUpdate, tagOf } from './served-update.ts'

/** One list, ready to be served. */
export interface ServedList {
  readonly update: ListUpdate
  /** As published. */
  readonly whole: ServedUpdate
  readonly deltas: ServedDeltas
  readonly fullHashes: FullHashFile
  readonly filter: Uint8Array
  readonly filterState: SignedStatement
  /** Another one for every statement, without quotes. */
  readonly filterTag: string
}

/** Everything that is served at one moment. Requests that began with an edition end with it. */
export interface Edition {
  readonly version: string
  readonly manifest: PublishedManifest
  readonly keys: ServedKeys
  readonly lists: ReadonlyMap<string, ServedList>
}

/**
 * Reads a published version into memory. Everything that a client would refuse is found here: checksums, signatures, and whether full
 * hashes, list and filter are about the same entries. Deltas that a client would refuse are logged and left out.
 *
 * @throws {WaryError} `publish-damaged`, or the code of what does not hold (`list-*`, `state-*`, `filter-format`)
 */
export function loadEdition(folder: PublishedFolder, version: string, logger: Logger): Edition {
  const manifest = folder.manifest(version)
  const from = { folder, version, manifest, logger }
  const lists = new Map(manifest.lists.map((about) => [about.name, loadList(from, about)]))
  return { version, manifest, keys: loadKeys(folder, version, manifest), lists }
}

interface Loading {
  readonly folder: PublishedFolder
  readonly version: string
  readonly manifest: PublishedManifest
  readonly logger: Logger
}

function loadList({ folder, version, manifest, logger }: Loading, { name, bases }: ManifestList): ServedList {
  const bytes = folder.read(version, `${name}.hashlist`)
  const update = decodeHashList(bytes)
  if (update.name !== name) throw new WaryError('publish-damaged', `${name}.hashlist is the list ${update.name.slice(0, 40)}`)
  const list = applyUpdate(undefined, update)
  if (update.signed === undefined) throw new WaryError('state-missing', `${name}.hashlist is not signed`)
  const state = decodeListState(verified(update.signed, manifest))
  checkState(state, list)
  const same = (['epoch', 'sequence', 'issuedAt', 'expiresAt'] as const).every((field) => state[field] === manifest[field])
  if (!same) throw new WaryError('state-mismatch', `the signed statement of ${name} is not of the edition that its manifest names`)

  const filter = folder.read(version, `${name}.filter`)
  const filterState = decodeSignedState(folder.read(version, `${name}.filter.state`))
  checkFilter(filter, list, filterState, manifest)
  const fullHashes = new FullHashFile(folder.read(version, `${name}.fullhashes`))
  checkFullHashes(fullHashes, list)

  return {
    update,
    whole: servedUpdate(update, bytes),
    deltas: loadDeltas({ folder, version, full: update, filter, bases, logger }),
    fullHashes,
    filter,
    filterState,
    filterTag: tagOf(filterState.statement),
  }
}

function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(bytes).digest())
}

function verified(signed: SignedStatement, manifest: PublishedManifest): Uint8Array {
  return verifiedNow(opening(signed, keySetOf(manifest)), verifiesEd25519)
}

function checkFilter(file: Uint8Array, list: HashList, signed: SignedStatement, manifest: PublishedManifest): void {
  const state = decodeFilterState(verified(signed, manifest))
  const same = state.name === list.name && state.entryCount === list.count && equalBytes(state.checksum, sha256(file))
  if (!same) throw new WaryError('state-mismatch', `the signed statement is not about this filter of ${list.name}`)
  const filter = BloomFilter.verified(file)
  // A client with the filter alone would let pass what the filter denies: 50 ms for a million entries.
  const denied = firstDenied(filter, list.entries, list.entryLength)
  if (denied !== undefined) throw new WaryError('publish-damaged', `${list.name}: its filter denies entry ${denied} of the list`)
}

/** Both are sorted, so the entries are the hashes' beginnings, in step. */
function checkFullHashes(fullHashes: FullHashFile, { name, entries, entryLength, count }: HashList): void {
  let entry = -1
  let at: Uint8Array | undefined
  for (let i = 0; i < fullHashes.count; i++) {
    const start = fullHashes.hash(i).subarray(0, entryLength)
    if (at === undefined || !equalBytes(at, start)) {
      entry++
      at = entries.subarray(entry * entryLength, (entry + 1) * entryLength)
    }
    if (!equalBytes(at, start)) throw new WaryError('publish-damaged', `${name}: the full hashes are not those of the list`)
  }
  if (entry + 1 !== count) throw new WaryError('publish-damaged', `${name}: the list has entries without a full hash`)
}
