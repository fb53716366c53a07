import type { ErrorCode } from '../errors.ts'
import type { Stage } from './verdict.ts'

/** How many main-frame navigations were checked since the worker started, and which stage answered. */
export interface Counters {
  readonly checked: number
  readonly byStage: Readonly<Record<Stage, number>>
  readonly threats: number
  readonly unverified: number
  readonly unchecked: number
  /** Requests sent to the verification server for hashes:search. */
  readonly asked: number
  /** Bytes of their request targets (path and query). What a browser adds to every request, such as its headers, is not counted. */
  readonly askedBytes: number
  readonly errors: Readonly<Partial<Record<ErrorCode, number>>>
}
