import { createHash } from 'node:crypto'
import { equalBytes } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { encodeKeySet, type KeySet, keySetFingerprint } from '../lists/key-set.ts'
import type { SignedStatement } from '../lists/signed-state.ts'
import { decodeKeyChain, encodeKeyChain, keyChainJson } from '../protocol/key-chain-message.ts'
import { KEY_CHAIN_FILE, newestKeySet } from '../publisher/key-chain-file.ts'
import type { PublishedFolder } from '../publisher/published-folder.ts'
import { keySetOf, type PublishedManifest } from '../publisher/published-manifest.ts'

/** The publisher's key sets, ready to be served. */
export interface ServedKeys {
  /** Who signed the lists of this edition. */
  readonly set: KeySet
  /** WaryKeyChain that leads to it. */
  readonly bytes: Uint8Array
  /** Another one for every chain, without quotes. */
  readonly tag: string
  json(): ReturnType<typeof keyChainJson>
}

/**
 * The chain of a version; for a publisher with one key who published none, that key as a set, which needs no signature.
 * @throws {WaryError} `publish-damaged`, `state-format` or `keys-chain` for a chain that does not lead to the set of the manifest
 */
export function loadKeys(folder: PublishedFolder, version: string, manifest: PublishedManifest): ServedKeys {
  const set = keySetOf(manifest)
  const chain: readonly SignedStatement[] = manifest.keySet
    ? decodeKeyChain(folder.read(version, KEY_CHAIN_FILE))
    : [{ statement: encodeKeySet(set), signatures: [] }]
  if (!equalBytes(keySetFingerprint(newestKeySet(chain)), keySetFingerprint(set)))
    throw new WaryError('publish-damaged', `${KEY_CHAIN_FILE} does not lead to the keys of the manifest`)
  const bytes = encodeKeyChain(chain)
  return { set, bytes, tag: createHash('sha256').update(bytes).digest('hex').slice(0, 32), json: () => keyChainJson(chain) }
}
