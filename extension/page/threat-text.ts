import type { ThreatType } from '../../src/protocol/threat-type.ts'
import type { MessageKey } from './wording.ts'

/** What people are told about each kind of threat. */
export interface ThreatText {
  /** In running text: "phishing". */
  readonly name: MessageKey
  readonly title: MessageKey
  readonly lead: MessageKey
  readonly advice: MessageKey
}

export const THREAT_TEXTS: { readonly [T in ThreatType]: ThreatText } = {
  SOCIAL_ENGINEERING: { name: 'threatPhishing', title: 'phishingTitle', lead: 'phishingLead', advice: 'phishingAdvice' },
  MALWARE: { name: 'threatMalware', title: 'malwareTitle', lead: 'malwareLead', advice: 'malwareAdvice' },
  UNWANTED_SOFTWARE: { name: 'threatUnwanted', title: 'unwantedTitle', lead: 'unwantedLead', advice: 'unwantedAdvice' },
  POTENTIALLY_HARMFUL_APPLICATION: { name: 'threatHarmful', title: 'harmfulTitle', lead: 'harmfulLead', advice: 'harmfulAdvice' },
}
