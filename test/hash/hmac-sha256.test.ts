import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { hmacSha256 } from '../../src/hash/hmac-sha256.ts'

const text = (value: string): Uint8Array => new TextEncoder().encode(value)

describe('HMAC-SHA-256', () => {
  test('RFC 4231, test cases 1, 2 and 6', () => {
    expect(toHex(hmacSha256(new Uint8Array(20).fill(0x0b), text('Hi There')))).toBe(
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    )
    expect(toHex(hmacSha256(text('Jefe'), text('what do ya want for nothing?')))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
    expect(toHex(hmacSha256(new Uint8Array(131).fill(0xaa), text('Test Using Larger Than Block-Size Key - Hash Key First')))).toBe(
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    )
  })

  test('as Node has it, for keys and messages of every length around the block', () => {
    for (let length = 0; length < 140; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => i * 7)
      expect(toHex(hmacSha256(bytes, bytes))).toBe(createHmac('sha256', bytes).update(bytes).digest('hex'))
    }
  })
})
