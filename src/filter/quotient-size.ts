import { checkCapacity, checkRate, MOST_BITS } from './parameters.ts'

/** Share of the slots in use at most: clusters grow with 1 / (1 - load)^2. */
const LOAD = 0.95
/** A block of slots. */
const FEWEST_QUOTIENT_BITS = 5
const MOST_REMAINDER_BITS = 31
/** So that a fingerprint is one exact number. */
const MOST_FINGERPRINT_BITS = 53

/** 2^q (r + 3) is the filter's size in bits (Bender et al. 2012). */
export interface QuotientSize {
  /** q, 5 or more: 2^q slots */
  readonly quotientBits: number
  /** r, 1 to 31 */
  readonly remainderBits: number
}

/**
 * The smallest quotient filter that takes `capacity` keys and then errs at `rate` at most. Its bounds are not checked: see `quotientFault`.
 * @throws {WaryError} `filter-parameter`
 */
export function quotientSize(capacity: number, rate: number): QuotientSize {
  checkCapacity(capacity)
  checkRate(rate)
  const quotientBits = quotientBitsFor(capacity)
  let remainderBits = 1
  while (quotientRate({ quotientBits, remainderBits }, capacity) > rate) remainderBits++
  return { quotientBits, remainderBits }
}

/** The fewest, at least `fewest`, with which there is room for `keys`. */
export function quotientBitsFor(keys: number, fewest = FEWEST_QUOTIENT_BITS): number {
  let quotientBits = fewest
  while (mostKeys(quotientBits) < keys) quotientBits++
  return quotientBits
}

/** Keys that 2^`quotientBits` slots take at most. */
export function mostKeys(quotientBits: number): number {
  return Math.floor(LOAD * 2 ** quotientBits)
}

/** 1 - (1 - 2^-(q + r))^n, 0 to 1: an unknown key must have the fingerprint of one of n keys (Bender et al. 2012). */
export function quotientRate({ quotientBits, remainderBits }: QuotientSize, keys: number): number {
  return -Math.expm1(keys * Math.log1p(-(2 ** -(quotientBits + remainderBits))))
}

/** Why there can be no filter of this size, in words; undefined if there can. */
export function quotientFault({ quotientBits, remainderBits }: QuotientSize): string | undefined {
  if (!Number.isSafeInteger(quotientBits) || quotientBits < FEWEST_QUOTIENT_BITS)
    return `a quotient has at least ${FEWEST_QUOTIENT_BITS} bits, not ${quotientBits}`
  if (!Number.isSafeInteger(remainderBits) || remainderBits < 1 || remainderBits > MOST_REMAINDER_BITS)
    return `a remainder has 1 to ${MOST_REMAINDER_BITS} bits, not ${remainderBits}`
  if (quotientBits + remainderBits > MOST_FINGERPRINT_BITS)
    return `a fingerprint has up to ${MOST_FINGERPRINT_BITS} bits, not ${quotientBits} + ${remainderBits}`
  const bits = 2 ** quotientBits * (remainderBits + 3)
  if (bits > MOST_BITS) return `a filter has up to ${MOST_BITS} bits, not ${bits}: split the keys over several`
  return undefined
}
