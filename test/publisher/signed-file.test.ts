import { expect, test } from 'vitest'
import { encodeHashList } from '../../src/protocol/hash-list-message.ts'
import { encodeSignedState } from '../../src/protocol/signed-state-message.ts'
import { KeyRing } from '../../src/publisher/key-ring.ts'
import { withSignatures } from '../../src/publisher/signed-file.ts'
import { fullUpdate, nothingNew, TestPublisher } from '../support/signed-list.ts'

const publisher = new TestPublisher()
const ring = new KeyRing([publisher.key, new TestPublisher().key, new TestPublisher().key])

test.each([
  ['a whole list', fullUpdate(publisher, { expressions: ['evil.test/'] })],
  ['a list of 8 bytes', fullUpdate(publisher, { name: 'mw-8b', expressions: ['evil.test/'] })],
  ['a partial update', nothingNew(publisher)],
  ['a partial update with changes', { ...fullUpdate(publisher), partial: true, removals: Uint32Array.of(1, 2, 3) }],
])('signatures come into %s as if they had been there at once', (_what, update) => {
  const statement = update.signed?.statement ?? new Uint8Array()
  const unsigned = encodeHashList({ ...update, signed: { statement, signatures: [] } })
  const signed = ring.signed(statement)
  expect(withSignatures(unsigned, signed)).toEqual(encodeHashList({ ...update, signed }))
  // Another statement's do not, nor do they a second time.
  expect(withSignatures(unsigned, ring.signed(statement.subarray(1)))).toBeUndefined()
  expect(withSignatures(encodeHashList({ ...update, signed }), signed)).toBeUndefined()
})

test('and into a signed state by itself', () => {
  const statement = new TextEncoder().encode('a statement')
  const signed = ring.signed(statement)
  expect(withSignatures(encodeSignedState({ statement, signatures: [] }), signed)).toEqual(encodeSignedState(signed))
  expect(withSignatures(new Uint8Array(0), signed)).toBeUndefined()
})
