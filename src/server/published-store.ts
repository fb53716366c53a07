import { asWaryError, type WaryError } from '../errors.ts'
import { BloomFilter } from '../filter/bloom.ts'
import type { ListUpdate } from '../lists/list-update.ts'
import { applyUpdate } from '../lists/list-update.ts'
import type { SignedStatement } from '../lists/signed-state.ts'
import { checkState, decodeListState } from '../lists/signed-state.ts'
import type { Logger } from '../ports.ts'
import { decodeHashList } from '../protocol/hash-list-message.ts'
import { decodeSignedState } from '../protocol/signed-state-message.ts'
import { FullHashFile } from '../publisher/full-hash-file.ts'
import type { PublishedFolder, PublishedManifest } from '../publisher/published-folder.ts'

/** One list, ready to be served. */
export interface ServedList {
  readonly update: ListUpdate
  /** The update's own protobuf bytes, as published. */
  readonly bytes: Uint8Array
  readonly entries: number
  readonly fullHashes: FullHashFile
  readonly filter: Uint8Array
  readonly filterState: SignedStatement
}

/** Everything that is served at one moment. Requests that began with an edition end with it. */
export interface Edition {
  readonly version: string
  readonly manifest: PublishedManifest
  readonly lists: ReadonlyMap<string, ServedList>
}

/** The published folder in memory. A damaged version is named and the former edition served on. */
export class PublishedStore {
  readonly #folder: PublishedFolder
  readonly #logger: Logger
  #edition: Edition | undefined
  #failure: WaryError | undefined

  constructor(options: { readonly folder: PublishedFolder; readonly logger: Logger }) {
    this.#folder = options.folder
    this.#logger = options.logger
  }

  /** Undefined before anything was published. */
  get edition(): Edition | undefined {
    return this.#edition
  }

  /** Why the newest version is not the one that is served; undefined when it is. */
  get failure(): WaryError | undefined {
    return this.#failure
  }

  /** Loads the version in force unless it is loaded. @returns whether another edition is served now */
  reload(): boolean {
    try {
      const version = this.#folder.current()
      if (version === undefined || version === this.#edition?.version) {
        this.#failure = undefined
        return false
      }
      const manifest = this.#folder.manifest(version)
      const lists = new Map(manifest.lists.map(({ name }) => [name, this.#load(version, name)]))
      this.#edition = { version, manifest, lists }
      this.#failure = undefined
      this.#logger.info('edition', { version, lists: lists.size })
      return true
    } catch (error) {
      const failure = asWaryError(error, 'publish-damaged')
      if (failure.message !== this.#failure?.message) this.#logger.warn('edition-refused', failure)
      this.#failure = failure
      return false
    }
  }

  #load(version: string, name: string): ServedList {
    const bytes = this.#folder.read(version, `${name}.hashlist`)
    const update = decodeHashList(bytes)
    const list = applyUpdate(undefined, update)
    if (update.signed !== undefined) checkState(decodeListState(update.signed.statement), list)
    const filter = this.#folder.read(version, `${name}.filter`)
    BloomFilter.fromBytes(filter)
    return {
      update,
      bytes,
      entries: list.count,
      fullHashes: new FullHashFile(this.#folder.read(version, `${name}.fullhashes`)),
      filter,
      filterState: decodeSignedState(this.#folder.read(version, `${name}.filter.state`)),
    }
  }
}
