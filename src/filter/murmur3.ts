/**
 * MurmurHash3 x86_32 (Austin Appleby, public domain) of `bytes`, unsigned. Vectors: test/vectors/murmur3_mmh3.json.
 * @param seed any 32 bits
 */
export function murmur3(bytes: Uint8Array, seed: number): number {
  const length = bytes.length
  const blocks = length & ~3
  let h = seed | 0
  for (let i = 0; i < blocks; i += 4) {
    const k = (bytes[i] as number) | ((bytes[i + 1] as number) << 8) | ((bytes[i + 2] as number) << 16) | ((bytes[i + 3] as number) << 24)
    h ^= mixKey(k)
    h = (h << 13) | (h >>> 19)
    h = (Math.imul(h, 5) + 0xe6546b64) | 0
  }
  let tail = 0
  for (let i = length - 1; i >= blocks; i--) tail = (tail << 8) | (bytes[i] as number)
  if (length > blocks) h ^= mixKey(tail)
  h ^= length
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  h ^= h >>> 16
  return h >>> 0
}

function mixKey(key: number): number {
  const k = Math.imul(key, 0xcc9e2d51)
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593)
}
