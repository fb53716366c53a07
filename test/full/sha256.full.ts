import { sha256 as noble } from '@noble/hashes/sha2.js'
import { expect, it } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { sha256 } from '../../src/hash/sha256.ts'

it('counts the bits of a message of more than 2^29 bytes in both words', () => {
  const bytes = new Uint8Array(2 ** 29 + 3)
  const words = new Int32Array(8)
  sha256(bytes, 0, bytes.length, words, 0)
  expect([...words].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')).toBe(toHex(noble(bytes)))
})
