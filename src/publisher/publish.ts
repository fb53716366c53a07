import { toHex } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import type { FileSystem } from './file-system.ts'
import type { SigningKey } from './key-file.ts'
import { type Edition, type ListFeed, makeList, type PublishedList } from './list-maker.ts'
import { withPublishLock } from './publish-lock.ts'
import { PublishedFolder, versionName } from './published-folder.ts'
import type { PublishedManifest } from './published-manifest.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Who signs for longer gives a network that withholds updates as long. */
const LONGEST_VALIDITY_MS = 3660 * DAY_MS

export interface PublishOptions {
  readonly dataFolder: string
  readonly key: SigningKey
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
  readonly lists: readonly PublishedList[]
  /** What a person should know although it was published: lists that are gone, old versions that could not be removed. */
  readonly warnings: readonly string[]
}

/**
 * Makes lists of feeds and puts them in force in the data folder, all or nothing.
 * @throws {WaryError} `feed-format`, `publish-failed` (the former version stays), `publish-locked` (another publish runs),
 *   `publish-damaged` (the folder's version in force cannot be read)
 */
export function publish(options: PublishOptions): Promise<Publication> {
  return withPublishLock(options.dataFolder, async () => {
    const { key, clock, lists, expiresInMs = 7 * DAY_MS, onProgress = () => undefined } = options
    if (!(expiresInMs >= MINUTE_MS && expiresInMs <= LONGEST_VALIDITY_MS))
      throw new WaryError('publish-failed', 'a publication must be valid for a minute at least and ten years at most')
    if (lists.length === 0) throw new WaryError('publish-failed', 'no list is named')
    const folder = new PublishedFolder(options.dataFolder, options.files)
    const former = formerManifest(folder, options.epoch)
    const epoch = options.epoch ?? former?.epoch ?? 1
    if (former !== undefined && epoch < former.epoch)
      throw new WaryError('publish-failed', `the epoch cannot go back from ${former.epoch} to ${epoch}`)
    // Also above versions that are not in force: they may have been, and a number must never stand for two lists.
    const sequence = Math.max(former?.sequence ?? 0, folder.highest()) + 1
    // Whole seconds: that is what statements hold.
    const issuedAt = Math.floor(clock.now() / 1000) * 1000
    const edition: Edition = { epoch, sequence, issuedAt, expiresAt: issuedAt + Math.floor(expiresInMs / 1000) * 1000 }

    const files = new Map<string, Uint8Array>()
    const published: PublishedList[] = []
    for (const { stem, feeds } of lists) {
      const made = makeList({ ...options, stem, feeds, edition, onProgress })
      if (published.some(({ name }) => name === made.list.name))
        throw new WaryError('publish-failed', `the list ${made.list.name} is named twice`)
      for (const [name, bytes] of made.files) files.set(name, bytes)
      published.push(made.list)
    }
    onProgress('writing')
    const names = published.map(({ name, entries }) => ({ name, entries }))
    const signer = { publicKey: toHex(key.publicKey), keyId: toHex(key.id) }
    const left = folder.put({ format: 1, ...edition, ...signer, lists: names }, files)
    const gone = (former?.lists ?? []).filter(({ name }) => !names.some((each) => each.name === name))
    const warnings = [
      ...(former !== undefined && former.keyId !== signer.keyId
        ? [
            `signed by another key than the version before (${former.keyId}): browsers that trust that one refuse this version and keep their list`,
          ]
        : []),
      ...gone.map(({ name }) => `the list ${name} of the former version is not published any more`),
      ...left,
    ]
    return { version: versionName(sequence), ...edition, ...signer, lists: published, warnings }
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
