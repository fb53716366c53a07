import type { Key, MembershipFilter } from './membership-filter.ts'

/** What a guard has answered so far. */
export interface GuardCounts {
  readonly asked: number
  /** Answered "no" by the filter alone. */
  readonly spared: number
  /** Looked up, because the filter said "maybe". */
  readonly lookedUp: number
  /** Of them, those that the look-up did not find: false positives of the filter. */
  readonly missed: number
}

/** A look-up with a filter in front of it, called as the look-up itself. */
export interface Guarded<Answer> {
  (key: Key): Answer | undefined
  readonly counts: GuardCounts
}

/**
 * The classic use of a filter: in front of a look-up that costs something (a disk, a database, a server). Where the filter says "no", the answer is
 * undefined, at once, and nothing is looked up; where it says "maybe", the look-up decides. So no answer is ever wrong, whatever the filter's rate: it
 * only says how many look-ups are in vain.
 *
 * @param filter must hold every key that the look-up finds
 * @param lookup answers what it finds or undefined, or a promise of that. What it throws or rejects with goes to the caller, and counts as looked
 * up only
 */
export function guard<Answer>(filter: MembershipFilter, lookup: (key: Key) => Answer | undefined): Guarded<Answer> {
  const counts = { asked: 0, spared: 0, lookedUp: 0, missed: 0 }
  const note = (found: unknown): void => {
    if (found === undefined) counts.missed++
  }
  const ask = (key: Key): Answer | undefined => {
    counts.asked++
    if (!filter.mightContain(key)) {
      counts.spared++
      return undefined
    }
    counts.lookedUp++
    const found = lookup(key)
    // The caller has the promise itself, and its rejection: this only counts.
    if (found instanceof Promise) found.then(note, () => undefined)
    else note(found)
    return found
  }
  return Object.assign(ask, { counts })
}
