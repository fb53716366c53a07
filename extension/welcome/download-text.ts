import type { Status } from '../messaging/messages.ts'
import type { Formatting } from '../page/formatting.ts'
import { progressText } from '../page/progress-text.ts'
import { shown } from '../page/shown-text.ts'
import type { Wording } from '../page/wording.ts'

/** A message may quote what a server said. */
const LONGEST_MESSAGE = 300

/** How the first download fares. */
export interface DownloadText {
  readonly tone: 'good' | 'danger' | 'neutral'
  /** Announced: changes only where something new has happened. */
  readonly state: string
  /** What runs at this moment, and which share of it is done (undefined while nobody can tell). */
  readonly running: { readonly phase: string; readonly share: number | undefined } | undefined
  readonly retry: boolean
  /** Nothing more is to be waited for. */
  readonly over: boolean
}

/** @param now milliseconds since 1970 */
export function downloadText(
  { sources, update }: Pick<Status, 'sources' | 'update'>,
  { wording, formatting, now }: { readonly wording: Wording; readonly formatting: Formatting; readonly now: number },
): DownloadText {
  const entries = sources.flatMap(({ lists }) => lists).reduce((sum, list) => sum + list.entries, 0)
  const rest = { running: undefined, retry: false, over: false }
  if (sources.length === 0) return { ...rest, tone: 'danger', state: wording.text('welcomeNoSource'), over: true }
  if (entries > 0) {
    return { ...rest, tone: 'good', state: wording.text('welcomeListHere', wording.plural('listEntries', entries)), over: true }
  }
  const { progress, lastError, lastAttemptAt } = update
  if (progress === undefined && lastError !== undefined) {
    const age = formatting.age(Math.min(lastAttemptAt ?? now, now), now)
    const state = wording.text('updateFailed', age, shown(lastError.message, LONGEST_MESSAGE), lastError.code)
    return { ...rest, tone: 'danger', state, retry: true }
  }
  return { ...rest, tone: 'neutral', state: wording.text('welcomeListComing'), running: progressText(progress, { wording, formatting }) }
}
