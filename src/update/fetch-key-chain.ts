import type { SignedStatement } from '../lists/signed-state.ts'
import type { Fetch } from '../ports.ts'
import { download } from '../protocol/download.ts'
import { decodeKeyChain } from '../protocol/key-chain-message.ts'
import { KEYS_PATH } from '../protocol/paths.ts'

/** More than the longest chain with every signature that it can have. */
const LONGEST_ANSWER_BYTES = 512 * 1024
const TIMEOUT_MS = 15_000

/**
 * The key sets of a server's publisher, oldest first. Nothing of it is verified: that is for `openKeyChain`.
 * @throws {WaryError} `http-*` or `state-format`
 */
export async function fetchKeyChain(server: string, fetch: Fetch, signal?: AbortSignal): Promise<readonly SignedStatement[]> {
  const options = { fetch, limitBytes: LONGEST_ANSWER_BYTES, timeoutMs: TIMEOUT_MS, ...(signal ? { signal } : {}) }
  const { bytes } = await download(server + KEYS_PATH, options)
  return decodeKeyChain(bytes)
}
