import { toBase64 } from '../bytes.ts'
import { type HashPrefix, prefixBytes } from '../hash/hash-prefix.ts'

function base64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_')
}

/** GET target of hashes:search for one prefix: always of the same length. */
export function searchPath(prefix: HashPrefix): string {
  return `/v5/hashes:search?hashPrefixes=${encodeURIComponent(base64Url(prefixBytes(prefix)))}`
}

/** GET target of hashLists:batchGet. `versions` are those held, in the order of `names`; empty for none. */
export function batchPath(names: readonly string[], versions: readonly Uint8Array[]): string {
  const query = [
    ...names.map((name) => `names=${encodeURIComponent(name)}`),
    ...(versions.some((version) => version.length > 0)
      ? versions.map((version) => `version=${encodeURIComponent(base64Url(version))}`)
      : []),
  ]
  return `/v5/hashLists:batchGet?${query.join('&')}`
}

export const LISTS_PATH = '/v5/hashLists'

export function filterPath(name: string): string {
  return `/v1/filters/${encodeURIComponent(name)}`
}

/** The publisher's key sets (key-chain-message.ts). */
export const KEYS_PATH = '/v1/keys'
