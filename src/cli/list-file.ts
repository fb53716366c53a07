import { WaryError } from '../errors.ts'
import type { ListUpdate } from '../lists/list-update.ts'
import { decodeHashList } from '../protocol/hash-list-message.ts'
import { readInput } from './input-file.ts'

export interface ListFile {
  readonly path: string
  /** Of the file. */
  readonly bytes: number
  readonly update: ListUpdate
}

/** @throws {WaryError} `file-failed`, `list-format` */
export function readListFile(path: string): ListFile {
  const bytes = readInput(path)
  return { path, bytes: bytes.length, update: about(path, () => decodeHashList(bytes)) }
}

/** `work`, whose failure says which file it is about. */
export function about<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof WaryError) throw new WaryError(error.code, `${path}: ${error.message}`, { cause: error })
    throw error
  }
}
