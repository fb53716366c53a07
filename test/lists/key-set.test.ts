import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareBytes } from '../../src/bytes.ts'
import { decodeKeySet, encodeKeySet, type KeySet, keySetFingerprint, MOST_KEYS, makeKeySet, singleKey } from '../../src/lists/key-set.ts'
import { encodeListState, openStatement, type SignedStatement } from '../../src/lists/signed-state.ts'
import { KeyRing } from '../../src/publisher/key-ring.ts'
import { SigningKey } from '../../src/publisher/key-file.ts'
import { planned, verifyEd25519 } from '../support/signed-list.ts'

const keys = Array.from({ length: 5 }, () => new SigningKey(generateKeyPairSync('ed25519').privateKey))
const publicKeys = keys.map(({ publicKey }) => publicKey)
const statement = encodeListState(planned({}).state)
const signedBy = (some: readonly SigningKey[]): SignedStatement => ({
  statement,
  signatures: some.flatMap((key) => key.signed(statement).signatures),
})
const failing = (code: string, message = /./) => expect.objectContaining({ code, message: expect.stringMatching(message) })

describe('a key set', () => {
  it('comes back from its statement, sorted; no bit and no end of it may change', () => {
    const sets = fc
      .uniqueArray(fc.uint8Array({ minLength: 32, maxLength: 32 }), { minLength: 1, maxLength: MOST_KEYS, selector: (key) => key.join() })
      .chain((each) =>
        fc.record({ keys: fc.constant(each), version: fc.integer({ min: 1 }), threshold: fc.integer({ min: 1, max: each.length }) }),
      )
    fc.assert(
      fc.property(sets, fc.nat(), (plan, at) => {
        const set = makeKeySet(plan.version, plan.threshold, plan.keys)
        const bytes = encodeKeySet(set)
        expect(decodeKeySet(bytes)).toEqual(set)
        expect(set.keys).toEqual([...plan.keys].sort(compareBytes))
        expect(() => decodeKeySet(bytes.subarray(0, at % bytes.length))).toThrow(failing('state-format'))
        expect(() => decodeKeySet(new Uint8Array([...bytes, 0]))).toThrow(failing('state-format'))
        // A flipped bit is refused or makes another set, which another fingerprint tells apart.
        const flipped = bytes.slice()
        flipped[at % bytes.length] = (flipped[at % bytes.length] as number) ^ (1 << (at & 7))
        try {
          expect(keySetFingerprint(decodeKeySet(flipped))).not.toEqual(keySetFingerprint(set))
        } catch (error) {
          expect(error).toEqual(failing('state-format'))
        }
      }),
    )
  })

  it('has one fingerprint, in whatever order its keys are given', () => {
    const one = keySetFingerprint(makeKeySet(1, 2, publicKeys))
    expect(keySetFingerprint(makeKeySet(1, 2, [...publicKeys].reverse()))).toEqual(one)
    for (const other of [makeKeySet(2, 2, publicKeys), makeKeySet(1, 3, publicKeys), makeKeySet(1, 2, publicKeys.slice(1))])
      expect(keySetFingerprint(other)).not.toEqual(one)
  })

  it.each<[string, () => KeySet, RegExp]>([
    ['no key', () => makeKeySet(1, 1, []), /1 to 16 keys, not 0/],
    [
      '17 keys',
      () =>
        makeKeySet(
          1,
          1,
          Array.from({ length: 17 }, (_, i) => new Uint8Array(32).fill(i)),
        ),
      /not 17/,
    ],
    ['the same key twice', () => makeKeySet(1, 1, [...publicKeys, publicKeys[0] as Uint8Array]), /same key twice/],
    ['a threshold out of reach', () => makeKeySet(1, 6, publicKeys), /5 keys cannot give 6 signatures/],
    ['a threshold out of reach of one', () => makeKeySet(1, 2, publicKeys.slice(1, 2)), /one key cannot give 2 signatures/],
    ['a threshold of nobody', () => makeKeySet(1, 0, publicKeys), /cannot give 0/],
    ['version 0', () => makeKeySet(0, 1, publicKeys), /version 0/],
    ['a fraction', () => makeKeySet(1.5, 1, publicKeys), /version 1.5/],
    ['half a key', () => singleKey(new Uint8Array(16)), /16 bytes instead of 32/],
  ])('is not made of %s', (_what, make, message) => {
    expect(make).toThrow(failing('key-set', message))
  })

  it('that nobody would take is not encoded either', () => {
    expect(() => encodeKeySet({ version: 1, threshold: 1, keys: [...makeKeySet(1, 1, publicKeys).keys].reverse() })).toThrow(
      failing('state-format', /not in order/),
    )
  })
})

describe('openStatement', () => {
  const threeOfFive = makeKeySet(1, 3, publicKeys)

  it('of 3 of 5: each of the 32 ways to sign opens if three or more have', async () => {
    for (let mask = 0; mask < 32; mask++) {
      const some = keys.filter((_, i) => (mask >> i) & 1)
      const opened = openStatement(signedBy(some), threeOfFive, verifyEd25519)
      if (some.length >= 3) expect(await opened).toBe(statement)
      else await expect(opened).rejects.toMatchObject({ code: some.length === 0 ? 'state-key-unknown' : 'state-threshold' })
    }
  })

  it('says how many have signed and how many must', async () => {
    await expect(openStatement(signedBy(keys.slice(0, 2)), threeOfFive, verifyEd25519)).rejects.toThrow(
      "signed by 2 of the publisher's 5 keys, where 3 are needed",
    )
  })

  it('counts a key once, however often and under whatever id it has signed', async () => {
    const [first, second] = keys as [SigningKey, SigningKey]
    const twoOfFive = makeKeySet(1, 2, publicKeys)
    const [own] = first.signed(statement).signatures
    if (!own) throw new Error('no signature')
    const sames = [Array.from({ length: 8 }, () => own), publicKeys.map((_, i) => ({ ...own, keyId: (keys[i] as SigningKey).id }))]
    for (const signatures of sames)
      await expect(openStatement({ statement, signatures }, twoOfFive, verifyEd25519)).rejects.toMatchObject({ code: 'state-threshold' })
    const both = [...(sames[1] ?? []), ...second.signed(statement).signatures]
    expect(await openStatement({ statement, signatures: both }, twoOfFive, verifyEd25519)).toBe(statement)
  })

  it('holds for no statement and no signature with a bit flipped', async () => {
    const two = keys.slice(0, 2)
    const set = makeKeySet(
      1,
      2,
      two.map(({ publicKey }) => publicKey),
    )
    const good = new KeyRing(two).signed(statement)
    expect(await openStatement(good, set, verifyEd25519)).toBe(statement)
    const flip = (bytes: Uint8Array, bit: number): Uint8Array => bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
    let flips = 0
    const refused = async (signed: SignedStatement): Promise<void> => {
      flips++
      await expect(openStatement(signed, set, verifyEd25519)).rejects.toMatchObject({
        code: expect.stringMatching(/^state-(signature|threshold|key-unknown)$/),
      })
    }
    for (let bit = 0; bit < 8 * statement.length; bit++) await refused({ ...good, statement: flip(statement, bit) })
    for (const [i, each] of good.signatures.entries()) {
      const changed = (change: Partial<typeof each>) => ({ ...good, signatures: good.signatures.with(i, { ...each, ...change }) })
      for (let bit = 0; bit < 8 * 64; bit++) await refused(changed({ signature: flip(each.signature, bit) }))
      for (let bit = 0; bit < 8 * 8; bit++) await refused(changed({ keyId: flip(each.keyId, bit) }))
    }
    expect(flips).toBe(8 * (statement.length + 2 * (64 + 8)))
  })
})
