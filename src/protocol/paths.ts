import { toBase64 } from '../bytes.ts'
import { type HashPrefix, prefixBytes } from '../hash/hash-prefix.ts'

function base64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_')
}

/** GET target of hashes:search for one prefix: always of the same length. @param apiKey the user's own, where the server asks for one */
export function searchPath(prefix: HashPrefix, apiKey?: string): string {
  return `/v5/hashes:search?hashPrefixes=${encodeURIComponent(base64Url(prefixBytes(prefix)))}${keyPart(apiKey)}`
}

/** GET target of hashLists:batchGet. `versions` are those held, in the order of `names`; empty for none. */
export function batchPath(names: readonly string[], versions: readonly Uint8Array[], apiKey?: string): string {
  const query = [
    ...names.map((name) => `names=${encodeURIComponent(name)}`),
    ...(versions.some((version) => version.length > 0)
      ? versions.map((version) => `version=${encodeURIComponent(base64Url(version))}`)
      : []),
  ]
  return `/v5/hashLists:batchGet?${query.join('&')}${keyPart(apiKey)}`
}

function keyPart(apiKey: string | undefined): string {
  return apiKey === undefined ? '' : `&key=${encodeURIComponent(apiKey)}`
}

export const LISTS_PATH = '/v5/hashLists'

/** GET target of a list's filter. @param held the state of the one that is held: the answer may then be a delta */
export function filterPath(name: string, held?: { readonly epoch: number; readonly sequence: number }): string {
  return `/v1/filters/${encodeURIComponent(name)}${held === undefined ? '' : `?from=${held.epoch}.${held.sequence}`}`
}

/** GET target of the chain of a publisher's key sets. */
export const KEYS_PATH = '/v1/keys'
