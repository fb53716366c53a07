import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { asWaryError, WaryError } from '../errors.ts'
import { durationOf, millisecondsOf } from './duration.ts'
import { SearchHashesRequestSchema, type SearchHashesResponse, SearchHashesResponseSchema } from './gen/safebrowsing_pb.ts'

/** An answer of hashes:search as it came: unknown threat types and attributes are there as their numbers. */
export interface SearchAnswer {
  /** Undefined where the server says none. */
  readonly cacheDurationMs: number | undefined
  readonly fullHashes: readonly SearchedHash[]
}

export interface SearchedHash {
  readonly hash: Uint8Array
  readonly details: readonly { readonly threatType: number; readonly attributes: readonly number[] }[]
}

export function encodeSearchAnswer(answer: SearchAnswer): Uint8Array<ArrayBuffer> {
  return toBinary(SearchHashesResponseSchema, toSearchMessage(answer))
}

/** The protobuf message of `answer`; for the JSON form too. */
export function toSearchMessage(answer: SearchAnswer): SearchHashesResponse {
  return create(SearchHashesResponseSchema, {
    fullHashes: answer.fullHashes.map(({ hash, details }) => ({
      fullHash: hash,
      fullHashDetails: details.map(({ threatType, attributes }) => ({ threatType, attributes: [...attributes] })),
    })),
    ...(answer.cacheDurationMs === undefined ? {} : { cacheDuration: durationOf(answer.cacheDurationMs) }),
  })
}

/** @throws {WaryError} `search-answer` for bytes that are no such message */
export function decodeSearchAnswer(bytes: Uint8Array): SearchAnswer {
  try {
    const { fullHashes, cacheDuration } = fromBinary(SearchHashesResponseSchema, bytes)
    return {
      cacheDurationMs: cacheDuration && millisecondsOf(cacheDuration),
      fullHashes: fullHashes.map(({ fullHash, fullHashDetails }) => ({
        hash: fullHash,
        details: fullHashDetails.map(({ threatType, attributes }) => ({ threatType, attributes })),
      })),
    }
  } catch (error) {
    throw new WaryError('search-answer', `not a search answer: ${asWaryError(error).message}`, { cause: error })
  }
}

/** The prefixes of a request in protobuf, as some clients send it. @throws {WaryError} `search-answer` */
export function decodeSearchRequest(bytes: Uint8Array): readonly Uint8Array[] {
  try {
    return fromBinary(SearchHashesRequestSchema, bytes).hashPrefixes
  } catch (error) {
    throw new WaryError('search-answer', `not a search request: ${asWaryError(error).message}`, { cause: error })
  }
}
