import { refuseFile } from './encoding.ts'
import type { QuotientTable } from './quotient-table.ts'

/**
 * That the slots are just what `count` fingerprints make of them. Starts behind a free slot, where a cluster begins or none is, and lays the
 * runs of the occupied quotients one behind the other as they have to be.
 * @throws {WaryError} `filter-format`
 */
export function checkTable(table: QuotientTable, count: number): void {
  const { flags, remainders, slots } = table
  const last = slots - 1
  let used = 0
  let free = -1
  for (let slot = 0; slot < slots; slot++) {
    if (!flags.free(slot)) used++
    else {
      free = slot
      if (flags.continuation(slot) || remainders.get(slot) !== 0) refuse(slot)
    }
  }
  if (used !== count || free < 0) refuseFile(`${used} of ${slots} slots are used for ${count} keys`)
  // Counted on past the last slot, so that what comes later has the higher number.
  let seen = 0
  let next = free + 1
  for (let quotient = free + 1; quotient < free + slots; quotient++) {
    if (!flags.occupied(quotient & last)) continue
    next = Math.max(next, quotient)
    if (flags.continuation(next & last) || flags.shifted(next & last) !== (next !== quotient)) refuse(next & last)
    for (;;) {
      seen++
      const remainder = remainders.get(next & last)
      next++
      if (!flags.continuation(next & last)) break
      if (!flags.shifted(next & last) || remainders.get(next & last) < remainder) refuse(next & last)
    }
  }
  if (seen !== count) refuseFile(`${seen} of ${count} keys belong to an occupied quotient`)
}

function refuse(slot: number): never {
  refuseFile(`slot ${slot} contradicts those before it`)
}
