import { concatBytes } from '../bytes.ts'
import { ApiError } from './api-error.ts'
import type { Edition, ServedList } from './edition.ts'
import { base64Of } from './search-request.ts'
import type { ServedUpdate } from './served-update.ts'

/** @throws {ApiError} NOT_FOUND */
export function findList(edition: Edition, name: string): ServedList {
  const list = edition.lists.get(name)
  if (list === undefined) throw new ApiError('NOT_FOUND', 'there is no list of this name')
  return list
}

/**
 * What changes since a version that the publisher has kept, also since the one in force: nothing then, but the signed state comes along. The whole list
 * for any other version.
 *
 * @param version as in the query: base64, empty for none
 * @throws {ApiError} INVALID_ARGUMENT
 */
export function listAnswer({ whole, deltas }: ServedList, version: string): ServedUpdate {
  // Versions are opaque: bytes that are no text of ours name none of them.
  return deltas.lists.get(new TextDecoder().decode(base64Of(version, 'a version'))) ?? whole
}

/** @throws {ApiError} INVALID_ARGUMENT or NOT_FOUND */
export function batchAnswers(edition: Edition, query: URLSearchParams, most: number): ServedUpdate[] {
  const names = query.getAll('names')
  const versions = query.getAll('version')
  if (names.length === 0) throw new ApiError('INVALID_ARGUMENT', 'names is missing')
  if (names.length > most) throw new ApiError('INVALID_ARGUMENT', `at most ${most} names`)
  if (new Set(names).size !== names.length) throw new ApiError('INVALID_ARGUMENT', 'a name is repeated')
  if (versions.length > names.length) throw new ApiError('INVALID_ARGUMENT', 'there are more versions than names')
  return names.map((name, i) => listAnswer(findList(edition, name), versions[i] ?? ''))
}

/**
 * BatchGetHashListsResponse (field 1, length-delimited, repeated) of lists that are coded already: what was published is sent as it is, and
 * no entry is coded anew for a request.
 */
export function batchBytes(answers: readonly ServedUpdate[]): Uint8Array {
  return concatBytes(answers.flatMap(({ bytes }) => [Uint8Array.from([0x0a, ...varint(bytes.length)]), bytes]))
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return [...bytes, rest]
}
