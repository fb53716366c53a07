import { create, toBinary } from '@bufbuild/protobuf'
import { asWaryError, WaryError } from '../errors.ts'
import { durationOf, readDuration } from './duration.ts'
import { type SearchHashesResponse, SearchHashesResponseSchema } from './gen/safebrowsing_pb.ts'
import { WireReader } from './wire-reader.ts'

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
    const reader = new WireReader(bytes)
    let cacheDurationMs: number | undefined
    const fullHashes: SearchedHash[] = []
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      const message = field === 1 || field === 2 ? reader.message() : reader.skip()
      if (message === undefined) continue
      if (field === 1) fullHashes.push(readFullHash(message))
      else cacheDurationMs = readDuration(message)
    }
    return { cacheDurationMs, fullHashes }
  } catch (error) {
    throw new WaryError('search-answer', `not a search answer: ${asWaryError(error).message}`, { cause: error })
  }
}

/** The prefixes of a request in protobuf, as some clients send it. @throws {WaryError} `search-answer` */
export function decodeSearchRequest(bytes: Uint8Array): readonly Uint8Array[] {
  try {
    const reader = new WireReader(bytes)
    const prefixes: Uint8Array[] = []
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      const prefix = field === 1 ? reader.bytes() : reader.skip()
      if (prefix !== undefined) prefixes.push(prefix)
    }
    return prefixes
  } catch (error) {
    throw new WaryError('search-answer', `not a search request: ${asWaryError(error).message}`, { cause: error })
  }
}

function readFullHash(reader: WireReader): SearchedHash {
  let hash = new Uint8Array(0) as Uint8Array
  const details: SearchedHash['details'][number][] = []
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) hash = reader.bytes() ?? hash
    else if (field === 2) {
      const message = reader.message()
      if (message !== undefined) details.push(readDetail(message))
    } else reader.skip()
  }
  return { hash, details }
}

function readDetail(reader: WireReader): SearchedHash['details'][number] {
  let threatType = 0
  const attributes: number[] = []
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) threatType = reader.int32() ?? threatType
    else if (field === 2) attributes.push(...reader.int32s())
    else reader.skip()
  }
  return { threatType, attributes }
}
