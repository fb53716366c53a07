import { fromBase64 } from '../bytes.ts'
import { asWaryError } from '../errors.ts'
import { PROTOBUF_TYPE } from '../protocol/download.ts'
import { decodeSearchRequest } from '../protocol/search-message.ts'
import { ApiError } from './api-error.ts'

const PREFIX_BYTES = 4

/**
 * The prefixes that a request asks for: `hashPrefixes` repeated, in base64 of either alphabet, or a whole protobuf request in `$req`, as
 * Chromium sends it.
 *
 * @throws {ApiError} INVALID_ARGUMENT
 */
export function searchedPrefixes(query: URLSearchParams, most: number): readonly Uint8Array[] {
  const prefixes = query.has('$req') ? fromRequest(query) : query.getAll('hashPrefixes').map((text) => base64Of(text, 'a hash prefix'))
  if (prefixes.length === 0) throw new ApiError('INVALID_ARGUMENT', 'hashPrefixes is missing')
  if (prefixes.length > most) throw new ApiError('INVALID_ARGUMENT', `at most ${most} hashPrefixes`)
  if (prefixes.some((prefix) => prefix.length !== PREFIX_BYTES))
    throw new ApiError('INVALID_ARGUMENT', `every hash prefix must have ${PREFIX_BYTES} bytes`)
  return prefixes
}

/** Bytes of a query parameter. @throws {ApiError} INVALID_ARGUMENT, naming it by `what` */
export function base64Of(text: string, what: string): Uint8Array {
  try {
    // A plus sign that nobody escaped arrives as a space.
    return fromBase64(text.replaceAll(' ', '+'))
  } catch (error) {
    if (error instanceof RangeError) throw new ApiError('INVALID_ARGUMENT', `${what} is not base64`)
    throw error
  }
}

function fromRequest(query: URLSearchParams): readonly Uint8Array[] {
  if ((query.get('$ct') ?? PROTOBUF_TYPE) !== PROTOBUF_TYPE) throw new ApiError('INVALID_ARGUMENT', `$ct must be ${PROTOBUF_TYPE}`)
  const bytes = base64Of(query.get('$req') ?? '', '$req')
  try {
    return decodeSearchRequest(bytes)
  } catch (error) {
    throw new ApiError('INVALID_ARGUMENT', `$req: ${asWaryError(error).message}`)
  }
}
