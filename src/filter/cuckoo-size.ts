import { checkCapacity, checkRate, MOST_BITS } from './parameters.ts'

/** Fingerprints of a bucket. */
export const BUCKET = 4
const FEWEST_BITS = 4
const MOST_FINGERPRINT_BITS = 32
/** Share of the slots to fill. Measured: adding first fails at 0.98 of ten thousand slots and at 0.957 of twelve million. */
const LOAD = 0.95
/**
 * Times the square root of the keys: slots on top. In a small filter too many keys may choose among the same few buckets; with these slots,
 * fewer than one filter in 20,000 turned a key away before its capacity, at any size from 5 keys on.
 */
const MARGIN = 2

/** 4 x buckets x f is the filter's size in bits (Fan et al. 2014, with b = 4). */
export interface CuckooSize {
  /** Of four fingerprints each; even. */
  readonly buckets: number
  /** 4 to 32 */
  readonly fingerprintBits: number
}

/**
 * The smallest cuckoo filter that takes `capacity` keys and then errs at `rate` at most. Its bounds are not checked: see `cuckooFault`.
 * @throws {WaryError} `filter-parameter`
 */
export function cuckooSize(capacity: number, rate: number): CuckooSize {
  checkCapacity(capacity)
  checkRate(rate)
  const slots = capacity / LOAD + MARGIN * Math.sqrt(capacity)
  const buckets = 2 * Math.max(1, Math.ceil(slots / (2 * BUCKET)))
  let fingerprintBits = FEWEST_BITS
  while (cuckooRate({ buckets, fingerprintBits }, capacity) > rate) fingerprintBits++
  return { buckets, fingerprintBits }
}

/**
 * 1 - (1 - 1/(2^f - 1))^c: an unknown key is compared with the c fingerprints that its two buckets have on average, and each of them is
 * one of 2^f - 1 (Fan et al. 2014, with the slots in use instead of all). 0 to 1.
 */
export function cuckooRate({ buckets, fingerprintBits }: CuckooSize, keys: number): number {
  const compared = (2 * keys) / buckets
  return -Math.expm1(compared * Math.log1p(-1 / (2 ** fingerprintBits - 1)))
}

/** Why there can be no filter of this size, in words; undefined if there can. */
export function cuckooFault({ buckets, fingerprintBits }: CuckooSize): string | undefined {
  if (!Number.isSafeInteger(fingerprintBits) || fingerprintBits < FEWEST_BITS || fingerprintBits > MOST_FINGERPRINT_BITS)
    return `a fingerprint has ${FEWEST_BITS} to ${MOST_FINGERPRINT_BITS} bits, not ${fingerprintBits}`
  if (!Number.isSafeInteger(buckets) || buckets < 2 || buckets % 2 !== 0) return `the number of buckets is even, from 2 on, not ${buckets}`
  const bits = buckets * BUCKET * fingerprintBits
  if (bits > MOST_BITS) return `a filter has up to ${MOST_BITS} bits, not ${bits}: split the keys over several`
  return undefined
}
