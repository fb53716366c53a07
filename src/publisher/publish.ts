import { toHex } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { keyId } from '../lists/signed-state.ts'
import type { Clock } from '../ports.ts'
import { encodeKeyChain } from '../protocol/key-chain-message.ts'
import { type FileSystem, realFileSystem } from './file-system.ts'
import { KEY_CHAIN_FILE } from './key-chain-file.ts'
import type { Signer } from './key-file.ts'
import type { Keeping } from './list-deltas.ts'
import { type Edition, type ListFeed, makeList, type PublishedList } from './list-maker.ts'
import { PendingPublication, UnsignedStatements } from './pending-publication.ts'
import { withPublishLock } from './publish-lock.ts'
import { PublishedBases } from './published-bases.ts'
import { PublishedFolder, versionName } from './published-folder.ts'
import type { ManifestList, PublishedManifest } from './published-manifest.ts'
import { keyChangeWarning, keysToPrepare, keysToPublish, type PublisherKeys } from './publisher-keys.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Who signs for longer gives a network that withholds updates as long. */
const LONGEST_VALIDITY_MS = 3660 * DAY_MS

export interface PublishOptions extends Keeping {
  readonly dataFolder: string
  /** One key, several (KeyRing), or none yet (UnsignedStatements): then the version waits in DATA/pending for keys that stand elsewhere. */
  readonly key: Signer
  readonly clock: Clock
  /** What goes into which list: `stem` is `se`, `mw`, `uws` or `pha`. A list that is not named is not published any more. */
  readonly lists: readonly { readonly stem: string; readonly feeds: readonly ListFeed[] }[]
  /** Raised to start anew after a lost sequence number; default: that of the former version, else 1. */
  readonly epoch?: number
  /** Default 7 days; from a minute to ten years. */
  readonly expiresInMs?: number
  /** How long clients are asked to wait between updates; default 5 minutes. */
  readonly minimumWaitMs?: number
  /** False positive rate of LIST.filter; default 0.001. */
  readonly filterRate?: number
  /** What is being done, in words. */
  readonly onProgress?: (step: string) => void
  readonly files?: FileSystem
}

export interface Publication extends Edition {
  /** Name of the version's folder. */
  readonly version: string
  /** Hexadecimal. */
  readonly publicKey: string
  readonly keyId: string
  readonly keys: PublisherKeys
  /** Files to be signed before the version is in force; none for a version that is signed. */
  readonly toSign: readonly string[]
  readonly lists: readonly PublishedList[]
  /** What a person should know although it was published: lists that are gone, old versions that could not be removed. */
  readonly warnings: readonly string[]
}

/**
 * Makes lists of feeds and puts them in force in the data folder, all or nothing.
 * @throws {WaryError} `feed-format`, `key-set` (these keys may not sign here, or too few of them), `publish-failed` (the former version
 *   stays), `publish-locked` (another publish runs), `publish-damaged` (the folder's version in force cannot be read)
 */
export function publish(options: PublishOptions): Promise<Publication> {
  return withPublishLock(options.dataFolder, async () => {
    const { key, clock, lists, files: disk = realFileSystem, expiresInMs = 7 * DAY_MS, onProgress = () => undefined } = options
    if (!(expiresInMs >= MINUTE_MS && expiresInMs <= LONGEST_VALIDITY_MS))
      throw new WaryError('publish-failed', 'a publication must be valid for a minute at least and ten years at most')
    if (lists.length === 0) throw new WaryError('publish-failed', 'no list is named')
    const folder = new PublishedFolder(options.dataFolder, disk)
    const former = formerManifest(folder, options.epoch)
    const pending = new PendingPublication(options.dataFolder, disk)
    const data = { dataFolder: options.dataFolder, folder, files: disk, former, formerVersion: former && versionName(former.sequence) }
    const unsigned = key instanceof UnsignedStatements ? key : undefined
    const keys = unsigned ? keysToPrepare(data) : keysToPublish(data, key.publicKeys)
    const epoch = options.epoch ?? former?.epoch ?? 1
    if (former !== undefined && epoch < former.epoch)
      throw new WaryError('publish-failed', `the epoch cannot go back from ${former.epoch} to ${epoch}`)
    // Also above versions that are not in force: they may have been, and a number must never stand for two lists.
    const sequence = Math.max(former?.sequence ?? 0, folder.highest(), pending.sequence()) + 1
    // Whole seconds: that is what statements hold.
    const issuedAt = Math.floor(clock.now() / 1000) * 1000
    const edition: Edition = { epoch, sequence, issuedAt, expiresAt: issuedAt + Math.floor(expiresInMs / 1000) * 1000 }

    const files = new Map<string, Uint8Array>()
    const published: PublishedList[] = []
    const named: ManifestList[] = []
    const basesWarnings: string[] = []
    const bases = new PublishedBases(options.dataFolder, disk)
    for (const { stem, feeds } of lists) {
      const made = makeList({ ...options, stem, feeds, edition, bases, onProgress })
      if (published.some(({ name }) => name === made.list.name))
        throw new WaryError('publish-failed', `the list ${made.list.name} is named twice`)
      for (const [name, bytes] of made.files) files.set(name, bytes)
      published.push(made.list)
      named.push(made.about)
      basesWarnings.push(...made.warnings)
    }
    onProgress('writing')
    const publicKey = key.publicKeys[0] ?? (keys.set.keys[0] as Uint8Array)
    const signer = { publicKey: toHex(publicKey), keyId: toHex(keyId(publicKey)) }
    if (keys.chain) files.set(KEY_CHAIN_FILE, encodeKeyChain(keys.chain))
    const keySet = keys.chain && { ...keys.set, keys: keys.set.keys.map(toHex) }
    const manifest: PublishedManifest = { format: 1, ...edition, ...signer, ...(keySet ? { keySet } : {}), lists: named }
    const about = { version: versionName(sequence), ...edition, ...signer, keys, lists: published }
    const gone = (former?.lists ?? []).filter(({ name }) => !named.some((each) => each.name === name))
    const keyChange = keyChangeWarning(former, keys)
    const warnings = [
      ...(keyChange === undefined ? [] : [keyChange]),
      ...gone.map(({ name }) => `the list ${name} of the former version is not published any more`),
      ...basesWarnings,
    ]
    if (unsigned) return { ...about, toSign: pending.put(manifest, files, unsigned.statements), warnings }
    const left = folder.put(manifest, files)
    return { ...about, toSign: [], warnings: [...warnings, ...left] }
  })
}

/** The manifest in force. One that cannot be read says nothing about the epoch to go on with: then the caller must. */
function formerManifest(folder: PublishedFolder, epoch: number | undefined): PublishedManifest | undefined {
  try {
    const current = folder.current()
    return current && folder.manifest(current.version)
  } catch (error) {
    if (epoch !== undefined && error instanceof WaryError && error.code === 'publish-damaged') return undefined
    throw error
  }
}
