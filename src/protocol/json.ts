import { create, type JsonObject, toJson } from '@bufbuild/protobuf'
import type { ListUpdate } from '../lists/list-update.ts'
import {
  BatchGetHashListsResponseSchema,
  HashListSchema,
  ListHashListsResponseSchema,
  SearchHashesResponseSchema,
} from './gen/safebrowsing_pb.ts'
import { toMessage } from './hash-list-message.ts'
import { type SearchAnswer, toSearchMessage } from './search-message.ts'

/**
 * Answers in proto3's JSON form, as Google's service gives them: bytes in base64, 64-bit numbers as text, durations as `300s`.
 * Wary's own fields only where `wary` is true: other clients may refuse what they do not know.
 */
export function searchJson(answer: SearchAnswer): JsonObject {
  return asObject(toJson(SearchHashesResponseSchema, toSearchMessage(answer)))
}

export function hashListJson(update: ListUpdate, wary: boolean): JsonObject {
  return asObject(toJson(HashListSchema, toMessage(wary ? update : { ...update, signed: undefined })))
}

export function batchJson(updates: readonly ListUpdate[], wary: boolean): JsonObject {
  const hashLists = updates.map((update) => toMessage(wary ? update : { ...update, signed: undefined }))
  return asObject(toJson(BatchGetHashListsResponseSchema, create(BatchGetHashListsResponseSchema, { hashLists })))
}

export function listsJson(updates: readonly ListUpdate[]): JsonObject {
  const hashLists = updates.map((update) => toMessage({ ...update, signed: undefined }))
  return asObject(toJson(ListHashListsResponseSchema, create(ListHashListsResponseSchema, { hashLists })))
}

function asObject(json: unknown): JsonObject {
  return json as JsonObject
}
