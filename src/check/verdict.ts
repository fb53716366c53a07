import type { ErrorCode } from '../errors.ts'
import type { EntryLength } from '../lists/hash-list.ts'
import type { ThreatType } from '../protocol/threat-type.ts'

/** Which part of the cascade answered (design: one navigation). */
export type Stage = 'filter' | 'list' | 'full-hash' | 'cache' | 'search' | 'allowance' | 'none'

/** `stale` from the moment at which the signed state in force expired (milliseconds since 1970). */
export type Freshness = { readonly kind: 'fresh' } | { readonly kind: 'stale'; readonly since: number }

/** One listed expression of the URL, as one list of one source holds it. */
export interface Hit {
  readonly expression: string
  readonly list: string
  readonly source: string
  readonly threatType: ThreatType
  readonly entryLength: EntryLength
}

/** Why a local hit stayed without a trustworthy answer. `contradiction`: the answer denies an entry of a signed list. */
export type UnverifiedReason =
  | { readonly kind: 'contradiction' }
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly message: string }

export type UncheckedReason = 'no-list' | 'damaged' | 'not-configured' | 'not-web' | 'invalid-url' | 'no-permission' | 'paused'

interface Answered {
  readonly url: string
  readonly stage: Stage
  readonly freshness: Freshness
}

export type SafeVerdict = Answered & { readonly kind: 'safe' }
export type ThreatVerdict = Answered & { readonly kind: 'threat'; readonly hits: readonly Hit[] }
export type UnverifiedVerdict = Answered & { readonly kind: 'unverified'; readonly hits: readonly Hit[]; readonly reason: UnverifiedReason }
export type UncheckedVerdict = Answered & { readonly kind: 'unchecked'; readonly reason: UncheckedReason }

/** The outcome of checking one URL. Only `safe` means that the lists in force do not hold it. */
export type Verdict = SafeVerdict | ThreatVerdict | UnverifiedVerdict | UncheckedVerdict
