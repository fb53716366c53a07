import type { ListView } from '../messaging/messages.ts'
import { element } from '../page/element.ts'
import type { Formatting } from '../page/formatting.ts'
import type { MessageKey, Wording } from '../page/wording.ts'

interface Means {
  readonly wording: Wording
  readonly formatting: Formatting
  /** Milliseconds since 1970. */
  readonly now: number
}

/** `se-4b`: "version 42 · 13,757 entries · published 3 hours ago". */
export function listSummary(list: ListView, { wording, formatting, now }: Means): string {
  return wording.text(
    'listSummary',
    wording.text('listVersion', formatting.number(list.sequence)),
    wording.plural('listEntries', list.entries),
    wording.text('listPublished', formatting.age(Math.min(list.issuedAt, now), now)),
  )
}

/** Everything about a list and its filter, label and value. */
export function listDetails(list: ListView, { wording, formatting, now }: Means): readonly (readonly [MessageKey, string])[] {
  const moment = (at: number): string => wording.text('timeWithAge', formatting.age(at, now), formatting.moment(at))
  const { bits, hashes, fillRatio, expectedRate } = list.filter
  return [
    ['listUpdated', moment(Math.min(list.updatedAt, now))],
    ['listExpires', moment(list.expiresAt)],
    ['listEntryLength', wording.plural('listEntryLengthBytes', list.entryLength)],
    ['filterSize', wording.text('filterSizeBits', formatting.number(bits), formatting.bytes(Math.ceil(bits / 8)))],
    ['filterHashes', formatting.number(hashes)],
    ['filterFill', formatting.share(fillRatio)],
    ['filterRate', formatting.share(expectedRate)],
  ]
}

/** Shows `lists` in `place`; details that are open stay open. */
export function showLists(place: HTMLElement, lists: readonly ListView[], means: Means): void {
  const open = new Set([...place.querySelectorAll('details[open]')].map((details) => details.getAttribute('data-list')))
  // What a person reads or has the focus in is left alone while nothing in it changes.
  const shown = JSON.stringify(lists.map((list) => [list.name, listSummary(list, means), listDetails(list, means)]))
  if (place.dataset.shown === shown) return
  const focused = document.activeElement?.closest('details')?.getAttribute('data-list')
  place.dataset.shown = shown
  place.replaceChildren(...lists.map((list) => listElement(list, open.has(list.name), means)))
  if (focused) place.querySelector<HTMLElement>(`details[data-list="${CSS.escape(focused)}"] summary`)?.focus()
}

function listElement(list: ListView, open: boolean, means: Means): HTMLElement {
  const { wording } = means
  const details = element(
    'details',
    { 'data-list': list.name },
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
  details.open = open
  return element(
    'div',
    { class: 'list', 'data-testid': `list-${list.name}` },
    element('p', { class: 'list-name' }, list.name),
    element('p', { class: 'list-summary' }, listSummary(list, means)),
    details,
  )
}
