import { concatBytes, equalBytes } from '../bytes.ts'
import type { ListUpdate } from '../lists/list-update.ts'
import { encodeHashList } from '../protocol/hash-list-message.ts'
import { hashListJson } from '../protocol/json.ts'
import { ApiError } from './api-error.ts'
import type { Edition, ServedList } from './edition.ts'
import { base64Of } from './search-request.ts'

/** What a client gets for one list. */
export interface ListAnswer {
  readonly bytes: Uint8Array
  readonly minimumWaitMs: number
  json(wary: boolean): ReturnType<typeof hashListJson>
}

/** @throws {ApiError} NOT_FOUND */
export function findList(edition: Edition, name: string): ServedList {
  const list = edition.lists.get(name)
  if (list === undefined) throw new ApiError('NOT_FOUND', 'there is no list of this name')
  return list
}

/**
 * The whole list; to a client that holds this version, an update that changes nothing, with the signed state, because its expiry may be a later
 * one.
 *
 * @param version as in the query: base64, empty for none
 * @throws {ApiError} INVALID_ARGUMENT
 */
export function listAnswer({ update, bytes, json }: ServedList, version: string): ListAnswer {
  const { minimumWaitMs } = update
  if (!equalBytes(base64Of(version, 'a version'), update.version)) return { bytes, minimumWaitMs, json }
  const same: ListUpdate = { ...update, partial: true, additions: undefined, removals: undefined }
  return { bytes: encodeHashList(same), minimumWaitMs, json: (wary) => hashListJson(same, wary) }
}

/** @throws {ApiError} INVALID_ARGUMENT or NOT_FOUND */
export function batchAnswers(edition: Edition, query: URLSearchParams, most: number): ListAnswer[] {
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
export function batchBytes(answers: readonly ListAnswer[]): Uint8Array {
  return concatBytes(answers.flatMap(({ bytes }) => [Uint8Array.from([0x0a, ...varint(bytes.length)]), bytes]))
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return [...bytes, rest]
}
