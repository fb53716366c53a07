import type { ListView } from '../messaging/messages.ts'
import { element } from '../page/element.ts'
import type { Formatting } from '../page/formatting.ts'
import type { MessageKey, Wording } from '../page/wording.ts'

export interface Means {
  readonly wording: Wording
  readonly formatting: Formatting
  /** Milliseconds since 1970. */
  readonly now: number
}

/** `se-4b`: "version 42 · 13,757 entries · published 3 hours ago"; of a source that signs nothing, when it was fetched. */
export function listSummary(list: ListView, { wording, formatting, now }: Means): string {
  const { signed } = list
  return wording.text(
    'listSummary',
    signed === undefined ? wording.text('listUnsigned') : wording.text('listVersion', formatting.number(signed.sequence)),
    wording.plural('listEntries', list.entries),
    signed === undefined
      ? wording.text('listFetched', formatting.age(Math.min(list.updatedAt, now), now))
      : wording.text('listPublished', formatting.age(Math.min(signed.issuedAt, now), now)),
  )
}

/** Everything about a list and its filter, label and value. */
export function listDetails(list: ListView, { wording, formatting, now }: Means): readonly (readonly [MessageKey, string])[] {
  const moment = (at: number): string => wording.text('timeWithAge', formatting.age(at, now), formatting.moment(at))
  const { bits, hashes, fillRatio, expectedRate } = list.filter
  return [
    ['listUpdated', moment(Math.min(list.updatedAt, now))],
    ...(list.signed ? [['listExpires', moment(list.signed.expiresAt)] as const] : []),
    ['listHeld', wording.text(list.filterOnly ? 'listHeldFilter' : 'listHeldEntries')],
    ['listEntryLength', wording.plural('listEntryLengthBytes', list.entryLength)],
    ['filterSize', wording.text('filterSizeBits', formatting.number(bits), formatting.bytes(Math.ceil(bits / 8)))],
    ['filterHashes', formatting.number(hashes)],
    ['filterFill', formatting.share(fillRatio)],
    ['filterRate', formatting.share(expectedRate)],
  ]
}

/** One list of a source; details that are `open` are shown. */
export function listElement(source: string, list: ListView, open: ReadonlySet<string>, means: Means): HTMLElement {
  const { wording } = means
  const key = listKey(source, list)
  const details = element(
    'details',
    { 'data-list': key },
    element('summary', {}, wording.text('listDetails', list.name)),
    element(
      'dl',
      { class: 'facts' },
      ...listDetails(list, means).flatMap(([label, value]) => [
        element('dt', {}, wording.text(label)),
        element('dd', { 'data-fact': label }, value),
      ]),
    ),
  )
  details.open = open.has(key)
  return element(
    'div',
    { class: 'list', 'data-testid': `list-${list.name}` },
    element('p', { class: 'list-name' }, list.name),
    element('p', { class: 'list-summary' }, listSummary(list, means)),
    details,
  )
}

/** Lists of two sources may have the same name. */
export function listKey(source: string, { name }: ListView): string {
  return `${name} ${source}`
}
