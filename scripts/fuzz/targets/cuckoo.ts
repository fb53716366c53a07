import { CuckooFilter } from '../../../src/filter/cuckoo.ts'
import { fileOf, givesKeysBack, neverBreaks, opened, takesKeys } from '../filter-file.ts'
import { unlessRefused } from '../promise.ts'

/** Input: as fileOf reads it. */
export function fuzz(input: Uint8Array): void {
  const { choice, file } = fileOf(input)
  const unchecked = unlessRefused(['filter-format'], () => CuckooFilter.fromBytes(file.slice()))
  if (unchecked) neverBreaks(unchecked)
  if (opened(file, CuckooFilter.verified) === undefined) return
  const changed = CuckooFilter.verified(file.slice())
  if (choice & 1) takesKeys(changed, CuckooFilter.verified)
  else givesKeysBack(changed, CuckooFilter.verified)
}
