import { createHash } from 'node:crypto'
import { toHex } from '../bytes.ts'
import type { ListUpdate } from '../lists/list-update.ts'
import { hashListJson } from '../protocol/json.ts'

/** A list, or what changes in it, as it is sent. */
export interface ServedUpdate {
  /** In protobuf. */
  readonly bytes: Uint8Array
  /** Another one for any other bytes, without quotes. */
  readonly tag: string
  readonly minimumWaitMs: number
  /** In JSON; made once, because coding entries takes its time. */
  json(wary: boolean): ReturnType<typeof hashListJson>
}

export function servedUpdate(update: ListUpdate, bytes: Uint8Array): ServedUpdate {
  const forms = new Map<boolean, ReturnType<typeof hashListJson>>()
  return {
    bytes,
    tag: tagOf(bytes),
    minimumWaitMs: update.minimumWaitMs,
    json: (wary) => {
      const form = forms.get(wary) ?? hashListJson(update, wary)
      forms.set(wary, form)
      return form
    },
  }
}

/** The beginning of the SHA-256. */
export function tagOf(bytes: Uint8Array): string {
  return toHex(new Uint8Array(createHash('sha256').update(bytes).digest()).subarray(0, 16))
}
