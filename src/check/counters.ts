import type { ErrorCode } from '../errors.ts'
import type { Stage } from './verdict.ts'

/** How many main-frame navigations were checked since the worker started, and which stage answered. */
export interface Counters {
  readonly checked: number
  readonly byStage: Readonly<Record<Stage, number>>
  readonly threats: number
  readonly unverified: number
  readonly unchecked: number
  /** Questions sent to the verification server (hashes:search), without their decoys. */
  readonly asked: number
  /** Requests sent beside them, about other prefixes. */
  readonly decoys: number
  /** Bytes of the request targets of both (path and query). What a browser adds to every request, such as its headers, is not counted. */
  readonly askedBytes: number
  /** Frames, which none of the counts above holds. */
  readonly frames: { readonly checked: number; readonly blocked: number }
  readonly errors: Readonly<Partial<Record<ErrorCode, number>>>
}
