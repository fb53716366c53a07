import { describe, expect, it } from 'vitest'
import { scaled } from '../../src/filter/probe.ts'

describe('scaled', () => {
  it.each([1, 2, 9_592_955, 14_377_589, 2 ** 31 - 1, 4_294_967_291, 2 ** 32 - 1, 2 ** 32])('is exact for %d bits', (bits) => {
    const exact = (h: number): number => Number((BigInt(h) * BigInt(bits)) >> 32n)
    const differ = (h: number): boolean => scaled(h, bits) !== exact(h)
    // For odd m: the hashes whose product is just below a multiple of 2^32, where a rounded product falls on the other side.
    let inverse = 1
    for (let i = 0; i < 6; i++) inverse = Math.imul(inverse, 2 - Math.imul(bits | 0, inverse))
    const hard = Array.from({ length: 2048 }, (_, i) => Math.imul(inverse, -(i + 1)) >>> 0)
    const plain = Array.from({ length: 2048 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 0)
    expect([...hard, ...plain, 0, 2 ** 32 - 1].filter(differ)).toEqual([])
  })
})
