import type { Fetch } from '../ports.ts'
import { download } from '../protocol/download.ts'
import { decodeBatch } from '../protocol/hash-list-message.ts'
import { LISTS_PATH } from '../protocol/paths.ts'

const LONGEST_ANSWER_BYTES = 1024 * 1024
const TIMEOUT_MS = 5000

/**
 * Names of the lists that a server offers (v5, hashLists.list; its answer has the form of a batch, without entries).
 * @throws {WaryError} `http-*` or `list-format`
 */
export async function fetchListNames(server: string, fetch: Fetch): Promise<readonly string[]> {
  const { bytes } = await download(server + LISTS_PATH, { fetch, limitBytes: LONGEST_ANSWER_BYTES, timeoutMs: TIMEOUT_MS })
  return decodeBatch(bytes).map((update) => update.name)
}
