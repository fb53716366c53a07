import type { UpdateStatus } from '../../src/update/update-status.ts'
import type { Formatting } from '../page/formatting.ts'
import { shown } from '../page/shown-text.ts'
import type { Wording } from '../page/wording.ts'

/** A message may quote what a server said. */
const LONGEST_MESSAGE = 300

interface Means {
  readonly wording: Wording
  readonly formatting: Formatting
  /** Milliseconds since 1970. */
  readonly now: number
}

/** What became of the updates so far. */
export interface HistoryText {
  readonly last: string
  readonly error: string | undefined
  readonly next: string | undefined
}

/** @param holdsList whether some list is in force, which a failed update leaves alone */
export function historyText(status: UpdateStatus, holdsList: boolean, { wording, formatting, now }: Means): HistoryText {
  const { lastSuccessAt, lastAttemptAt, lastError, notBefore } = status
  const failure =
    lastError &&
    wording.text(
      'updateFailed',
      formatting.age(Math.min(lastAttemptAt ?? now, now), now),
      shown(lastError.message, LONGEST_MESSAGE),
      lastError.code,
    )
  return {
    last:
      lastSuccessAt === undefined
        ? wording.text('updateNever')
        : wording.text('updateLast', formatting.age(Math.min(lastSuccessAt, now), now)),
    error: failure && (holdsList ? `${failure} ${wording.text('updateKept')}` : failure),
    next: notBefore !== undefined && notBefore > now ? wording.text('updateNext', formatting.age(notBefore, now)) : undefined,
  }
}
