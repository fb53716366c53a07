import { WaryError } from '../errors.ts'
import { BloomFilter } from '../filter/bloom.ts'
import { readInput } from './input-file.ts'

/** @throws {WaryError} `file-failed`, `filter-format` */
export function readFilter(path: string): BloomFilter {
  const bytes = readInput(path)
  try {
    return BloomFilter.verified(bytes)
  } catch (error) {
    if (error instanceof WaryError) throw new WaryError(error.code, `${path}: ${error.message}`, { cause: error })
    throw error
  }
}
