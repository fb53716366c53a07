import { readFileSync } from 'node:fs'
import { fileError } from './failure.ts'

/** @throws {WaryError} `file-failed` */
export function readInput(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    throw fileError(path, error)
  }
}

/** Bytes as text: a byte order mark goes, and what is no UTF-8 becomes U+FFFD, which no address may have. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
