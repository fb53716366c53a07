import type { ErrorCode } from "../errors.ts"
import type { Stage } from "./verdict.ts"

/** How many main-frame navigations were checked since the worker started, and which stage answered. */
export interface Counters {
  readonly checked: number
  readonly byStage: Readonly<Record<Stage, number>>
  readonly threats: number
  readonly unverified: number
  readonly unchecked: number
  /** Requests sent to the verification server for hashes:search, and bytes of their request lines. */
  readonly asked: number
  readonly errors: Readonly<Partial<Record<ErrorCode, number>>>
}
