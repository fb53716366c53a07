import { describe, expect, it } from 'vitest'
import { xxh64 } from '../../src/filter/xxh64.ts'
import { vectors } from '../support/vectors.ts'

const hex = (hash: bigint): string => hash.toString(16).padStart(16, '0')

describe('xxh64', () => {
  const entries = vectors<{ utf8: string; seed: number }, { xxh32: string; xxh64: string }>('xxhash_wasm.json')

  // Each entry has the XXH32 of its text as well, which no filter here uses.
  it.each(entries)('xxhash_wasm.json: $input.utf8', ({ input, expected }) => {
    expect(hex(xxh64(new TextEncoder().encode(input.utf8), BigInt(input.seed)))).toBe(expected.xxh64)
  })

  it('has all entries', () => expect(entries).toHaveLength(12))

  it('has the values of the reference program for every way through it, with a seed', () => {
    // xxHash's own sanity check (tests/sanity_test.c, BSD): a buffer of a generator, and these lengths, seeds and values.
    const PRIME32 = 0x9e3779b1n
    const PRIME64 = 0x9e3779b185ebca8dn
    const buffer = new Uint8Array(222)
    let generator = PRIME32
    for (let i = 0; i < buffer.length; i++) {
      buffer[i] = Number(generator >> 56n)
      generator = BigInt.asUintN(64, generator * PRIME64)
    }
    for (const [length, seed, value] of [
      [0, 0n, 'ef46db3751d8e999'],
      [0, PRIME32, 'ac75fda2929b17ef'],
      [1, 0n, 'e934a84adb052768'],
      [1, PRIME32, '5014607643a9b4c3'],
      [4, 0n, '9136a0dca57457ee'],
      [14, 0n, '8282dcc4994e35c8'],
      [14, PRIME32, 'c3bd6bf63deb6df0'],
      [222, 0n, 'b641ae8cb691c174'],
      [222, PRIME32, '20cb8ab7ae10c14a'],
    ] as const) {
      expect(hex(xxh64(buffer.subarray(0, length), seed)), `${length} bytes, seed ${seed}`).toBe(value)
    }
  })

  it('reads bytes at any offset', () => {
    const text = new TextEncoder().encode('..The quick brown fox jumps over the lazy dog http://i.imgur.com/VHQXScB.gif')
    expect(hex(xxh64(text.subarray(2)))).toBe('93267f9820452ead')
  })
})
