import { LEAST_RATE } from './filter-option-values.ts'
import type { SetKind, SetSize } from './filter-sizes.ts'

/** What answers "maybe" to all but one of a hundred strangers is no filter. */
const MOST_RATE_LOG2 = Math.log2(0.99)
const STEPS = 100

/** The most entries that `bits` bits hold at `rate`: 0 where not even one fits. Larger sets never take less. */
export function mostEntries(kind: SetKind, bits: number, rate: number, most: number): number {
  const fits = (entries: number): boolean => isWithin(kind.size(entries, rate), bits)
  if (fits(most)) return most
  let fitting = 0
  let tooMany = most
  while (tooMany - fitting > 1) {
    const middle = fitting + Math.floor((tooMany - fitting) / 2)
    if (fits(middle)) fitting = middle
    else tooMany = middle
  }
  return fitting
}

/**
 * The lowest rate at which `bits` bits hold `entries` entries; undefined where they do at none. Lower rates never take less.
 * @returns a rate to ask `kind.size` for
 */
export function leastRate(kind: SetKind, bits: number, entries: number): number | undefined {
  const fits = (log2: number): boolean => isWithin(kind.size(entries, 2 ** log2), bits)
  let tooLow = Math.log2(LEAST_RATE)
  let fitting = MOST_RATE_LOG2
  if (!fits(fitting)) return undefined
  if (fits(tooLow)) return 2 ** tooLow
  for (let i = 0; i < STEPS; i++) {
    const middle = (tooLow + fitting) / 2
    if (fits(middle)) fitting = middle
    else tooLow = middle
  }
  return 2 ** fitting
}

function isWithin(size: SetSize, bits: number): boolean {
  return size.bits <= bits && size.fault === undefined
}
