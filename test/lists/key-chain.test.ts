import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LONGEST_CHAIN, openKeyChain } from '../../src/lists/key-chain.ts'
import { encodeKeySet, type KeySet, keySetFingerprint, makeKeySet } from '../../src/lists/key-set.ts'
import type { SignedStatement } from '../../src/lists/signed-state.ts'
import { SigningKey } from '../../src/publisher/key-file.ts'
import { verifyEd25519 } from '../support/signed-list.ts'

const keys = Array.from({ length: 8 }, () => new SigningKey(generateKeyPairSync('ed25519').privateKey))
const key = (i: number): SigningKey => keys[i] as SigningKey
const set = (version: number, threshold: number, ...of: number[]): KeySet =>
  makeKeySet(
    version,
    threshold,
    of.map((i) => key(i).publicKey),
  )
const link = (of: KeySet, ...signers: number[]): SignedStatement => {
  const statement = encodeKeySet(of)
  return { statement, signatures: signers.flatMap((i) => key(i).signed(statement).signatures) }
}
const open = (chain: readonly SignedStatement[], trusted: KeySet, held = false): Promise<KeySet> =>
  openKeyChain(chain, held ? { set: trusted } : { fingerprint: keySetFingerprint(trusted) }, verifyEd25519)

const first = set(1, 3, 0, 1, 2, 3, 4)
const second = set(2, 2, 4, 5, 6)
const third = set(3, 1, 7)
/** Each signature of it is needed. */
const chain = [link(first), link(second, 0, 1, 4, 5), link(third, 5, 6, 7)]

describe('openKeyChain', () => {
  it('goes from each trusted set to the newest', async () => {
    for (const trusted of [first, second, third]) {
      expect(await open(chain, trusted)).toEqual(third)
      expect(await open(chain, trusted, true)).toEqual(third)
    }
  })

  it('of 3 of 5: takes a rotation if three former keys or more have signed it, whoever they are', async () => {
    for (let mask = 0; mask < 32; mask++) {
      const some = [0, 1, 2, 3, 4].filter((i) => (mask >> i) & 1)
      const opened = open([link(first), link(set(2, 1, 7), ...some, 7)], first)
      if (some.length >= 3) expect((await opened).version).toBe(2)
      else
        await expect(opened).rejects.toMatchObject({
          code: 'keys-chain',
          message: expect.stringContaining('is not signed by those of version 1'),
        })
    }
  })

  it('asks the new keys as well: nobody hands over to keys that nobody holds', async () => {
    for (let mask = 0; mask < 8; mask++) {
      const some = [5, 6, 7].filter((_, i) => (mask >> i) & 1)
      const opened = open([link(first), link(set(2, 2, 5, 6, 7), 0, 1, 2, ...some)], first)
      if (some.length >= 2) expect((await opened).version).toBe(2)
      else await expect(opened).rejects.toMatchObject({ code: 'keys-chain', message: expect.stringContaining('its own keys') })
    }
  })

  it('is not moved by any bit of what follows the trusted set', async () => {
    const flip = (bytes: Uint8Array, bit: number): Uint8Array => bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
    const refused = async (changed: readonly SignedStatement[]): Promise<void> => {
      await expect(open(changed, first)).rejects.toMatchObject({ code: expect.stringMatching(/^(keys-chain|state-format)$/) })
    }
    for (const at of [1, 2]) {
      const signed = chain[at] as SignedStatement
      for (let bit = 0; bit < 8 * signed.statement.length; bit += 3)
        await refused(chain.with(at, { ...signed, statement: flip(signed.statement, bit) }))
      for (const [i, each] of signed.signatures.entries()) {
        for (let bit = 0; bit < 8 * 64; bit += 7)
          await refused(
            chain.with(at, { ...signed, signatures: signed.signatures.with(i, { ...each, signature: flip(each.signature, bit) }) }),
          )
      }
    }
  })

  it('is not moved by an old chain, played again', async () => {
    for (const length of [1, 2])
      await expect(open(chain.slice(0, length), third, true)).rejects.toMatchObject({
        code: 'keys-rollback',
        message: expect.stringContaining(`end at version ${length}, and version 3 is known here`),
      })
    await expect(open(chain.slice(0, 2), third)).rejects.toMatchObject({ code: 'keys-unknown' })
  })

  it('is not moved by a gap, an exchange, or another set of the same version', async () => {
    const [a, b, c] = chain as [SignedStatement, SignedStatement, SignedStatement]
    const forked = link(set(2, 1, 6), 0, 1, 2, 6)
    for (const wrong of [[a, c], [a, b, b, c], [a, c, b], [b, a, c], []])
      await expect(open(wrong, first)).rejects.toMatchObject({ code: 'keys-chain' })
    await expect(open([a, forked], second, true)).rejects.toMatchObject({ code: 'keys-unknown' })
    await expect(open([a, forked, c], second)).rejects.toMatchObject({ code: 'keys-unknown' })
  })

  it(`has at most ${LONGEST_CHAIN} sets, of which the oldest may be left out`, async () => {
    const sets = Array.from({ length: LONGEST_CHAIN + 1 }, (_, i) => set(i + 1, 1, i % 8))
    const long = sets.map((each, i) => link(each, i % 8, (i + 7) % 8))
    await expect(open(long, sets[1] as KeySet)).rejects.toMatchObject({ code: 'keys-chain', message: expect.stringContaining('not 65') })
    expect((await open(long.slice(1), sets[1] as KeySet)).version).toBe(65)
    await expect(open(long.slice(1), sets[0] as KeySet)).rejects.toMatchObject({ code: 'keys-unknown' })
  })

  it('asks for no signature of what comes before the trusted set', async () => {
    let asked = 0
    const counting: typeof verifyEd25519 = (...args) => {
      asked++
      return verifyEd25519(...args)
    }
    expect(await openKeyChain(chain, { set: third }, counting)).toEqual(third)
    expect(asked).toBe(0)
    await openKeyChain(chain, { set: second }, counting)
    expect(asked).toBe(3)
  })
})
