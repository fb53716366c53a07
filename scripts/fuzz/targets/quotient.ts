import { QuotientFilter } from '../../../src/filter/quotient.ts'
import { fileOf, givesKeysBack, neverBreaks, opened, takesKeys } from '../filter-file.ts'
import { promise, same, unlessRefused } from '../promise.ts'

/** Input: as fileOf reads it. */
export function fuzz(input: Uint8Array): void {
  const { choice, file } = fileOf(input)
  const unchecked = unlessRefused(['filter-format'], () => QuotientFilter.fromBytes(file.slice()))
  if (unchecked) {
    unlessRefused(['filter-format'], () => listed(unchecked))
    neverBreaks(unchecked)
  }
  const filter = opened(file, QuotientFilter.verified)
  if (filter === undefined) return
  const fingerprints = listed(filter)
  promise(fingerprints.length === filter.count, 'as many fingerprints as keys')
  promise(
    fingerprints.every((fingerprint, i) => i === 0 || (fingerprints[i - 1] ?? 0) <= fingerprint),
    'in ascending order',
  )
  const larger = unlessRefused(['filter-parameter'], () => filter.resized(filter.quotientBits + 1))
  if (larger) {
    promise(same(listed(QuotientFilter.verified(larger.toBytes())), fingerprints), 'a larger filter has the same fingerprints')
    promise(same(larger.resized(filter.quotientBits).toBytes(), file), 'and back again is the same filter')
  }
  const merged = unlessRefused(['filter-parameter'], () => filter.merge(filter))
  if (merged) promise(QuotientFilter.verified(merged.toBytes()).count === 2 * filter.count, 'merged filters have all keys of both')
  const changed = QuotientFilter.verified(file.slice())
  if (choice & 1) takesKeys(changed, QuotientFilter.verified)
  else givesKeysBack(changed, QuotientFilter.verified)
}

/** All of them; a damaged filter may have as many as twice its slots, no more. */
function listed(filter: QuotientFilter): number[] {
  const most = 3 * 2 ** filter.quotientBits
  const fingerprints: number[] = []
  for (const fingerprint of filter.fingerprints()) {
    promise(fingerprints.length < most, 'fingerprints come to an end')
    fingerprints.push(fingerprint)
  }
  return fingerprints
}
