import type { WarningView } from '../messaging/messages.ts'
import type { Formatting } from '../page/formatting.ts'
import { reasonText } from '../page/reason-text.ts'
import { shown } from '../page/shown-text.ts'
import { THREAT_TEXTS } from '../page/threat-text.ts'
import type { MessageKey, Wording } from '../page/wording.ts'

/** One line of the details. `code`: from outside or technical, shown in a fixed font and written from left to right. */
export interface Fact {
  readonly label: MessageKey
  readonly value: string
  readonly code?: true
}

const LONGEST_ADDRESS = 2000
const LONGEST_EXPRESSION = 300

/** What was found and by which list: for each hit, then for the page as a whole. `now` in milliseconds since 1970. */
export function warningFacts(
  view: WarningView,
  { wording, formatting, now }: { readonly wording: Wording; readonly formatting: Formatting; readonly now: number },
): readonly Fact[] {
  const facts: Fact[] = []
  for (const hit of view.hits) {
    const list = view.list?.name === hit.list ? view.list : undefined
    facts.push(
      { label: view.kind === 'threat' ? 'factThreat' : 'factPerhaps', value: wording.text(THREAT_TEXTS[hit.threatType].name) },
      { label: 'factExpression', value: shown(hit.expression, LONGEST_EXPRESSION), code: true },
      {
        label: 'factList',
        value: list === undefined ? hit.list : wording.text('factListVersion', hit.list, formatting.number(list.sequence)),
      },
    )
    if (list !== undefined) {
      const age = formatting.age(list.issuedAt, now)
      facts.push({ label: 'factPublished', value: wording.text('timeWithAge', age, formatting.moment(list.issuedAt)) })
    }
    facts.push({ label: 'factEntry', value: wording.plural('factEntryBytes', hit.entryLength) })
    if (hit.source !== '') facts.push({ label: 'factServer', value: shown(hit.source, LONGEST_EXPRESSION), code: true })
  }
  if (view.reason !== undefined) {
    facts.push({ label: 'factReason', value: wording.text('reasonWithCode', wording.text(reasonText(view.reason)), view.reason) })
  }
  facts.push({ label: 'factAddress', value: shown(view.url, LONGEST_ADDRESS), code: true })
  return facts
}
