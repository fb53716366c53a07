import type { UpdateProgress } from '../../src/update/update-status.ts'
import type { Formatting } from './formatting.ts'
import type { Wording } from './wording.ts'

/** What a running update does, and which share of it is done: undefined while nobody can tell. */
export interface ProgressText {
  readonly phase: string
  readonly share: number | undefined
}

export function progressText(
  progress: UpdateProgress | undefined,
  { wording, formatting }: { readonly wording: Wording; readonly formatting: Formatting },
): ProgressText {
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
