import { sha256 as noble } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { ExpressionHashes, type Spans } from '../../src/hash/expression-hashes.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { sha256 } from '../../src/hash/sha256.ts'

function hex(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const words = new Int32Array(10)
  sha256(bytes, start, end, words, 1)
  return [...words.subarray(1, 9)].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

describe('sha256', () => {
  it('of each length from nothing to four blocks is that of the library', () => {
    for (let length = 0; length <= 260; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => Math.imul(i + length, 0x9e3779b1) >>> 24)
      expect(hex(bytes), `${length} bytes`).toBe(toHex(noble(bytes)))
    }
  })

  it('of any part of any bytes is that of the library', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(400), fc.nat(400), (bytes, a, b) => {
        const [start = 0, end = 0] = [a, b].map((at) => Math.min(at, bytes.length)).sort((x, y) => x - y)
        expect(hex(bytes, start, end)).toBe(toHex(noble(bytes.subarray(start, end))))
      }),
      { numRuns: 2000 },
    )
  })
})

function spans(starts: number[], ends: number[]): Spans {
  return { starts: Int32Array.from(starts), startCount: starts.length, ends: Int32Array.from(ends), endCount: ends.length }
}

describe('ExpressionHashes', () => {
  const text = 'a.example.org/path/to?query'
  const parts = ['example.org/', 'a.example.org/', 'example.org/path/', 'a.example.org/path/']

  it('hashes every part, ends first', () => {
    const hashes = new ExpressionHashes(30)
    hashes.hash(text, spans([2, 0], [14, 19]))
    expect(hashes.count).toBe(4)
    for (const [i, part] of parts.entries()) {
      expect(toHex(hashes.fullHash(i))).toBe(toHex(fullHash(part)))
      const view = new DataView(fullHash(part).buffer)
      expect([hashes.high(i), hashes.low(i)]).toEqual([view.getInt32(0), view.getInt32(4)])
    }
  })

  it('takes a text longer than the last one', () => {
    const hashes = new ExpressionHashes(1)
    const long = `example.org/${'x'.repeat(5000)}`
    hashes.hash(long, spans([0], [long.length]))
    expect(toHex(hashes.fullHash(0))).toBe(toHex(fullHash(long)))
  })

  it('refuses more parts than it has room for', () => {
    expect(() => new ExpressionHashes(3).hash(text, spans([2, 0], [14, 19]))).toThrow(RangeError)
  })
})
