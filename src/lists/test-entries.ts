import type { ThreatType } from '../protocol/threat-type.ts'

/** Expressions that every list of Wary holds, so that anybody can see a warning, and every client can test what it was given. */
export const TEST_ENTRIES: readonly { readonly expression: string; readonly threatType: ThreatType }[] = [
  { expression: 'phishing.wary.test/', threatType: 'SOCIAL_ENGINEERING' },
  { expression: 'malware.wary.test/', threatType: 'MALWARE' },
  { expression: 'unwanted.wary.test/', threatType: 'UNWANTED_SOFTWARE' },
  { expression: 'harmful.wary.test/', threatType: 'POTENTIALLY_HARMFUL_APPLICATION' },
  { expression: 'safe.wary.test/listed/page.html', threatType: 'SOCIAL_ENGINEERING' },
]
