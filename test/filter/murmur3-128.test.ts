import { describe, expect, it } from 'vitest'
import { murmur3x128 } from '../../src/filter/murmur3-128.ts'

function words(bytes: Uint8Array, seed: number): Int32Array {
  const padded = new Uint8Array(Math.ceil(bytes.length / 16) * 16)
  padded.set(bytes)
  const out = new Int32Array(4)
  murmur3x128(new DataView(padded.buffer), bytes.length, seed, out)
  return out
}

describe('murmur3x128', () => {
  it("has SMHasher's verification value", () => {
    // smhasher, VerificationTest of MurmurHash3_x86_128: the hash of the hashes of {}, {0}, {0, 1}, ... with the seeds 256, 255, 254, ...
    const key = Uint8Array.from({ length: 256 }, (_, i) => i)
    const hashes = new DataView(new ArrayBuffer(16 * 256))
    for (let i = 0; i < 256; i++)
      for (const [w, word] of words(key.subarray(0, i), 256 - i).entries()) hashes.setInt32(16 * i + 4 * w, word, true)
    expect((words(new Uint8Array(hashes.buffer), 0)[0] as number) >>> 0).toBe(0xb3ece62a)
  })

  it('maps no two of many keys of eight bytes to the same 64 bits', () => {
    const seen = new Set<string>()
    const key = new DataView(new ArrayBuffer(8))
    for (let i = 0; i < 20_000; i++) {
      key.setUint32(i % 2 === 0 ? 0 : 4, Math.imul(i, 0x9e3779b1) >>> 0)
      const [a, b] = words(new Uint8Array(key.buffer), 7)
      seen.add(`${a} ${b}`)
    }
    expect(seen.size).toBe(20_000)
  })
})
