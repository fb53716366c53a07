import { describe, expect, test } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { parseManifest } from '../../src/publisher/published-manifest.ts'
import { TestPublisher } from '../support/signed-list.ts'

const { key } = new TestPublisher()
const manifest = {
  format: 1,
  epoch: 1,
  sequence: 2,
  issuedAt: 3000,
  expiresAt: 4000,
  publicKey: toHex(key.publicKey),
  keyId: toHex(key.id),
  lists: [{ name: 'se-4b', entries: 5 }],
}

describe('a manifest', () => {
  test('is what was written, without what nobody knows', () => {
    expect(parseManifest(JSON.stringify({ ...manifest, later: 1, lists: [{ ...manifest.lists[0], later: 1 }] }))).toEqual(manifest)
  })

  test.each([
    ['no JSON', '{', /JSON/],
    ['no object', '[1]', 'its format is not known'],
    ['null', 'null', 'not an object'],
    ['another format', { ...manifest, format: 2 }, 'its format is not known'],
    ['a number as text', { ...manifest, epoch: '1' }, 'epoch is no whole number'],
    ['a fraction', { ...manifest, sequence: 1.5 }, 'sequence is no whole number'],
    ['a negative number', { ...manifest, issuedAt: -1 }, 'issuedAt is no whole number'],
    ['a time that no date has', { ...manifest, expiresAt: 8.65e15 }, 'expiresAt is no whole number'],
    ['no key', { ...manifest, publicKey: undefined }, 'publicKey is no key'],
    ['markup instead of a key', { ...manifest, publicKey: '<b>' }, 'publicKey is no key'],
    ['another id', { ...manifest, keyId: '0'.repeat(16) }, 'keyId is not that of publicKey'],
    ['no lists', { ...manifest, lists: {} }, 'lists is no list'],
    ['a path as a name', { ...manifest, lists: [{ name: '../../etc/passwd', entries: 1 }] }, 'a list has no usable name'],
    ['no entries', { ...manifest, lists: [{ name: 'se-4b' }] }, 'entries is no whole number'],
    ['a list that is null', { ...manifest, lists: [null] }, 'not an object'],
  ])('refuses %s', (_what, value, message) => {
    expect(() => parseManifest(typeof value === 'string' ? value : JSON.stringify(value))).toThrow(message)
  })
})
