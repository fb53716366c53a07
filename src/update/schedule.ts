import type { Random, StoredList } from '../ports.ts'
import type { UpdateRecord } from './update-status.ts'

const MINUTE_MS = 60_000
/** Longest wait of any kind: an update a day at least, whatever a server or a row of failures says. */
export const LONGEST_WAIT_MS = 24 * 60 * MINUTE_MS
/** Shortest time between two attempts that nobody asked for, where the server names none or less. */
export const SHORTEST_ALARM_MS = 5 * MINUTE_MS

/**
 * Milliseconds to wait after `failures` failures in a row (at least 1): min((2^(n-1) * 15 min) * (1 + rand), 24 h), as the Safe
 * Browsing update rules say. A person's "update now" and a browser's start may pass it over.
 *
 * A device without any list (`empty`) is not protected at all, so there the row begins at one minute instead of 15; it doubles like the
 * other, and joins it at the fifth failure, so that fresh installs do not fall on a server that is down for long.
 */
export function backoffMs(failures: number, random: Random, { empty = false }: { readonly empty?: boolean } = {}): number {
  const firstMs = empty && failures < 5 ? MINUTE_MS : 15 * MINUTE_MS
  const doublings = empty && failures >= 5 ? failures - 5 : failures - 1
  return Math.min(2 ** doublings * firstMs * (1 + random.next()), LONGEST_WAIT_MS)
}

/**
 * Milliseconds to wait when the worker died during an attempt, after `failures` failures before it. Browsers end workers for reasons of
 * their own, so it starts at a minute and not at 15; it doubles, because an attempt that kills the worker must not be repeated for ever.
 */
export function interruptionMs(failures: number): number {
  return Math.min(2 ** failures * MINUTE_MS, LONGEST_WAIT_MS)
}

/** The earliest next attempt after a success at `now`: the longest of the lists' minimum waits, at most a day. Milliseconds since 1970. */
export function notBeforeAfterSuccess(now: number, minimumWaitsMs: readonly number[]): number {
  return now + Math.min(Math.max(0, ...minimumWaitsMs), LONGEST_WAIT_MS)
}

/**
 * When to try next without being asked, in milliseconds since 1970: as soon as the record allows but not within 5 minutes (after a failure
 * one minute: the back-off is long enough), plus up to 10 % of that wait, so that devices that started together do not stay together.
 */
export function nextAlarm(record: Pick<UpdateRecord, 'notBefore' | 'failures'>, now: number, random: Random): number {
  const shortest = record.failures > 0 ? MINUTE_MS : SHORTEST_ALARM_MS
  const wait = Math.min(Math.max((record.notBefore ?? now) - now, shortest), LONGEST_WAIT_MS)
  return now + wait + wait * 0.1 * random.next()
}

/** Between two updates that contradictions asked for, and after any success: a lying server is not to be asked over and over. */
export const URGENT_WAIT_MS = MINUTE_MS

/**
 * Whether an attempt at `now` must wait for `record.notBefore`. After a failure that is a back-off, which a person may pass over
 * (`force`). After a success it is the server's minimum wait, which holds as long as every list that is wanted is held. A moment further
 * ahead than any wait can be was written before the clock was set back, and binds nobody. An `urgent` attempt (the server denies an entry
 * of the list in force, so one of the two is out of date) waits a minute after the last attempt instead of the server's minimum wait.
 */
export function mustWait(
  record: Pick<UpdateRecord, 'notBefore' | 'failures' | 'lastAttemptAt'>,
  now: number,
  { force, complete, urgent = false }: { readonly force: boolean; readonly complete: boolean; readonly urgent?: boolean },
): boolean {
  const { notBefore, failures, lastAttemptAt } = record
  if (notBefore === undefined || now >= notBefore || notBefore - now > LONGEST_WAIT_MS) return false
  if (failures > 0) return !force
  if (urgent && lastAttemptAt !== undefined && now - lastAttemptAt >= URGENT_WAIT_MS) return false
  return complete
}

/** Longest wait of a device that is to save data, as long as its lists are fresh. */
export const METERED_WAIT_MS = 6 * 60 * MINUTE_MS

/**
 * Whether an update that nobody asked for may wait on a network where data is to be saved: the last one is less than six hours ago, and no list is within
 * that time of its expiry. Protection goes before data: a list that is missing or about to expire is fetched.
 */
export function mayWaitMetered(
  record: Pick<UpdateRecord, 'lastSuccessAt'>,
  lists: readonly Pick<StoredList, 'state'>[],
  now: number,
): boolean {
  const { lastSuccessAt } = record
  // A success ahead of now was written before the clock was set back.
  if (lastSuccessAt === undefined || lastSuccessAt > now || now - lastSuccessAt >= METERED_WAIT_MS) return false
  return lists.every(({ state }) => state === undefined || state.expiresAt - now > METERED_WAIT_MS)
}
