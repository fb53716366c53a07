import type { UpdateProgress, UpdateStatus } from '../../src/update/update-status.ts'
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

/** What a running update does, and which share of it is done: undefined while nobody can tell. */
export interface ProgressText {
  readonly phase: string
  readonly share: number | undefined
}

export function progressText(progress: UpdateProgress | undefined, { wording, formatting }: Means): ProgressText {
  if (progress === undefined) return { phase: wording.text('updateStarting'), share: undefined }
  switch (progress.phase) {
    case 'downloading': {
      const { receivedBytes, totalBytes } = progress
      const received = formatting.bytes(receivedBytes)
      // More than was announced: then the announcement tells nothing.
      if (totalBytes === undefined || totalBytes <= 0 || receivedBytes > totalBytes) {
        return { phase: wording.text('updateDownloading', received), share: undefined }
      }
      return { phase: wording.text('updateDownloadingOf', received, formatting.bytes(totalBytes)), share: receivedBytes / totalBytes }
    }
    case 'verifying':
      return { phase: wording.text('updateVerifying'), share: undefined }
    case 'building':
      return { phase: wording.text('updateBuilding'), share: undefined }
    case 'storing':
      return { phase: wording.text('updateStoring'), share: undefined }
  }
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
