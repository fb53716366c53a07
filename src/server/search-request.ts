import { fromBase64 } from '../bytes.ts'
import { decodeSearchRequest } from '../protocol/search-message.ts'
import { ApiError } from './api-error.ts'

/** v5, SearchHashesRequest.hash_prefixes */
const MOST_PREFIXES = 1000
const PREFIX_BYTES = 4

/**
 * The prefixes that a request asks for: `hashPrefixes` repeated, in base64 of either alphabet, or a whole protobuf request in `$req`, as
 * Chromium sends it.
 * @throws {ApiError} INVALID_ARGUMENT
 */
export function searchedPrefixes(query: URLSearchParams): readonly Uint8Array[] {
  const prefixes = query.has('$req') ? fromRequest(query) : query.getAll('hashPrefixes').map(decode)
  if (prefixes.length === 0) throw new ApiError('INVALID_ARGUMENT', 'hashPrefixes is missing')
  if (prefixes.length > MOST_PREFIXES) throw new ApiError('INVALID_ARGUMENT', `at most ${MOST_PREFIXES} hashPrefixes`)
  if (prefixes.some((prefix) => prefix.length !== PREFIX_BYTES))
    throw new ApiError('INVALID_ARGUMENT', `every hash prefix must have ${PREFIX_BYTES} bytes`)
  return prefixes
}

function fromRequest(query: URLSearchParams): readonly Uint8Array[] {
  const type = query.get('$ct') ?? 'application/x-protobuf'
  if (type !== 'application/x-protobuf') throw new ApiError('INVALID_ARGUMENT', '$ct must be application/x-protobuf')
  try {
    return decodeSearchRequest(fromBase64(query.get('$req') ?? ''))
  } catch (error) {
    throw new ApiError('INVALID_ARGUMENT', `$req is no request: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function decode(text: string): Uint8Array {
  try {
    // A plus sign that nobody escaped arrives as a space.
    return fromBase64(text.replaceAll(' ', '+'))
  } catch {
    throw new ApiError('INVALID_ARGUMENT', 'a hash prefix is not base64')
  }
}
