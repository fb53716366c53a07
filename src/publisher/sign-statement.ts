import { asWaryError, WaryError } from '../errors.ts'
import { type FileSystem, realFileSystem } from './file-system.ts'
import { readKeyFile } from './key-file.ts'
import { readStatement, writeSignature } from './signature-file.ts'
import { SigningMemory } from './signing-memory.ts'
import { type StatementWords, statementWords } from './statement-words.ts'

/** A statement's file as it is about to be signed. */
export interface StatementFile {
  readonly path: string
  readonly statement: Uint8Array
  readonly words: StatementWords
}

/** @throws {WaryError} `sign-refused` for what cannot be read in words, `file-failed` */
export function readStatementFile(path: string): StatementFile {
  const statement = readStatement(path)
  try {
    return { path, statement, words: statementWords(statement) }
  } catch (error) {
    throw new WaryError('sign-refused', `${path}: ${asWaryError(error).message}`, { cause: error })
  }
}

/**
 * Signs statements with the key of a file, all or none: each is checked against what the key signed before, which is remembered before
 * any signature is written.
 *
 * @returns paths of the files with the signatures
 * @throws {WaryError} `sign-refused`, `key-file`, `file-failed`
 */
export function signStatementFiles(
  statements: readonly StatementFile[],
  keyPath: string,
  files: FileSystem = realFileSystem,
): readonly string[] {
  const key = readKeyFile(keyPath)
  const memory = new SigningMemory(keyPath, files)
  for (const { path, statement, words } of statements) {
    try {
      memory.check(statement, words)
    } catch (error) {
      throw new WaryError('sign-refused', `${path}: ${asWaryError(error).message}`, { cause: error })
    }
  }
  for (const { statement, words } of statements) memory.remember(statement, words)
  return statements.map(({ path, statement }) => writeSignature(path, statement, key, files))
}
