import type { ErrorCode } from '../errors.ts'

/** Where a running update stands. Bytes are of the response body; `totalBytes` only where the server says it. */
export type UpdateProgress =
  | { readonly phase: 'downloading'; readonly receivedBytes: number; readonly totalBytes: number | undefined }
  | { readonly phase: 'verifying' | 'building' | 'storing' }

/** Persisted between workers, so that back-off and the popup survive their deaths. Times are milliseconds since 1970. */
export interface UpdateRecord {
  readonly lastAttemptAt: number | undefined
  readonly lastSuccessAt: number | undefined
  /** No attempt before this moment: the server's minimum wait, or the back-off after a failure. */
  readonly notBefore: number | undefined
  /** Failed attempts in a row. */
  readonly failures: number
  /** Why the last attempt failed; undefined after a success. The list in force stays. */
  readonly lastError: { readonly code: ErrorCode; readonly message: string } | undefined
  /** What a person should know of the last success, such as lines of a feed that list nothing. */
  readonly remarks: readonly string[]
  /** By how many milliseconds the server's clock was ahead of this device's at the last success, where it was an hour or more. */
  readonly clockSkewMs?: number | undefined
}

export interface UpdateStatus extends UpdateRecord {
  readonly progress: UpdateProgress | undefined
}
