import { createPrivateKey, sign } from 'node:crypto'
import { expect } from 'vitest'
import { fromHex, toHex } from '../../../src/bytes.ts'
import { decodeFilterState, encodeFilterState, type FilterState } from '../../../src/lists/filter-state.ts'
import { openKeyChain, type TrustedKeys } from '../../../src/lists/key-chain.ts'
import { decodeKeySet, encodeKeySet, keySetFingerprint, makeKeySet, singleKey } from '../../../src/lists/key-set.ts'
import { keyId, openStatement, type SignedStatement } from '../../../src/lists/signed-state.ts'
import { formatSubscribeLink, parseSubscribeLink } from '../../../src/lists/subscribe-link.ts'
import { decodeKeyChain, encodeKeyChain } from '../../../src/protocol/key-chain-message.ts'
import { verifyEd25519 } from '../signed-list.ts'
import { vectorKind } from '../vectors.ts'

interface Signed {
  readonly statement_hex: string
  readonly signatures: readonly { readonly key_id_hex: string; readonly signature_hex: string }[]
}
type Input =
  | { readonly what: 'key-set'; readonly version: number; readonly threshold: number; readonly public_keys_hex: readonly string[] }
  | { readonly what: 'statement'; readonly statement_hex: string }
  | (Signed & { readonly what: 'signed'; readonly key_set_hex: string })
  | { readonly what: 'chain'; readonly sets: readonly Signed[]; readonly trusted: Readonly<Record<string, string>> }
interface Output {
  readonly error?: string
  readonly statement_hex?: string
  readonly fingerprint_hex?: string
  readonly opens?: true
  readonly newest_fingerprint_hex?: string
}

const signedOf = ({ statement_hex, signatures }: Signed): SignedStatement => ({
  statement: fromHex(statement_hex),
  signatures: signatures.map((each) => ({ keyId: fromHex(each.key_id_hex), signature: fromHex(each.signature_hex) })),
})
const fingerprintOf = (statement: Uint8Array): string => toHex(keySetFingerprint(decodeKeySet(statement)))

function trustedOf({ fingerprint_hex: fingerprint, key_set_hex: set }: Readonly<Record<string, string>>): TrustedKeys {
  if (fingerprint !== undefined) return { fingerprint: fromHex(fingerprint) }
  if (set !== undefined) return { set: decodeKeySet(fromHex(set)) }
  throw new Error('an entry says nothing that is trusted')
}

async function outcome(input: Input): Promise<Output> {
  switch (input.what) {
    case 'key-set': {
      const set = makeKeySet(input.version, input.threshold, input.public_keys_hex.map(fromHex))
      const statement = encodeKeySet(set)
      expect(decodeKeySet(statement)).toEqual(set)
      return { statement_hex: toHex(statement), fingerprint_hex: fingerprintOf(statement) }
    }
    case 'statement':
      return { fingerprint_hex: fingerprintOf(fromHex(input.statement_hex)) }
    case 'signed':
      await openStatement(signedOf(input), decodeKeySet(fromHex(input.key_set_hex)), verifyEd25519)
      return { opens: true }
    case 'chain': {
      const chain = input.sets.map(signedOf)
      // As it travels.
      expect(decodeKeyChain(encodeKeyChain(chain))).toEqual(chain)
      const newest = await openKeyChain(chain, trustedOf(input.trusted), verifyEd25519)
      return { newest_fingerprint_hex: toHex(keySetFingerprint(newest)) }
    }
  }
}

const keySets = vectorKind<Input, Output>(/^wary_key_sets/, async ({ input, expected }) => {
  if (expected.error === undefined) expect(await outcome(input)).toEqual(expected)
  else await expect(outcome(input)).rejects.toMatchObject({ name: 'WaryError', code: expected.error })
})

interface FilterInput {
  readonly private_key_hex: string
  readonly state: Omit<FilterState, 'checksum' | 'issuedAt' | 'expiresAt'> & { checksum: string; issued: number; expires: number }
}
const PKCS8 = fromHex('302e020100300506032b657004220420')

const filterStates = vectorKind<FilterInput, Readonly<Record<string, string>>>(/^wary_filter_state/, async ({ input, expected }) => {
  const { checksum, issued, expires, ...rest } = input.state
  const state: FilterState = { ...rest, checksum: fromHex(checksum), issuedAt: issued * 1000, expiresAt: expires * 1000 }
  const statement = encodeFilterState(state)
  expect(decodeFilterState(statement)).toEqual(state)
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, fromHex(input.private_key_hex)]), format: 'der', type: 'pkcs8' })
  const publicKey = fromHex(expected.public_key_hex ?? '')
  const signature = new Uint8Array(sign(null, statement, key))
  expect({
    ...expected,
    statement_hex: toHex(statement),
    key_id_hex: toHex(keyId(publicKey)),
    signature_hex: toHex(signature),
  }).toEqual(expected)
  const signed = { statement, signatures: [{ keyId: keyId(publicKey), signature }] }
  expect(await openStatement(signed, singleKey(publicKey), verifyEd25519)).toBe(statement)
})

const links = vectorKind<string, { readonly server?: string; readonly fingerprint_hex?: string; readonly error?: string }>(
  /^wary_subscribe_links/,
  ({ input, expected }) => {
    if (expected.error !== undefined) {
      expect(() => parseSubscribeLink(input)).toThrow(expect.objectContaining({ name: 'WaryError', code: expected.error }))
      return
    }
    const link = parseSubscribeLink(input)
    expect({ server: link.server, fingerprint_hex: toHex(link.fingerprint) }).toEqual(expected)
    expect(formatSubscribeLink(link)).toBe(`${expected.server}/#wary=${expected.fingerprint_hex}`)
  },
)

export const KEY_KINDS = [keySets, filterStates, links]
