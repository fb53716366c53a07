import { WaryError } from '../errors.ts'

/** Sizes of Bloom filters. n: keys, p: false positive rate, m: bits, k: hash functions. */
export interface BloomSize {
  readonly bits: number
  readonly hashes: number
}

/** What one filter here may have; the formulas themselves know no bound. */
export const MOST_HASHES = 32
export const MOST_BITS = 2 ** 32

/** @throws {WaryError} `filter-parameter`, always */
export function refuseParameter(message: string): never {
  throw new WaryError('filter-parameter', message)
}

/** @throws {WaryError} `filter-parameter` */
export function checkCapacity(capacity: number): void {
  if (!Number.isSafeInteger(capacity) || capacity < 0) refuseParameter(`the capacity must be a whole number of keys, not ${capacity}`)
}

/** @throws {WaryError} `filter-parameter` */
export function checkRate(rate: number): void {
  if (typeof rate !== 'number' || !(rate > 0 && rate < 1)) refuseParameter(`the false positive rate must lie between 0 and 1, not ${rate}`)
}

/**
 * The seed as a number from 0 to 2^32 - 1. What is cut to 32 bits in silence would make filters alike that are meant to differ.
 * @param seed 32 bits, signed or not
 * @throws {WaryError} `filter-parameter`
 */
export function checkedSeed(seed: number, name = 'seed'): number {
  if (!Number.isInteger(seed) || seed < -(2 ** 31) || seed >= 2 ** 32)
    refuseParameter(`the ${name} must be a whole number of 32 bits, not ${seed}`)
  return seed >>> 0
}

/**
 * The textbook's size (after Bloom 1970): m = -n ln p / (ln 2)^2, k = (m/n) ln 2 rounded. With k rounded, the rate is a little above p
 * (1.0039 % for a million keys at 1 %).
 * @throws {WaryError} `filter-parameter`
 */
export function textbookSize(capacity: number, rate: number): BloomSize {
  checkCapacity(capacity)
  checkRate(rate)
  const bits = Math.ceil((-capacity * Math.log(rate)) / Math.LN2 ** 2)
  return { bits, hashes: Math.max(1, Math.round((bits / Math.max(capacity, 1)) * Math.LN2)) }
}

/**
 * The size that keeps the promise: the fewest bits, over integer k, whose expected rate for n keys is at most p.
 * @throws {WaryError} `filter-parameter`
 */
export function optimalSize(capacity: number, rate: number): BloomSize {
  checkCapacity(capacity)
  checkRate(rate)
  const keys = Math.max(capacity, 1)
  const ideal = -Math.log2(rate)
  const sizes = [Math.floor(ideal), Math.ceil(ideal)].map((whole): BloomSize => {
    const hashes = Math.min(Math.max(whole, 1), MOST_HASHES)
    // (1 - e^(-kn/m))^k = p, solved for m.
    return { hashes, bits: Math.ceil((-hashes * keys) / Math.log1p(-(rate ** (1 / hashes)))) }
  })
  return sizes.reduce((best, size) => (size.bits < best.bits ? size : best))
}

/**
 * The other direction: what `bytes` bytes of bits give for n keys. k is the better of the two whole numbers beside (m/n) ln 2.
 * @throws {WaryError} `filter-parameter`
 */
export function sizeOfBytes(bytes: number, capacity: number): BloomSize {
  checkCapacity(capacity)
  if (!Number.isSafeInteger(bytes) || bytes < 1) refuseParameter(`the size must be a whole number of bytes from 1 on, not ${bytes}`)
  const bits = bytes * 8
  const ideal = (bits / Math.max(capacity, 1)) * Math.LN2
  const sizes = [Math.floor(ideal), Math.ceil(ideal)].map(
    (whole): BloomSize => ({ bits, hashes: Math.min(Math.max(whole, 1), MOST_HASHES) }),
  )
  return sizes.reduce((best, size) => (expectedRate(size, capacity) < expectedRate(best, capacity) ? size : best))
}

/**
 * The most keys that a filter of this size holds at the rate p at most: (1 - e^(-kn/m))^k = p, solved for n. 0 where not even one fits.
 * @throws {WaryError} `filter-parameter` for a rate that is none
 */
export function capacityOf({ bits, hashes }: BloomSize, rate: number): number {
  checkRate(rate)
  return Math.floor((-bits / hashes) * Math.log1p(-(rate ** (1 / hashes))))
}

/** (1 - e^(-kn/m))^k, 0 to 1: the rate to expect with n different keys in (Bloom 1970). A little low for filters of some dozen bits. */
export function expectedRate(size: BloomSize, keys: number): number {
  return (-Math.expm1((-size.hashes * keys) / size.bits)) ** size.hashes
}

/** -(m/k) ln(1 - fill): how many different keys make this share of set bits (Swamidass, Baldi 2007). Infinity for a full filter. */
export function keysOfFill({ bits, hashes }: BloomSize, fill: number): number {
  return (-bits / hashes) * Math.log1p(-fill)
}
