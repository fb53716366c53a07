import { MOST_BITS } from './parameters.ts'

const MOST_FINGERPRINT_BITS = 32
const SHORTEST_SEGMENT = 4
const LONGEST_SEGMENT = 2 ** 18
/** Segments that a key's three cells lie in, one in each. */
export const WAYS = 3

/** f times `fuseCells` is the filter's size in bits. */
export interface FuseSize {
  /** f, 1 to 32 */
  readonly fingerprintBits: number
  /** Cells of a segment, a power of two from 4 to 2^18 */
  readonly segmentLength: number
  /** Segments that a key's first cell may lie in: two more follow. */
  readonly segmentCount: number
}

/**
 * The size for `keys` different keys, by the formulas of the paper for three-wise filters (Graf, Lemire 2022, and their reference
 * implementation, FastFilter/xor_singleheader): from a million keys on 1.125 cells a key, before rounding up to whole segments.
 */
export function fuseSize(keys: number, fingerprintBits: number): FuseSize {
  const log = Math.log(Math.max(keys, 2))
  const segmentLength = Math.min(LONGEST_SEGMENT, 2 ** Math.floor(Math.log(Math.max(keys, 1)) / Math.log(3.33) + 2.25))
  const factor = Math.max(1.125, 0.875 + (0.25 * Math.log(1_000_000)) / log)
  const cells = keys < 2 ? 0 : Math.round(keys * factor)
  return { fingerprintBits, segmentLength, segmentCount: Math.max(1, Math.ceil(cells / segmentLength) - (WAYS - 1)) }
}

/** Cells of all segments, of f bits each. */
export function fuseCells({ segmentLength, segmentCount }: FuseSize): number {
  return (segmentCount + WAYS - 1) * segmentLength
}

/** Why there can be no filter of this size, in words; undefined if there can. */
export function fuseFault(size: FuseSize): string | undefined {
  const { fingerprintBits, segmentLength, segmentCount } = size
  if (!Number.isSafeInteger(fingerprintBits) || fingerprintBits < 1 || fingerprintBits > MOST_FINGERPRINT_BITS)
    return `a fingerprint has 1 to ${MOST_FINGERPRINT_BITS} bits, not ${fingerprintBits}`
  if (!(segmentLength >= SHORTEST_SEGMENT && segmentLength <= LONGEST_SEGMENT) || !Number.isInteger(Math.log2(segmentLength)))
    return `a segment has a power of two of cells, ${SHORTEST_SEGMENT} to ${LONGEST_SEGMENT}, not ${segmentLength}`
  if (!Number.isSafeInteger(segmentCount) || segmentCount < 1) return `there is at least one segment, not ${segmentCount}`
  const bits = fuseCells(size) * fingerprintBits
  if (bits > MOST_BITS) return `a filter has up to ${MOST_BITS} bits, not ${bits}: split the keys over several`
  return undefined
}
