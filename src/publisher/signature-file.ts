import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { equalBytes, fromHex, toHex } from '../bytes.ts'
import { asWaryError, WaryError } from '../errors.ts'
import type { KeySet } from '../lists/key-set.ts'
import { keyId, type SignedStatement } from '../lists/signed-state.ts'
import { verifiesEd25519 } from './ed25519.ts'
import type { FileSystem } from './file-system.ts'
import type { SigningKey } from './key-file.ts'

/** End of the name of a file that holds the bytes of one statement, nothing else. */
export const STATEMENT_END = '.statement'
const SIGNATURE_END = '.sig'
/** Statements have some 200 bytes, key sets up to 700. */
const LONGEST_STATEMENT = 4096

/** @throws {WaryError} `file-failed` */
export function readStatement(path: string): Uint8Array {
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(readFileSync(path))
  } catch (error) {
    throw new WaryError('file-failed', `${path}: ${asWaryError(error).message}`, { cause: error })
  }
  if (bytes.length > LONGEST_STATEMENT) throw new WaryError('file-failed', `${path} is too long for a statement`)
  return bytes
}

/** Where the signature of a key over a statement's file stands: beside it, so that the files of several people do not collide. */
export function signaturePath(statementPath: string, key: { readonly id: Uint8Array }): string {
  return `${statementPath}.${toHex(key.id)}${SIGNATURE_END}`
}

/** Signs a statement's file: 128 hexadecimal digits in a file beside it. @returns its path. @throws {WaryError} `file-failed` */
export function writeSignature(statementPath: string, statement: Uint8Array, key: SigningKey, files: FileSystem): string {
  const path = signaturePath(statementPath, key)
  const [signed] = key.signed(statement).signatures
  try {
    files.write(`${path}.new`, Buffer.from(`${toHex(signed?.signature ?? new Uint8Array())}\n`))
    files.rename(`${path}.new`, path)
  } catch (error) {
    throw new WaryError('file-failed', `${path}: ${asWaryError(error).message}`, { cause: error })
  }
  return path
}

export interface CollectedSignatures {
  /** With one signature of each key that has a file that holds. */
  readonly signed: SignedStatement
  /** Files that count for nothing, and why. */
  readonly refused: readonly string[]
}

/**
 * The signatures beside a statement's file, of those keys that one of the sets has. A key is known by whether its signature holds, not by
 * the name of the file.
 * @throws {WaryError} `file-failed`
 */
export function collectSignatures(statementPath: string, sets: readonly KeySet[]): CollectedSignatures {
  const statement = readStatement(statementPath)
  const keys = sets.flatMap((set) => set.keys)
  const found = new Map<string, Uint8Array>()
  const refused: string[] = []
  for (const path of signatureFiles(statementPath)) {
    const signature = signatureIn(path)
    const key = signature && keys.find((each) => verifiesEd25519(each, statement, signature))
    if (signature && key) found.set(toHex(key), signature)
    else refused.push(`${path} is no signature of this statement by a key that counts`)
  }
  const own = keys.filter((key, i) => keys.findIndex((each) => equalBytes(each, key)) === i)
  const signatures = own.flatMap((key) => {
    const signature = found.get(toHex(key))
    return signature ? [{ keyId: keyId(key), signature }] : []
  })
  return { signed: { statement, signatures }, refused }
}

function signatureFiles(statementPath: string): string[] {
  const folder = dirname(statementPath)
  const start = `${basename(statementPath)}.`
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && name.endsWith(SIGNATURE_END))
    .sort()
    .map((name) => join(folder, name))
}

function signatureIn(path: string): Uint8Array | undefined {
  const text = readFileSync(path, 'latin1').trim()
  return /^[0-9a-fA-F]{128}$/.test(text) ? fromHex(text) : undefined
}
