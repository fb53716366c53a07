import type { SourceView } from '../messaging/messages.ts'
import { element, isolated } from '../page/element.ts'
import { shown } from '../page/shown-text.ts'
import { SOURCE_KIND_TEXTS, spokenAddress } from '../page/source-text.ts'
import { listDetails, listElement, listKey, listSummary, type Means } from './list-view.ts'

const LONGEST_ADDRESS = 60
const LONGEST_MESSAGE = 200

/** Shows the lists in `place`, by source; details that are open stay open. */
export function showSources(place: HTMLElement, sources: readonly SourceView[], means: Means): void {
  const open = new Set([...place.querySelectorAll('details[open]')].map((details) => details.getAttribute('data-list') ?? ''))
  // What a person reads or has the focus in is left alone while nothing in it changes.
  const now = JSON.stringify(
    sources.map((source) => [
      source.id,
      problemOf(source, sources.length, means),
      source.update.remarks,
      source.lists.map((list) => [listKey(source.id, list), listSummary(list, means), listDetails(list, means)]),
    ]),
  )
  if (place.dataset.shown === now) return
  const focused = document.activeElement?.closest('details')?.getAttribute('data-list')
  place.dataset.shown = now
  place.replaceChildren(...sources.map((source) => sourceElement(source, sources.length, open, means)))
  if (focused) place.querySelector<HTMLElement>(`details[data-list="${CSS.escape(focused)}"] summary`)?.focus()
}

/** Of several sources each says for itself what is wrong; of one, the popup's own part about updates does. */
function problemOf({ update, lists }: SourceView, sources: number, { wording }: Means): string | undefined {
  if (sources < 2) return undefined
  if (update.lastError !== undefined)
    return wording.text('sourceStateFailed', shown(update.lastError.message, LONGEST_MESSAGE), update.lastError.code)
  return lists.length === 0 ? wording.text('sourceStateNever') : undefined
}

function sourceElement(source: SourceView, sources: number, open: ReadonlySet<string>, means: Means): HTMLElement {
  const { id, kind, address, lists, update } = source
  const { wording } = means
  const parts: HTMLElement[] = []
  if (sources > 1 || kind !== 'wary') {
    const name = isolated(shown(spokenAddress(address), LONGEST_ADDRESS))
    parts.push(
      element('p', { class: 'source-name' }, name, ' ', element('span', { class: 'quiet' }, wording.text(SOURCE_KIND_TEXTS[kind]))),
    )
  }
  const problem = problemOf(source, sources, means)
  if (problem !== undefined) parts.push(element('p', { class: 'source-problem' }, problem))
  parts.push(...lists.map((list) => listElement(id, list, open, means)))
  if (update.remarks.length > 0) {
    const key = `remarks ${id}`
    const remarks = update.remarks.map((remark) => element('p', {}, shown(remark, LONGEST_MESSAGE)))
    const details = element('details', { 'data-list': key }, element('summary', {}, wording.text('sourceRemarks')), ...remarks)
    details.open = open.has(key)
    parts.push(details)
  }
  return element('div', { class: 'source', 'data-source': id }, ...parts)
}
