import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { asWaryError, WaryError } from '../errors.ts'
import { fileFault } from './file-fault.ts'
import type { FileSystem } from './file-system.ts'
import type { StatementWords } from './statement-words.ts'

interface Remembered {
  readonly rank: readonly [number, number]
  /** SHA-256 of the statement, hexadecimal. */
  readonly statement: string
}

/**
 * What a key has signed last, in KEY.signed beside it: whoever carries statements to a key that stands offline cannot have it sign an
 * older state again, nor two different ones of the same number.
 */
export class SigningMemory {
  readonly path: string
  readonly #files: FileSystem
  readonly #last: Map<string, Remembered>

  /** @throws {WaryError} `key-file` for a file that is damaged */
  constructor(keyPath: string, files: FileSystem) {
    this.path = `${keyPath}.signed`
    this.#files = files
    this.#last = this.#read()
  }

  /** @throws {WaryError} `sign-refused` for what goes back, or contradicts what was signed */
  check(statement: Uint8Array, words: StatementWords): void {
    for (const [id, { rank, statement: hash }] of this.#last) {
      if (!id.startsWith(`${words.kind} `)) continue
      const order = words.rank[0] - rank[0] || words.rank[1] - rank[1]
      if (order < 0) this.#refuse(`it is ${numbered(words, words.rank)}, and this key has signed ${numbered(words, rank)} before`)
      if (order === 0 && id === idOf(words) && hash !== hashOf(statement))
        this.#refuse(`this key has signed another statement as ${numbered(words, rank)}`)
    }
  }

  /** To be called before the signature leaves. @throws {WaryError} `key-file` */
  remember(statement: Uint8Array, words: StatementWords): void {
    this.#last.set(idOf(words), { rank: words.rank, statement: hashOf(statement) })
    try {
      this.#files.write(
        `${this.path}.new`,
        Buffer.from(`${JSON.stringify({ format: 1, last: Object.fromEntries(this.#last) }, null, 2)}\n`),
      )
      this.#files.rename(`${this.path}.new`, this.path)
    } catch (error) {
      throw new WaryError('key-file', `${this.path} cannot be written: ${asWaryError(error).message}`, { cause: error })
    }
  }

  #refuse(why: string): never {
    throw new WaryError('sign-refused', `${why}; if that is right all the same, remove ${this.path}`)
  }

  #read(): Map<string, Remembered> {
    try {
      return parse(readFileSync(this.path, 'utf8'))
    } catch (error) {
      if (fileFault(error) === 'ENOENT') return new Map()
      throw new WaryError('key-file', `${this.path} is damaged: ${asWaryError(error).message}`, { cause: error })
    }
  }
}

function numbered({ kind }: StatementWords, [epoch, sequence]: readonly [number, number]): string {
  return kind === 'keys' ? `version ${sequence} of the keys` : `epoch ${epoch}, sequence ${sequence}`
}

function idOf({ kind, name }: StatementWords): string {
  return `${kind} ${name}`
}

function hashOf(statement: Uint8Array): string {
  return createHash('sha256').update(statement).digest('hex')
}

function parse(text: string): Map<string, Remembered> {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== 1) throw new Error('its format is not known')
  if (!('last' in value) || typeof value.last !== 'object' || value.last === null) throw new Error('last is missing')
  return new Map(Object.entries(value.last).map(([id, each]: [string, unknown]) => [id, remembered(each)]))
}

function remembered(value: unknown): Remembered {
  if (typeof value !== 'object' || value === null || !('rank' in value) || !('statement' in value)) throw new Error('an entry is no object')
  const { rank, statement } = value
  if (!Array.isArray(rank) || rank.length !== 2 || typeof statement !== 'string') throw new Error('an entry has other fields')
  const [epoch, sequence]: readonly unknown[] = rank
  if (!Number.isSafeInteger(epoch) || !Number.isSafeInteger(sequence)) throw new Error('an entry has no numbers')
  return { rank: [Number(epoch), Number(sequence)], statement }
}
