import { describe, expect, it } from 'vitest'
import { fromHex } from '../../src/bytes.ts'
import { murmur3 } from '../../src/filter/murmur3.ts'
import { vectors } from '../support/vectors.ts'

describe.each([
  ['murmur3_mmh3.json', 27, 2],
  ['murmur3_js_revisited.json', 13, 25],
])('%s', (file, count, wide) => {
  const narrow = vectors<{ hex: string; seed: number }, string>(file).filter(({ note }) => note?.startsWith('murmur3_x86_32'))
  it(`has ${count} entries of x86_32`, () => expect(narrow).toHaveLength(count))
  it(`has ${wide} entries of x64_128, a variant with products of 64 bits that no filter here uses`, () => {
    const others = vectors(file).filter(({ note }) => !note?.startsWith('murmur3_x86_32'))
    expect(others).toHaveLength(wide)
    for (const { note } of others) expect(note).toMatch(/^murmur3_x64_128/)
  })
  it.each(narrow)('$input', ({ input, expected }) =>
    expect(murmur3(fromHex(input.hex), input.seed).toString(16).padStart(8, '0')).toBe(expected),
  )
})

it("has SMHasher's verification value", () => {
  // smhasher, VerificationTest: the hash of the hashes of {}, {0}, {0, 1}, ... with the seeds 256, 255, 254, ...
  const key = Uint8Array.from({ length: 256 }, (_, i) => i)
  const hashes = new DataView(new ArrayBuffer(1024))
  for (let i = 0; i < 256; i++) hashes.setUint32(4 * i, murmur3(key.subarray(0, i), 256 - i), true)
  expect(murmur3(new Uint8Array(hashes.buffer), 0)).toBe(0xb0f57ee3)
})
