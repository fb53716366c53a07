import { expect, it } from 'vitest'
import { setBits } from '../../src/filter/bit-array.ts'

it('counts the bits of every byte', () => {
  for (let byte = 0; byte < 256; byte++) {
    expect(setBits(Uint8Array.of(byte))).toBe(byte.toString(2).replaceAll('0', '').length)
  }
  expect(setBits(new Uint8Array(1000).fill(0xa7))).toBe(5000)
  expect(setBits(new Uint8Array(0))).toBe(0)
})
