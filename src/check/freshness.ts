import type { CheckedList } from '../ports.ts'
import type { Freshness } from './verdict.ts'

/** One object for the common case, and for lists that nobody signs: a check makes a verdict for every navigation. */
export const FRESH: Freshness = { kind: 'fresh' }

/**
 * Whether the signed states in force still hold at `now` (milliseconds since 1970). Stale from the moment at which the first of them
 * expired: a server or a network that withholds updates must not go unnoticed.
 */
export function freshnessOf(lists: readonly CheckedList[], now: number): Freshness {
  let earliest = Number.POSITIVE_INFINITY
  for (const { state } of lists) if (state !== undefined && state.expiresAt < earliest) earliest = state.expiresAt
  return now >= earliest ? { kind: 'stale', since: earliest } : FRESH
}
