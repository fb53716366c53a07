import type { WarningView } from '../messaging/messages.ts'
import { THREAT_TEXTS } from '../page/threat-text.ts'
import type { MessageKey } from '../page/wording.ts'

export interface WarningText {
  readonly tabTitle: MessageKey
  readonly title: MessageKey
  readonly lead: MessageKey
  readonly advice: MessageKey
  readonly summary: MessageKey
}

/** The page's words: for a threat those of its first hit, which is what the cascade stopped at. */
export function warningText({ kind, hits }: Pick<WarningView, 'kind' | 'hits'>): WarningText {
  const [hit] = hits
  if (kind === 'threat') {
    // A threat without a hit cannot come from the cascade; if it did, the commonest kind would be the best guess.
    const { title, lead, advice } = THREAT_TEXTS[hit?.threatType ?? 'SOCIAL_ENGINEERING']
    return { tabTitle: 'warningTabTitle', title, lead, advice, summary: 'detailsSummaryThreat' }
  }
  return {
    tabTitle: 'unverifiedTabTitle',
    title: 'unverifiedTitle',
    lead: hit === undefined ? 'unverifiedLeadFault' : 'unverifiedLead',
    advice: 'unverifiedAdvice',
    summary: 'detailsSummary',
  }
}
