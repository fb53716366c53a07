import { avalanche } from './murmur3-128.ts'

/**
 * A ready hash was made without the filter's seed, which is laid over it: the key's two words are `seededHigh(high, low, seed.low)` and
 * `low ^ seed.high`, with `seed` of `seedWords`. Both halves merely laid over would leave hashes equal in a piece that are so, and filters that
 * keep a piece of the hash itself, a fingerprint, would err about the same keys whatever their seeds. Hashes that differ still do so.
 * @param seedLow of `seedWords`
 */
export function seededHigh(high: number, low: number, seedLow: number): number {
  return high ^ avalanche(low ^ seedLow)
}

/** The other way round: the ready hash whose words in a filter of this seed are `a` and `b`. */
export function readyOf(a: number, b: number, seed: { readonly high: number; readonly low: number }): [high: number, low: number] {
  const low = b ^ seed.high
  return [seededHigh(a, low, seed.low), low]
}
