import { equalBytes } from '../bytes.ts'
import { asWaryError, WaryError } from '../errors.ts'
import type { VerifyEd25519 } from '../ports.ts'
import { decodeKeySet, type KeySet, keySetFingerprint } from './key-set.ts'
import { opening, type SignedStatement } from './signed-state.ts'
import { type Verifying, verified } from './verifying.ts'

/** Whoever rotates more often drops the oldest sets, and with them the subscribe links that carry their fingerprints. */
export const LONGEST_CHAIN = 64

/** The key set that somebody trusts: pinned by the fingerprint of a subscribe link, or held since a former look at the chain. */
export type TrustedKeys = { readonly fingerprint: Uint8Array } | { readonly set: KeySet }

/**
 * The newest key set of a publisher, by way of a chain of signed sets, oldest first (docs/protocol.md, "Key chain"): the trusted set is in
 * it, and each set after that is signed by enough keys of the set before it and by enough keys of its own.
 *
 * @throws {WaryError} `state-format` for a set that cannot be decoded, `keys-chain` for versions that do not rise by one, too many or no
 *   sets, or a set that is not signed as it must be, `keys-rollback` when the chain ends before the set held, `keys-unknown` when the
 *   trusted set is not in it
 */
export function openKeyChain(chain: readonly SignedStatement[], trusted: TrustedKeys, verify: VerifyEd25519): Promise<KeySet> {
  return verified(openingKeyChain(chain, trusted), verify)
}

/** `openKeyChain` for whoever answers the questions. */
export function* openingKeyChain(chain: readonly SignedStatement[], trusted: TrustedKeys): Verifying<KeySet> {
  const sets = keySetsOf(chain)
  let at = trustedIndex(sets, trusted)
  let newest = sets[at] as KeySet
  // What comes before the trusted set has no say in what comes after it.
  for (at++; at < sets.length; at++) {
    const set = sets[at] as KeySet
    const signed = chain[at] as SignedStatement
    yield* signedBy(signed, newest, `version ${set.version} of the keys is not signed by those of version ${newest.version}`)
    yield* signedBy(signed, set, `version ${set.version} of the keys is not signed by its own keys`)
    newest = set
  }
  return newest
}

/** The sets of a chain, decoded and in order; no signature is looked at. @throws {WaryError} `state-format`, `keys-chain` */
export function keySetsOf(chain: readonly SignedStatement[]): readonly KeySet[] {
  if (chain.length === 0 || chain.length > LONGEST_CHAIN)
    throw new WaryError('keys-chain', `a chain has 1 to ${LONGEST_CHAIN} key sets, not ${chain.length}`)
  const sets = chain.map(({ statement }) => decodeKeySet(statement))
  for (let i = 1; i < sets.length; i++) {
    const [former, next] = [(sets[i - 1] as KeySet).version, (sets[i] as KeySet).version]
    if (next !== former + 1) throw new WaryError('keys-chain', `version ${next} of the keys follows version ${former}`)
  }
  return sets
}

function trustedIndex(sets: readonly KeySet[], trusted: TrustedKeys): number {
  const held = 'set' in trusted ? trusted.set : undefined
  const newest = (sets.at(-1) as KeySet).version
  if (held && newest < held.version)
    throw new WaryError('keys-rollback', `the publisher's keys end at version ${newest}, and version ${held.version} is known here`)
  const fingerprint = 'set' in trusted ? keySetFingerprint(trusted.set) : trusted.fingerprint
  const at = sets.findIndex((set) => equalBytes(keySetFingerprint(set), fingerprint))
  if (at < 0) throw new WaryError('keys-unknown', "the publisher's keys are not those that are trusted here, nor do they follow from them")
  return at
}

function* signedBy(signed: SignedStatement, set: KeySet, otherwise: string): Verifying<void> {
  try {
    yield* opening(signed, set)
  } catch (error) {
    throw new WaryError('keys-chain', `${otherwise}: ${asWaryError(error).message}`, { cause: error })
  }
}
