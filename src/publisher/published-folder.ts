import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { asWaryError, WaryError } from '../errors.ts'
import { fileFault } from './file-fault.ts'
import { type FileSystem, realFileSystem } from './file-system.ts'
import { isKeptOnly, PublishedBases } from './published-bases.ts'
import { type PublishedManifest, parseManifest } from './published-manifest.ts'

/** Versions that stay: for readers that are half-way through one, and for going back by hand. */
const KEPT_VERSIONS = 3

/** The version in force. */
export interface CurrentVersion {
  readonly version: string
  /** Another one whenever the pointer was written anew, also with the same version in it. */
  readonly mark: string
}

/**
 * Where a publisher leaves what a server serves:
 *
 *     DATA/current                            name of the version in force, replaced by rename
 *     DATA/versions/000042/manifest.json      published-manifest.ts
 *     DATA/versions/000042/LIST.hashlist      v5 HashList, the whole list, signed
 *     DATA/versions/000042/LIST.fullhashes    what the server answers from (full-hash-file.ts)
 *     DATA/versions/000042/LIST.filter        Bloom filter of the entries
 *     DATA/versions/000042/LIST.filter.state  its signed statement (WarySignedState)
 *     DATA/versions/000042/LIST.from-1.41.hashlist   partial update from epoch 1, sequence 41 (list-deltas.ts)
 *     DATA/versions/000042/LIST.from-1.41.filter     what changes from that version's filter (bloom-delta.ts)
 *     DATA/bases/                             for the publisher alone (published-bases.ts)
 *
 * The name of a version is its sequence number. A version never changes once it has its name.
 */
export class PublishedFolder {
  readonly #folder: string
  readonly #files: FileSystem

  constructor(folder: string, files: FileSystem = realFileSystem) {
    this.#folder = folder
    this.#files = files
  }

  /** Undefined before anything was published. @throws {WaryError} `publish-damaged` */
  current(): CurrentVersion | undefined {
    const pointer = join(this.#folder, 'current')
    try {
      const { mtimeMs, ino } = statSync(pointer)
      const version = readFileSync(pointer, 'utf8').trim()
      if (!/^\d{6,15}$/.test(version)) throw new WaryError('publish-damaged', `${pointer} names no version`)
      return { version, mark: `${version} ${ino} ${mtimeMs}` }
    } catch (error) {
      if (fileFault(error) === 'ENOENT') return undefined
      throw asWaryError(error, 'publish-damaged')
    }
  }

  /** Sequence number of the highest version that has a folder, in force or not; 0 without any. */
  highest(): number {
    return Math.max(0, ...this.#versions().map(Number))
  }

  /** @throws {WaryError} `publish-damaged` */
  manifest(version: string): PublishedManifest {
    const text = Buffer.from(this.read(version, 'manifest.json')).toString('utf8')
    try {
      return parseManifest(text)
    } catch (error) {
      throw new WaryError('publish-damaged', `version ${version}: manifest.json: ${asWaryError(error).message}`, { cause: error })
    }
  }

  /** A file of a version. @throws {WaryError} `publish-damaged` */
  read(version: string, file: string): Uint8Array {
    try {
      const bytes = readFileSync(join(this.#folder, 'versions', version, file))
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    } catch (error) {
      throw new WaryError('publish-damaged', `version ${version}: ${asWaryError(error).message}`, { cause: error })
    }
  }

  /**
   * Puts a version in force: its files are written and synced in a folder of their own, which gets its name last; then the copies that
   * later versions start from; then the pointer is replaced. Whatever fails before that, the former version stays in force.
   *
   * @returns what went wrong afterwards and harms nobody
   * @throws {WaryError} `publish-failed`
   */
  put(manifest: PublishedManifest, files: ReadonlyMap<string, Uint8Array>): readonly string[] {
    const version = versionName(manifest.sequence)
    const versions = join(this.#folder, 'versions')
    const temporary = join(versions, `.tmp-${process.pid}-${version}`)
    const pointer = join(this.#folder, 'current')
    const bases = new PublishedBases(this.#folder, this.#files)
    try {
      this.#files.makeFolder(temporary)
      for (const [name, bytes] of files) if (!isKeptOnly(name)) this.#files.write(join(temporary, name), bytes)
      this.#files.write(join(temporary, 'manifest.json'), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
      this.#files.syncFolder(temporary)
      this.#files.rename(temporary, join(versions, version))
      this.#files.syncFolder(versions)
      // Only now: the version's number is taken from here on, so no copy is ever of two lists.
      bases.put(manifest, files)
      this.#files.write(`${pointer}.new`, Buffer.from(`${version}\n`))
      this.#files.rename(`${pointer}.new`, pointer)
    } catch (error) {
      const left = this.#attempts([temporary, `${pointer}.new`, ...bases.paths(manifest)].map((path) => () => this.#files.remove(path)))
      const also = left.length === 0 ? '' : ` (and cleaning up failed: ${left.join('; ')})`
      throw new WaryError('publish-failed', `nothing was published, the former version stays: ${asWaryError(error).message}${also}`, {
        cause: error,
      })
    }
    return this.#attempts([
      () => this.#files.syncFolder(this.#folder),
      ...[...this.#obsolete(version), ...bases.obsolete(manifest)].map((path) => () => this.#files.remove(path)),
    ])
  }

  #attempts(steps: readonly (() => void)[]): string[] {
    return steps.flatMap((step) => {
      try {
        step()
        return []
      } catch (error) {
        return [asWaryError(error).message]
      }
    })
  }

  /** Paths of versions that nobody needs any more, and of what publishes left that died. */
  #obsolete(current: string): string[] {
    const versions = join(this.#folder, 'versions')
    const old = this.#versions()
      .filter((name) => name !== current)
      .sort((a, b) => Number(b) - Number(a))
      .slice(KEPT_VERSIONS - 1)
    const dead = readdirSync(versions).filter((name) => name.startsWith('.tmp-'))
    return [...old, ...dead].map((name) => join(versions, name))
  }

  #versions(): string[] {
    const versions = join(this.#folder, 'versions')
    return existsSync(versions) ? readdirSync(versions).filter((name) => /^\d{6,15}$/.test(name)) : []
  }
}

export function versionName(sequence: number): string {
  return String(sequence).padStart(6, '0')
}
