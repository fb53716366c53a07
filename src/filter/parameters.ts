import { WaryError } from '../errors.ts'

/** Sizes of Bloom filters. n: keys, p: false positive rate, m: bits, k: hash functions. */
export interface BloomSize {
  readonly bits: number
  readonly hashes: number
}

export const MOST_HASHES = 32
export const MOST_BITS = 2 ** 32

function refuse(message: string): never {
  throw new WaryError('filter-parameter', message)
}

function checkCapacity(capacity: number): void {
  if (!Number.isSafeInteger(capacity) || capacity < 0) refuse(`the capacity must be a whole number of keys, not ${capacity}`)
}

function checkRate(rate: number): void {
  if (!(rate > 0 && rate < 1)) refuse(`the false positive rate must lie between 0 and 1, not ${rate}`)
}

/**
 * The textbook's size: m = -n ln p / (ln 2)^2, k = (m/n) ln 2 rounded. With k rounded, the rate is a little above p
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
  let best: BloomSize | undefined
  for (const hashes of [Math.floor(ideal), Math.ceil(ideal)]) {
    const k = Math.min(Math.max(hashes, 1), MOST_HASHES)
    // (1 - e^(-kn/m))^k = p, solved for m.
    const bits = Math.ceil((-k * keys) / Math.log1p(-(rate ** (1 / k))))
    if (best === undefined || bits < best.bits) best = { bits, hashes: k }
  }
  if (best === undefined || best.bits > MOST_BITS) refuse(`a filter for ${capacity} keys at ${rate} needs more than ${MOST_BITS} bits`)
  return best
}

/** (1 - e^(-kn/m))^k: the rate to expect with n keys in. */
export function expectedRate(size: BloomSize, keys: number): number {
  return (1 - Math.exp((-size.hashes * keys) / size.bits)) ** size.hashes
}
