/** Kinds of threat that Safe Browsing v5 names (google.security.safebrowsing.v5.ThreatType, public values 1 to 4). */
export const THREAT_TYPES = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE', 'POTENTIALLY_HARMFUL_APPLICATION'] as const

export type ThreatType = (typeof THREAT_TYPES)[number]

/** Protobuf number of `type`, 1 to 4. */
export function threatTypeNumber(type: ThreatType): number {
  return THREAT_TYPES.indexOf(type) + 1
}

/** The type of a protobuf number, or undefined for 0 and numbers that an outside client must disregard. */
export function threatTypeOf(number: number): ThreatType | undefined {
  return THREAT_TYPES[number - 1]
}

/** List name stems as Google's lists have them; a whole name is `STEM-Nb`, N the entry length in bytes. */
export const LIST_STEMS: Readonly<Record<string, ThreatType>> = {
  mw: 'MALWARE',
  se: 'SOCIAL_ENGINEERING',
  uws: 'UNWANTED_SOFTWARE',
  pha: 'POTENTIALLY_HARMFUL_APPLICATION',
}

/**
 * Threat type and entry length of a list name such as `se-4b`; undefined for a name that is not of that form.
 */
export function parseListName(name: string): { threatType: ThreatType; entryLength: 4 | 8 | 16 | 32 } | undefined {
  const match = /^(mw|se|uws|pha)-(4|8|16|32)b$/.exec(name)
  if (!match) return undefined
  const threatType = LIST_STEMS[match[1] as string]
  if (threatType === undefined) return undefined
  return { threatType, entryLength: Number(match[2]) as 4 | 8 | 16 | 32 }
}
