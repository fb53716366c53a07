import { expect, test } from 'vitest'
import { KeyRing } from '../../src/publisher/key-ring.ts'
import { verifiesEd25519 } from '../../src/publisher/ed25519.ts'
import { TestPublisher } from '../support/signed-list.ts'

test('each key of a ring signs, and none may be there twice', () => {
  const keys = [new TestPublisher().key, new TestPublisher().key]
  const message = new TextEncoder().encode('a statement')
  const { statement, signatures } = new KeyRing(keys).signed(message)
  expect(statement).toBe(message)
  expect(signatures.map(({ keyId }) => keyId)).toEqual(keys.map(({ id }) => id))
  for (const [i, { publicKey }] of keys.entries())
    expect(verifiesEd25519(publicKey, message, signatures[i]?.signature ?? new Uint8Array(64))).toBe(true)
  expect(() => new KeyRing([...keys, ...keys.slice(1)])).toThrow(expect.objectContaining({ code: 'key-set' }))
})
