import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashKey, seedWords } from '../../src/filter/key-hash.ts'
import { BLOCK, murmur3x128 } from '../../src/filter/murmur3-128.ts'

function words(bytes: Uint8Array, seed: number): Int32Array {
  const padded = new Uint8Array(bytes.length + BLOCK)
  padded.set(bytes)
  const out = new Int32Array(4)
  murmur3x128(new DataView(padded.buffer), bytes.length, seed, out)
  return out
}

describe('hashKey', () => {
  const ofText = (text: string, seed: number): number[] => {
    const out = new Int32Array(4)
    hashKey(text, seed, out)
    return [...out]
  }

  it('takes a text of any length and alphabet as its UTF-8', () => {
    const texts = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ minLength: 80, maxLength: 120 }),
    )
    fc.assert(
      fc.property(texts, fc.integer(), (text, seed) => {
        expect(ofText(text, seed)).toEqual([...words(new TextEncoder().encode(text), seed)])
      }),
      { numRuns: 2000 },
    )
    for (const length of [15, 16, 17, 95, 96, 97, 1023, 1024, 1025, 5000]) {
      for (const character of ['a', 'ü', '字', '😀']) {
        const text = character.repeat(length)
        expect(ofText(text, 3), `${length} x ${character}`).toEqual([...words(new TextEncoder().encode(text), 3)])
      }
    }
  })

  it('takes bytes of any length, one after the other', () => {
    for (const length of [3000, 0, 1, 5, 3072, 3073, 10_000, 16]) {
      const bytes = Uint8Array.from({ length }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 24)
      const out = new Int32Array(4)
      hashKey(bytes, 9, out)
      expect([...out], `${length} bytes`).toEqual([...words(bytes, 9)])
    }
  })
})

describe('seedWords', () => {
  it('differ in both halves for seeds that differ', () => {
    const seeds = [0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff]
    expect(new Set(seeds.map((seed) => seedWords(seed).high)).size).toBe(seeds.length)
    expect(new Set(seeds.map((seed) => seedWords(seed).low)).size).toBe(seeds.length)
  })
})
