import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { asFullHash, fullHash } from '../../src/hash/full-hash.ts'
import { hashPrefix, prefixBytes, prefixHex } from '../../src/hash/hash-prefix.ts'

describe('fullHash', () => {
  it('agrees with the platform on UTF-8', () => {
    for (const expression of ['', 'bad.test/', 'bad.test/ü€😀', '\u0000', 'x'.repeat(1000)]) {
      expect(toHex(fullHash(expression))).toBe(createHash('sha256').update(expression).digest('hex'))
    }
  })
  it('has 32 bytes', () => expect(() => asFullHash(new Uint8Array(31))).toThrow(expect.objectContaining({ code: 'list-format' })))
})

describe('hashPrefix', () => {
  it('is unsigned and big-endian, and comes back', () => {
    const prefix = hashPrefix(new Uint8Array([0xff, 0x00, 0x01, 0x80, 9]))
    expect(prefix).toBe(0xff000180)
    expect(prefixHex(prefix)).toBe('ff000180')
    expect(prefixHex(hashPrefix(new Uint8Array([0, 0, 0, 1])))).toBe('00000001')
    expect([...prefixBytes(prefix)]).toEqual([0xff, 0x00, 0x01, 0x80])
  })
  it('needs four bytes', () => expect(() => hashPrefix(new Uint8Array(3))).toThrow(RangeError))
})
