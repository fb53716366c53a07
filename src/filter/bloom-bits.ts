import { nextProbe, scaled } from './probe.ts'

/**
 * The bits of a Bloom filter of m bits: bit i is in byte i >> 3 at position i & 7. A key is given as 64 bits of hash, `a` and `b`, and has
 * the k bits that its probes (probe.ts) point to.
 */

/** Sets the k bits of a key. */
export function setKey(array: Uint8Array, bits: number, hashes: number, a: number, b: number): void {
  let probe = a
  for (let i = hashes; i > 0; i--) {
    const bit = scaled(probe, bits)
    array[bit >>> 3] = (array[bit >>> 3] as number) | (1 << (bit & 7))
    probe = nextProbe(probe, b)
  }
}

/**
 * Whether all k bits of a key are set. The first three are looked at together: whether one is set is a coin's toss, so leaving after each
 * costs more in wrongly foretold branches than reading them all (half as much again).
 */
export function hasKey(array: Uint8Array, bits: number, hashes: number, a: number, b: number): boolean {
  if (hashes < 3) return hasProbes(array, bits, hashes, a, b)
  const second = nextProbe(a, b)
  const third = nextProbe(second, b)
  const bit1 = scaled(a, bits)
  const bit2 = scaled(second, bits)
  const bit3 = scaled(third, bits)
  const set =
    ((array[bit1 >>> 3] as number) >> (bit1 & 7)) &
    ((array[bit2 >>> 3] as number) >> (bit2 & 7)) &
    ((array[bit3 >>> 3] as number) >> (bit3 & 7))
  return (set & 1) !== 0 && hasProbes(array, bits, hashes - 3, nextProbe(third, b), b)
}

/** Bytes of the array in which the k bits of a key are, in the order of its probes. */
export function bytesOfKey(bits: number, hashes: number, a: number, b: number): number[] {
  const bytes: number[] = []
  let probe = a
  for (let i = hashes; i > 0; i--) {
    bytes.push(scaled(probe, bits) >>> 3)
    probe = nextProbe(probe, b)
  }
  return bytes
}

/** As `hasKey`, of `count` probes from `from` on, and leaves at the first bit that is not set. */
function hasProbes(array: Uint8Array, bits: number, count: number, from: number, b: number): boolean {
  let probe = from
  for (let i = count; i > 0; i--) {
    const bit = scaled(probe, bits)
    if ((((array[bit >>> 3] as number) >> (bit & 7)) & 1) === 0) return false
    probe = nextProbe(probe, b)
  }
  return true
}
