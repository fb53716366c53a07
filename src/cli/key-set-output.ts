import { toHex } from '../bytes.ts'
import { type KeySet, keySetFingerprint } from '../lists/key-set.ts'
import { keyId } from '../lists/signed-state.ts'
import { formatSubscribeLink } from '../lists/subscribe-link.ts'
import type { PublisherKeys } from '../publisher/publisher-keys.ts'
import type { Output } from './output.ts'

/** Stands for the address of a server that only its operator knows. */
const SOME_SERVER = 'https://lists.example'

/** A key set in JSON. */
export function keySetFacts(set: KeySet) {
  return {
    version: set.version,
    threshold: set.threshold,
    keys: set.keys.map((key) => ({ keyId: toHex(keyId(key)), publicKey: toHex(key) })),
    fingerprint: toHex(keySetFingerprint(set)),
  }
}

/** `2 of 3 keys must sign` */
export function quorum({ threshold, keys }: KeySet): string {
  return keys.length === 1 ? 'one key, which must sign' : `${threshold} of ${keys.length} keys must sign`
}

/** What others subscribe by; with an example in place of an address that is not known here. */
export function subscribeLink(set: KeySet, server = SOME_SERVER): string {
  return formatSubscribeLink({ server, fingerprint: keySetFingerprint(set) })
}

export function showKeySet(set: KeySet, output: Output): void {
  output.table([...set.keys.map((key) => [`key ${toHex(keyId(key))}`, toHex(key)]), ['fingerprint', toHex(keySetFingerprint(set))]])
}

interface SignedBy {
  readonly keys: PublisherKeys
  readonly publicKey: string
  readonly keyId: string
}

/** Who signed a version, in JSON. */
export function signerFacts({ keys, publicKey, keyId }: SignedBy) {
  return { publicKey, keyId, fingerprint: toHex(keySetFingerprint(keys.set)), subscribeLink: subscribeLink(keys.set) }
}

/** Who signed a version, and how others subscribe to it. */
export function signerRows({ keys, publicKey }: SignedBy): readonly (readonly string[])[] {
  const signer = keys.chain ? ['keys', `version ${keys.set.version}: ${quorum(keys.set)}`] : ['public key', publicKey]
  return [signer, ['subscribe link', subscribeLink(keys.set)]]
}
