import type { Verdict } from '../../src/check/verdict.ts'
import type { UpdateProgress, UpdateStatus } from '../../src/update/update-status.ts'
import type { Protection, Status } from '../messaging/messages.ts'

/** A text of _locales with its values. */
export type Text = readonly [key: string, ...values: string[]]

/** The popup's first sentence, and a second that says why or what to do. `when` words a time. */
export function protectionText(protection: Protection, when: (at: number) => string): { readonly state: Text; readonly why: Text } {
  switch (protection.state) {
    case 'protected':
      return { state: ['stateProtected'], why: ['stateProtectedWhy'] }
    case 'stale':
      return { state: ['stateStale'], why: ['stateStaleWhy', when(protection.since)] }
    case 'starting':
      return { state: ['stateStarting'], why: ['stateStartingWhy'] }
    case 'damaged':
      return { state: ['stateDamaged'], why: ['stateDamagedWhy'] }
    case 'off':
      return protection.reason === 'no-permission'
        ? { state: ['stateNoPermission'], why: ['stateNoPermissionWhy'] }
        : { state: ['stateNotConfigured'], why: ['stateNotConfiguredWhy'] }
  }
}

/** What is said about the tab's page, with the stage that answered. */
export function verdictText(verdict: Verdict | undefined): Text {
  if (verdict === undefined) return ['verdictNone']
  switch (verdict.kind) {
    case 'safe':
      if (verdict.stage === 'search') return ['verdictSafeSearch']
      if (verdict.stage === 'cache') return ['verdictSafeCache']
      if (verdict.stage === 'allowance') return ['verdictAllowed']
      return ['verdictSafe']
    case 'threat':
      return ['verdictThreat', verdict.hits[0]?.list ?? '']
    case 'unverified':
      return ['verdictUnverified']
    case 'unchecked':
      return verdict.reason === 'not-web' ? ['verdictNotWeb'] : ['verdictUnchecked', verdict.reason]
  }
}

/** Value and maximum of the progress bar; no value while nobody can say how far it is. */
export function progressText(progress: UpdateProgress): { readonly text: Text; readonly value?: number; readonly max?: number } {
  if (progress.phase !== 'downloading') return { text: [`phase${progress.phase[0]?.toUpperCase()}${progress.phase.slice(1)}`] }
  const received = kilobytes(progress.receivedBytes)
  if (progress.totalBytes === undefined) return { text: ['phaseDownloading', received] }
  return { text: ['phaseDownloadingOf', received, kilobytes(progress.totalBytes)], value: progress.receivedBytes, max: progress.totalBytes }
}

/** When the lists were last brought up to date, and when that happens next. */
export function updateText(update: UpdateStatus, now: number, when: (at: number) => string): Text {
  if (update.lastSuccessAt === undefined) return ['updateNever']
  return update.notBefore !== undefined && update.notBefore > now
    ? ['updatedNext', when(update.lastSuccessAt), when(update.notBefore)]
    : ['updated', when(update.lastSuccessAt)]
}

export function countersText({ counters }: Status): Text {
  return ['counters', String(counters.checked), String(counters.asked), String(counters.threats)]
}

function kilobytes(bytes: number): string {
  return String(Math.ceil(bytes / 1024))
}
