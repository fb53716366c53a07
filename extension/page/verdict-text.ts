import type { Stage, UncheckedReason, Verdict } from '../../src/check/verdict.ts'
import type { Formatting } from './formatting.ts'
import { reasonText } from './reason-text.ts'
import { THREAT_TEXTS } from './threat-text.ts'
import type { MessageKey, Wording } from './wording.ts'

const UNCHECKED: { readonly [R in UncheckedReason]: MessageKey } = {
  'no-list': 'verdictNoList',
  damaged: 'verdictDamaged',
  'not-configured': 'verdictNotConfigured',
  'not-web': 'verdictNotWeb',
  'invalid-url': 'verdictInvalidUrl',
  'no-permission': 'verdictNoPermission',
  paused: 'verdictPaused',
}
const SAFE_STAGES: { readonly [S in Stage]?: MessageKey } = {
  filter: 'stageFilter',
  list: 'stageList',
  cache: 'stageCacheSafe',
  search: 'stageSearchSafe',
}
const THREAT_STAGES: { readonly [S in Stage]?: MessageKey } = {
  'full-hash': 'stageFullHash',
  cache: 'stageCacheThreat',
  search: 'stageSearchThreat',
}

export interface VerdictText {
  readonly sentence: string
  /** Which stage answered, and with what; undefined where the sentence says all. */
  readonly detail: string | undefined
}

interface Means {
  readonly wording: Wording
  readonly formatting: Formatting
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The verdict on a tab in words. Undefined: the tab was not seen since the browser started. */
export function verdictText(verdict: Verdict | undefined, { wording, formatting, now }: Means): VerdictText {
  if (verdict === undefined) return { sentence: wording.text('verdictUnseen'), detail: undefined }
  const details = [answeredBy(verdict, wording)]
  if (verdict.freshness.kind === 'stale') details.push(wording.text('verdictStale', formatting.age(verdict.freshness.since, now)))
  const detail = details.filter((text) => text !== undefined).join(' ')
  return { sentence: sentence(verdict, wording), detail: detail === '' ? undefined : detail }
}

function sentence(verdict: Verdict, wording: Wording): string {
  switch (verdict.kind) {
    case 'safe':
      if (verdict.stage === 'allowance') return wording.text('verdictAllowed')
      return wording.text(verdict.stage === 'search' ? 'verdictSafeAsked' : 'verdictSafeLocal')
    case 'threat': {
      const threat = verdict.hits[0]?.threatType ?? 'SOCIAL_ENGINEERING'
      return wording.text('verdictThreat', wording.text(THREAT_TEXTS[threat].name))
    }
    case 'unverified':
      return wording.text('verdictUnverified')
    case 'unchecked':
      return wording.text(UNCHECKED[verdict.reason])
  }
}

function answeredBy(verdict: Verdict, wording: Wording): string | undefined {
  if (verdict.kind === 'unverified') {
    const code = verdict.reason.kind === 'contradiction' ? 'contradiction' : verdict.reason.code
    return wording.text('reasonSentence', wording.text(reasonText(code)), code)
  }
  const key = verdict.kind === 'safe' ? SAFE_STAGES[verdict.stage] : verdict.kind === 'threat' ? THREAT_STAGES[verdict.stage] : undefined
  return key && wording.text(key)
}
