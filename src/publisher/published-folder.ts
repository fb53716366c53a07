import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { asWaryError, WaryError } from '../errors.ts'
import { parseListName } from '../protocol/threat-type.ts'

/**
 * Where a publisher leaves what a server serves:
 *
 *     DATA/current                      name of the version in force, replaced by rename
 *     DATA/versions/000042/manifest.json
 *     DATA/versions/000042/LIST.hashlist      v5 HashList, the whole list, signed
 *     DATA/versions/000042/LIST.fullhashes    what the server answers from (full-hash-file.ts)
 *     DATA/versions/000042/LIST.filter        Bloom filter of the entries
 *     DATA/versions/000042/LIST.filter.state  its signed statement (WarySignedState)
 */
export interface PublishedManifest {
  readonly format: 1
  readonly epoch: number
  readonly sequence: number
  /** Milliseconds since 1970. */
  readonly issuedAt: number
  readonly expiresAt: number
  /** Hexadecimal. */
  readonly keyId: string
  readonly lists: readonly { readonly name: string; readonly entries: number }[]
}

/** File operations of a publish, so that a test can let each of them fail. */
export interface FileSystem {
  write(path: string, bytes: Uint8Array): void
  rename(from: string, to: string): void
}

export const realFileSystem: FileSystem = {
  write(path, bytes) {
    const file = openSync(path, 'w')
    try {
      let at = 0
      while (at < bytes.length) at += writeSync(file, bytes, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  },
  rename: (from, to) => renameSync(from, to),
}

/** Versions that stay for readers that are half-way through one, and for going back. */
const KEPT_VERSIONS = 3

export class PublishedFolder {
  readonly #folder: string
  readonly #files: FileSystem

  constructor(folder: string, files: FileSystem = realFileSystem) {
    this.#folder = folder
    this.#files = files
  }

  /** Name of the version in force; undefined before the first. */
  current(): string | undefined {
    const pointer = join(this.#folder, 'current')
    if (!existsSync(pointer)) return undefined
    const name = readFileSync(pointer, 'utf8').trim()
    if (!/^\d{6,}$/.test(name)) throw new WaryError('publish-damaged', `${pointer} names no version`)
    return name
  }

  /** @throws {WaryError} `publish-damaged` */
  manifest(version: string): PublishedManifest {
    try {
      return parseManifest(JSON.parse(readFileSync(this.path(version, 'manifest.json'), 'utf8')))
    } catch (error) {
      throw new WaryError('publish-damaged', `version ${version} has no usable manifest: ${asWaryError(error).message}`, { cause: error })
    }
  }

  path(version: string, file: string): string {
    return join(this.#folder, 'versions', version, file)
  }

  read(version: string, file: string): Uint8Array {
    try {
      return readFileSync(this.path(version, file))
    } catch (error) {
      throw new WaryError('publish-damaged', `version ${version}: ${asWaryError(error).message}`, { cause: error })
    }
  }

  /**
   * Puts a version in force: its files are written and synced in a folder of their own, which gets its name last, then the pointer
   * is replaced. Whatever fails, the former version stays in force.
   * @throws {WaryError} `publish-failed`
   */
  put(manifest: PublishedManifest, files: ReadonlyMap<string, Uint8Array>): string {
    const version = String(manifest.sequence).padStart(6, '0')
    const versions = join(this.#folder, 'versions')
    const temporary = join(versions, `.tmp-${process.pid}-${version}`)
    try {
      mkdirSync(temporary, { recursive: true })
      for (const [name, bytes] of files) this.#files.write(join(temporary, name), bytes)
      this.#files.write(join(temporary, 'manifest.json'), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
      // A publish that died after this rename left a version that nothing points to.
      const target = join(versions, version)
      if (this.current() !== version) rmSync(target, { recursive: true, force: true })
      this.#files.rename(temporary, target)
      const pointer = join(this.#folder, `.current-${process.pid}`)
      this.#files.write(pointer, Buffer.from(`${version}\n`))
      this.#files.rename(pointer, join(this.#folder, 'current'))
    } catch (error) {
      throw new WaryError('publish-failed', `nothing was published, the former version stays: ${asWaryError(error).message}`, {
        cause: error,
      })
    } finally {
      rmSync(temporary, { recursive: true, force: true })
    }
    this.#collect(version)
    return version
  }

  #collect(current: string): void {
    const versions = join(this.#folder, 'versions')
    const names = readdirSync(versions)
    const old = names.filter((name) => /^\d+$/.test(name) && name !== current).sort((a, b) => Number(b) - Number(a))
    for (const name of [...old.slice(KEPT_VERSIONS - 1), ...names.filter((each) => each.startsWith('.tmp-'))]) {
      rmSync(join(versions, name), { recursive: true, force: true })
    }
  }
}

function parseManifest(value: unknown): PublishedManifest {
  if (typeof value !== 'object' || value === null) throw new Error('not an object')
  const fields = new Map<string, unknown>(Object.entries(value))
  const number = (name: string): number => {
    const field = fields.get(name)
    if (typeof field !== 'number' || !Number.isSafeInteger(field) || field < 0) throw new Error(`${name} is no number`)
    return field
  }
  if (fields.get('format') !== 1) throw new Error('its format is not known')
  const keyId = fields.get('keyId')
  const lists = fields.get('lists')
  if (typeof keyId !== 'string' || !Array.isArray(lists)) throw new Error('fields are missing')
  return {
    format: 1,
    epoch: number('epoch'),
    sequence: number('sequence'),
    issuedAt: number('issuedAt'),
    expiresAt: number('expiresAt'),
    keyId,
    lists: lists.map((list: unknown) => {
      const { name, entries } = Object(list) as { name?: unknown; entries?: unknown }
      if (typeof name !== 'string' || parseListName(name) === undefined || typeof entries !== 'number')
        throw new Error('a list has no usable name')
      return { name, entries }
    }),
  }
}
