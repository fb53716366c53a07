import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { equalBytes } from '../bytes.ts'
import { asWaryError, WaryError } from '../errors.ts'
import { BloomFilter } from '../filter/bloom.ts'
import { CountingBloomFilter } from '../filter/counting-bloom.ts'
import type { HashList } from '../lists/hash-list.ts'
import { updatedList } from '../lists/list-update.ts'
import { decodeListState } from '../lists/signed-state.ts'
import { decodeHashList } from '../protocol/hash-list-message.ts'
import type { FileSystem } from './file-system.ts'
import type { PublishedManifest } from './published-manifest.ts'

/** What is kept of a list of a version, by the ends of the files' names. */
const KEPT = ['.hashlist', '.filter', '.counting'] as const
const FILE_NAME = /^(\d{1,16})\.(\d{1,16})\.[a-z]+$/

/** One list of a former version. */
export interface Base {
  /** EPOCH.SEQUENCE, which is also what clients name it by. */
  readonly version: string
  readonly list: HashList
  /** Milliseconds since 1970. */
  readonly issuedAt: number
  /** @throws {WaryError} `publish-damaged` */
  filter(): BloomFilter
}

/**
 * Copies of what was published, for the deltas that later versions have from there:
 *
 *     DATA/bases/LIST/1.41.hashlist    as LIST.hashlist of epoch 1, sequence 41
 *     DATA/bases/LIST/1.41.filter      as its LIST.filter
 *     DATA/bases/LIST/1.41.counting    the counting filter (filter/counting-bloom.ts) that this one was made of; of the newest version only
 *
 * The version is in the counting filter's name because nothing else says whose entries are counted: a publication that died, or one that
 * waits for signatures, would otherwise have its entries counted twice.
 */
export class PublishedBases {
  readonly #folder: string
  readonly #files: FileSystem

  constructor(dataFolder: string, files: FileSystem) {
    this.#folder = join(dataFolder, 'bases')
    this.#files = files
  }

  /** Versions of a list that are kept, newest first. */
  versions(list: string): string[] {
    const names = filesIn(join(this.#folder, list)).filter((name) => name.endsWith('.hashlist') && FILE_NAME.test(name))
    return names.map(versionOf).sort(newestFirst)
  }

  /** Bytes of a version's copies of list and filter, also of damaged ones; what is missing has none. */
  size(list: string, version: string): number {
    const bytes = (end: string): number => statSync(join(this.#folder, list, version + end), { throwIfNoEntry: false })?.size ?? 0
    return bytes('.hashlist') + bytes('.filter')
  }

  /** @throws {WaryError} `publish-damaged` for a copy that is not whole, or is about something else than its name says */
  read(name: string, version: string): Base {
    return damage(() => {
      const update = decodeHashList(this.#bytes(name, version, '.hashlist'))
      if (update.partial || update.signed === undefined) throw new Error('no signed list')
      const list = updatedList(undefined, update)
      if (!equalBytes(update.checksum, createHash('sha256').update(list.entries).digest())) throw new Error('its checksum does not hold')
      const { epoch, sequence, issuedAt } = decodeListState(update.signed.statement)
      if (update.name !== name || `${epoch}.${sequence}` !== version)
        throw new Error(`it is version ${epoch}.${sequence} of ${update.name}`)
      return { version, list, issuedAt, filter: () => this.filter(name, version) }
    })
  }

  /** @throws {WaryError} `publish-damaged` */
  filter(name: string, version: string): BloomFilter {
    return damage(() => BloomFilter.verified(this.#bytes(name, version, '.filter')))
  }

  /** The newest version whose counting filter is kept. */
  counted(list: string): string | undefined {
    const names = filesIn(join(this.#folder, list)).filter((name) => name.endsWith('.counting') && FILE_NAME.test(name))
    return names.map(versionOf).sort(newestFirst)[0]
  }

  /** @throws {WaryError} `publish-damaged` */
  counting(name: string, version: string): CountingBloomFilter {
    return damage(() => CountingBloomFilter.verified(this.#bytes(name, version, '.counting')))
  }

  /** Keeps copies of a version's files, and waits until the disk has them. @throws whatever the file system throws */
  put(manifest: PublishedManifest, files: ReadonlyMap<string, Uint8Array>): void {
    const version = editionName(manifest)
    for (const { name } of manifest.lists) {
      this.#files.makeFolder(join(this.#folder, name))
      for (const end of KEPT) {
        const bytes = files.get(name + end)
        if (bytes) this.#files.write(join(this.#folder, name, version + end), bytes)
      }
      this.#files.syncFolder(join(this.#folder, name))
    }
    this.#files.syncFolder(this.#folder)
  }

  /** Paths of the copies that `put` makes of a version. */
  paths(manifest: PublishedManifest): string[] {
    return manifest.lists.flatMap(({ name }) => KEPT.map((end) => join(this.#folder, name, editionName(manifest) + end)))
  }

  /** Paths of what no version needs once this one is in force: its manifest names the bases that stay. */
  obsolete(manifest: PublishedManifest): string[] {
    return filesIn(this.#folder).flatMap((name) => {
      const list = manifest.lists.find((each) => each.name === name)
      if (!list) return [join(this.#folder, name)]
      const kept = new Set([editionName(manifest), ...(list.bases ?? []).map(({ version }) => version)])
      const stays = (file: string): boolean =>
        FILE_NAME.test(file) && (file.endsWith('.counting') ? versionOf(file) === editionName(manifest) : kept.has(versionOf(file)))
      return filesIn(join(this.#folder, name)).flatMap((file) => (stays(file) ? [] : [join(this.#folder, name, file)]))
    })
  }

  #bytes(name: string, version: string, end: string): Uint8Array {
    const bytes = readFileSync(join(this.#folder, name, version + end))
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  }
}

/** Whether a file of a publication is for later ones only, and no part of the version that is served. */
export function isKeptOnly(file: string): boolean {
  return file.endsWith('.counting')
}

/** What clients and files call an edition. */
export function editionName({ epoch, sequence }: { readonly epoch: number; readonly sequence: number }): string {
  return `${epoch}.${sequence}`
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

function versionOf(file: string): string {
  return file.slice(0, file.lastIndexOf('.'))
}

function newestFirst(a: string, b: string): number {
  const [[epochA = 0, sequenceA = 0], [epochB = 0, sequenceB = 0]] = [a.split('.').map(Number), b.split('.').map(Number)]
  return epochB - epochA || sequenceB - sequenceA
}

function damage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new WaryError('publish-damaged', asWaryError(error).message, { cause: error })
  }
}
