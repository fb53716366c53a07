import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asWaryError, WaryError } from '../errors.ts'
import type { SignedStatement } from '../lists/signed-state.ts'
import type { FileSystem } from './file-system.ts'
import type { Signer } from './key-file.ts'
import { type PublishedManifest, parseManifest } from './published-manifest.ts'
import { STATEMENT_END } from './signature-file.ts'
import { statementWords } from './statement-words.ts'

/** Leaves every statement unsigned, and keeps it for those who sign it later. */
export class UnsignedStatements implements Signer {
  readonly publicKeys: readonly Uint8Array[] = []
  readonly statements: Uint8Array[] = []

  signed(statement: Uint8Array): SignedStatement {
    this.statements.push(statement)
    return { statement, signatures: [] }
  }
}

export interface PendingVersion {
  readonly manifest: PublishedManifest
  /** The version's files, with statements that have no signature yet. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Paths of the files to be signed. */
  readonly statements: readonly string[]
}

/**
 * A version that waits for its signatures:
 *
 *     DATA/pending/manifest.json
 *     DATA/pending/files/                           as they will stand in the version
 *     DATA/pending/to-sign/se-4b.list.statement     what to carry to the keys, and
 *     DATA/pending/to-sign/se-4b.list.statement.21fe31dfa154a261.sig    what comes back
 */
export class PendingPublication {
  readonly path: string
  readonly #files: FileSystem

  constructor(dataFolder: string, files: FileSystem) {
    this.path = join(dataFolder, 'pending')
    this.#files = files
  }

  /** Where what must be signed stands. */
  get toSign(): string {
    return join(this.path, 'to-sign')
  }

  /** In place of a former one. @returns paths of the files to be signed. @throws {WaryError} `publish-failed` */
  put(manifest: PublishedManifest, files: ReadonlyMap<string, Uint8Array>, statements: readonly Uint8Array[]): readonly string[] {
    const temporary = `${this.path}.new`
    try {
      this.#files.remove(temporary)
      this.#files.makeFolder(join(temporary, 'files'))
      this.#files.makeFolder(join(temporary, 'to-sign'))
      for (const [name, bytes] of files) this.#files.write(join(temporary, 'files', name), bytes)
      const names = statements.map(nameOf)
      for (const [i, name] of names.entries()) this.#files.write(join(temporary, 'to-sign', name), statements[i] as Uint8Array)
      this.#files.write(join(temporary, 'manifest.json'), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
      this.#files.remove(this.path)
      this.#files.rename(temporary, this.path)
      return names.map((name) => join(this.toSign, name))
    } catch (error) {
      throw new WaryError('publish-failed', `${this.path} cannot be written: ${asWaryError(error).message}`, { cause: error })
    }
  }

  /** Sequence number of the version that waits; 0 without any. @throws {WaryError} `publish-damaged` */
  sequence(): number {
    return existsSync(this.path) ? this.#manifest().sequence : 0
  }

  /** @throws {WaryError} `publish-failed` when nothing waits, `publish-damaged` */
  read(): PendingVersion {
    if (!existsSync(this.path))
      throw new WaryError('publish-failed', 'nothing waits to be signed here: "wary publish --unsigned" prepares it')
    const manifest = this.#manifest()
    try {
      const folder = join(this.path, 'files')
      const files = new Map(readdirSync(folder).map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]))
      const statements = readdirSync(this.toSign)
        .filter((name) => name.endsWith(STATEMENT_END))
        .sort()
        .map((name) => join(this.toSign, name))
      return { manifest, files, statements }
    } catch (error) {
      throw new WaryError('publish-damaged', `${this.path}: ${asWaryError(error).message}`, { cause: error })
    }
  }

  /** @throws {WaryError} `publish-failed` */
  remove(): void {
    try {
      this.#files.remove(this.path)
    } catch (error) {
      throw new WaryError('publish-failed', `${this.path} cannot be removed: ${asWaryError(error).message}`, { cause: error })
    }
  }

  #manifest(): PublishedManifest {
    try {
      return parseManifest(readFileSync(join(this.path, 'manifest.json'), 'utf8'))
    } catch (error) {
      throw new WaryError('publish-damaged', `${join(this.path, 'manifest.json')}: ${asWaryError(error).message}`, { cause: error })
    }
  }
}

function nameOf(statement: Uint8Array): string {
  const { name, kind } = statementWords(statement)
  return `${name}.${kind}${STATEMENT_END}`
}
