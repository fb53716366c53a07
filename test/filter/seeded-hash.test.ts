import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seedWords } from '../../src/filter/key-hash.ts'
import { readyOf, seededHigh } from '../../src/filter/seeded-hash.ts'

it('has a way back, so that hashes that differ still do', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), fc.integer(), (high, low, seed) => {
      const words = seedWords(seed)
      expect(readyOf(seededHigh(high, low, words.low), low ^ words.high, words)).toEqual([high, low])
    }),
  )
})
