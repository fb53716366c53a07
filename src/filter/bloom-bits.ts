import { nextProbe, scaled } from './probe.ts'
import { seededHigh } from './seeded-hash.ts'

/**
 * The bits of a Bloom filter of m bits: bit i is in byte i >> 3 at position i & 7. A key is given as 64 bits of hash, `a` and `b`, and has the
 * k bits that its probes (probe.ts) point to.
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

/** Keys that `sieve` takes at most. */
export const SIEVE_KEYS = 256
const indices = new Int32Array(SIEVE_KEYS)

/**
 * Looks up keys `from` to `to` - 1 of `ready`, which holds the ready hash of each, high and low half in turn; the seed's halves are laid over them
 * (seeded-hash.ts). Two bits of
 * all keys are read without a branch, then two more of those that passed; only what is left after that, one key of sixteen that are not in, is
 * asked about singly.
 * @returns how many have all bits set; `sieved(i)` is the number of each
 */
export function sieve(
  array: Uint8Array,
  bits: number,
  hashes: number,
  ready: Int32Array,
  from: number,
  to: number,
  seedHigh: number,
  seedLow: number,
): number {
  const index = indices
  let left = 0
  for (let i = from; i < to; i++) {
    const low = ready[2 * i + 1] as number
    const a = seededHigh(ready[2 * i] as number, low, seedLow)
    const second = nextProbe(a, low ^ seedHigh)
    index[left] = i
    left += bothSet(array, scaled(a, bits), scaled(second, bits))
  }
  const first = left
  left = 0
  for (let j = 0; j < first; j++) {
    const i = index[j] as number
    const low = ready[2 * i + 1] as number
    const b = low ^ seedHigh
    const third = nextProbe(nextProbe(seededHigh(ready[2 * i] as number, low, seedLow), b), b)
    index[left] = i
    left += bothSet(array, scaled(third, bits), scaled(nextProbe(third, b), bits))
  }
  const second = left
  left = 0
  for (let j = 0; j < second; j++) {
    const i = index[j] as number
    const low = ready[2 * i + 1] as number
    index[left] = i
    left += hasProbes(array, bits, hashes, seededHigh(ready[2 * i] as number, low, seedLow), low ^ seedHigh) ? 1 : 0
  }
  return left
}

export function sieved(i: number): number {
  return indices[i] as number
}

function bothSet(array: Uint8Array, bit: number, other: number): number {
  return ((array[bit >>> 3] as number) >> (bit & 7)) & ((array[other >>> 3] as number) >> (other & 7)) & 1
}
