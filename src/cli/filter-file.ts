import { WaryError } from '../errors.ts'
import { type AnyFilter, openFilter, verifiedFilter } from './filter-kinds.ts'
import { readInput } from './input-file.ts'

interface LookedAtFilter {
  readonly filter: AnyFilter
  /** Of the file's format. */
  readonly version: number
  /** What is wrong with the file behind its head; undefined where nothing is. */
  readonly damage: string | undefined
}

/** @throws {WaryError} `file-failed`, `filter-format` */
export function readFilter(path: string): AnyFilter {
  const bytes = readInput(path)
  return about(path, () => verifiedFilter(bytes))
}

/** A file that may be damaged, as long as its head tells what it is to be. @throws {WaryError} `file-failed`, `filter-format` */
export function lookAtFilter(path: string): LookedAtFilter {
  const bytes = readInput(path)
  const filter = about(path, () => openFilter(bytes))
  return { filter, version: bytes[4] as number, damage: damageOf(bytes) }
}

function damageOf(bytes: Uint8Array): string | undefined {
  try {
    verifiedFilter(bytes)
    return undefined
  } catch (error) {
    if (error instanceof WaryError && error.code === 'filter-format') return error.message
    throw error
  }
}

function about<T>(path: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof WaryError) throw new WaryError(error.code, `${path}: ${error.message}`, { cause: error })
    throw error
  }
}
