import { THREAT_TYPES, type ThreatType } from '../../src/protocol/threat-type.ts'
import type { MessageKey } from '../page/wording.ts'
import { parseApiKey, parseFeedUrl, type SourceKind, type SourceSetting } from '../settings/source-setting.ts'

/** Google's lists for computers (docs/protocol.md). */
const GOOGLE_LISTS = ['se-4b', 'mw-4b', 'uws-4b']
const GOOGLE_ORIGIN = 'https://safebrowsing.googleapis.com'

/** How each kind is asked for. */
export const ENTRY_TEXTS: {
  readonly [K in SourceKind]: { readonly choice: MessageKey; readonly label: MessageKey; readonly hint: MessageKey }
} = {
  wary: { choice: 'sourceChoiceWary', label: 'sourceTextLabelLink', hint: 'sourceHintLink' },
  filter: { choice: 'sourceChoiceFilter', label: 'sourceTextLabelLink', hint: 'sourceHintLink' },
  feed: { choice: 'sourceChoiceFeed', label: 'sourceTextLabelFeed', hint: 'sourceHintFeed' },
  google: { choice: 'sourceChoiceGoogle', label: 'sourceTextLabelGoogle', hint: 'sourceHintGoogle' },
}

/** What stands in the form. */
export interface SourceEntry {
  readonly kind: SourceKind
  readonly text: string
  readonly threatType: string
}

/** A source to be confirmed, and the site that the browser must allow us to read from for it. */
export interface Proposal {
  readonly setting: SourceSetting
  readonly permission: string | undefined
}

/** What a feed or a key becomes. @throws {WaryError} `setting-invalid` */
export function proposalOf({ kind, text, threatType }: SourceEntry): Proposal | undefined {
  if (kind === 'google') return { setting: { kind, apiKey: parseApiKey(text), lists: GOOGLE_LISTS }, permission: `${GOOGLE_ORIGIN}/*` }
  if (kind !== 'feed') return undefined
  const url = parseFeedUrl(text)
  return { setting: { kind, url, threatType: threatTypeNamed(threatType) }, permission: `${new URL(url).origin}/*` }
}

function threatTypeNamed(name: string): ThreatType {
  return THREAT_TYPES.find((type) => type === name) ?? 'SOCIAL_ENGINEERING'
}
