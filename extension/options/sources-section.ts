import type { SourceView } from '../messaging/messages.ts'
import { element, isolated, pageElement, setOptionalText, setText } from '../page/element.ts'
import type { Formatting } from '../page/formatting.ts'
import { shown } from '../page/shown-text.ts'
import { SOURCE_KIND_TEXTS, spokenAddress } from '../page/source-text.ts'
import { THREAT_TEXTS } from '../page/threat-text.ts'
import type { Wording } from '../page/wording.ts'
import { type SourceKind, type SourceSetting, sourceId } from '../settings/source-setting.ts'
import { ENTRY_TEXTS, type Proposal, type SourceEntry } from './source-entry.ts'

const LONGEST = 200

/** The part of the settings page about sources beside the server: its document alone, no messages. */
export class SourcesSection {
  readonly form = pageElement('source-form', HTMLFormElement)
  readonly check = pageElement('source-check', HTMLButtonElement)
  readonly add = pageElement('source-add', HTMLButtonElement)
  readonly cancel = pageElement('source-cancel', HTMLButtonElement)
  readonly undo = pageElement('source-undo', HTMLButtonElement)
  /** Fires when a person removes a source. */
  onRemove: (id: string) => void = () => undefined
  readonly #wording: Wording
  readonly #formatting: Formatting

  constructor({ wording, formatting }: { readonly wording: Wording; readonly formatting: Formatting }) {
    this.#wording = wording
    this.#formatting = formatting
    const threats = pageElement('source-threat', HTMLSelectElement)
    for (const [type, { name }] of Object.entries(THREAT_TEXTS)) threats.append(element('option', { value: type }, wording.text(name)))
    for (const [kind, { choice }] of Object.entries(ENTRY_TEXTS)) {
      const input = element('input', { type: 'radio', name: 'kind', value: kind, ...(kind === 'wary' ? { checked: '' } : {}) })
      pageElement('source-kinds', HTMLElement).append(element('label', { class: 'choice' }, input, wording.text(choice)))
    }
    this.form.addEventListener('change', () => this.#ask())
    this.#ask()
  }

  get entry(): SourceEntry {
    const chosen = this.form.querySelector<HTMLInputElement>('input[name="kind"]:checked')?.value
    const kind = (Object.keys(ENTRY_TEXTS) as SourceKind[]).find((known) => known === chosen) ?? 'wary'
    return { kind, text: this.#text.value, threatType: pageElement('source-threat', HTMLSelectElement).value }
  }

  /** @param states how the sources fare, as far as it is known */
  show(settings: readonly SourceSetting[], states: readonly SourceView[], managed: boolean, now: number): void {
    pageElement('sources-none', HTMLElement).hidden = settings.length > 0
    pageElement('sources-managed', HTMLElement).hidden = !managed
    this.form.hidden = managed
    pageElement('sources', HTMLUListElement).replaceChildren(
      ...settings.map((setting) =>
        this.#item(
          setting,
          states.find(({ id }) => id === sourceId(setting)),
          managed,
          now,
        ),
      ),
    )
  }

  showProblem(text: string | undefined): void {
    this.#text.setAttribute('aria-invalid', String(text !== undefined))
    setOptionalText(pageElement('source-problem', HTMLElement), text)
    if (text !== undefined) this.#text.focus()
  }

  say(text: string, tone: 'good' | 'danger' | 'neutral' = 'neutral'): void {
    const status = pageElement('sources-status', HTMLElement)
    status.dataset.tone = tone
    setText(status, text)
  }

  /** Asks the person before a source is added; undefined takes the question away. */
  confirm(proposal: Proposal | undefined): void {
    const box = pageElement('source-confirm', HTMLElement)
    box.hidden = proposal === undefined
    if (proposal === undefined) return
    const { setting } = proposal
    const facts: [string, string][] = [[this.#wording.text('sourceConfirmServer'), addressOf(setting)]]
    if ('fingerprint' in setting) facts.push([this.#wording.text('sourceConfirmFingerprint'), grouped(setting.fingerprint)])
    if ('lists' in setting) facts.push([this.#wording.text('sourceConfirmLists'), setting.lists.join(', ')])
    pageElement('source-facts', HTMLElement).replaceChildren(
      ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', { class: 'code' }, isolated(shown(value, LONGEST)))]),
    )
    setText(pageElement('source-risk', HTMLElement), this.#wording.text(riskOf(setting)))
    pageElement('source-confirm-heading', HTMLElement).focus()
  }

  clear(): void {
    this.#text.value = ''
    this.showProblem(undefined)
    this.confirm(undefined)
  }

  get #text(): HTMLInputElement {
    return pageElement('source-text', HTMLInputElement)
  }

  /** Says what is to be entered for the kind that is chosen. */
  #ask(): void {
    const { kind } = this.entry
    setText(pageElement('source-text-label', HTMLElement), this.#wording.text(ENTRY_TEXTS[kind].label))
    setText(pageElement('source-hint', HTMLElement), this.#wording.text(ENTRY_TEXTS[kind].hint))
    pageElement('source-threat-field', HTMLElement).hidden = kind !== 'feed'
    // What was wrong with the former choice says nothing any more.
    this.showProblem(undefined)
    this.confirm(undefined)
  }

  #item(setting: SourceSetting, state: SourceView | undefined, managed: boolean, now: number): HTMLElement {
    const address = spokenAddress(addressOf(setting))
    const failed = state?.update.lastError !== undefined
    const about = element(
      'div',
      { class: 'about' },
      element('p', { class: 'address' }, isolated(shown(address, LONGEST))),
      element('p', { class: 'quiet' }, this.#wording.text(SOURCE_KIND_TEXTS[setting.kind])),
      element('p', { class: failed ? 'failed' : 'quiet' }, this.#state(state, now)),
    )
    if (managed) return element('li', { 'data-source': sourceId(setting) }, about)
    const label = this.#wording.text('sourceRemoveLabel', address)
    const remove = element('button', { type: 'button', class: 'button', 'aria-label': label }, this.#wording.text('sourceRemove'))
    remove.addEventListener('click', () => this.onRemove(sourceId(setting)))
    return element('li', { 'data-source': sourceId(setting) }, about, remove)
  }

  #state(state: SourceView | undefined, now: number): string {
    const { lastError, lastSuccessAt } = state?.update ?? {}
    if (lastError) return this.#wording.text('sourceStateFailed', shown(lastError.message, LONGEST), lastError.code)
    if (lastSuccessAt === undefined) return this.#wording.text('sourceStateNever')
    return this.#wording.text('sourceStateGood', this.#formatting.age(Math.min(lastSuccessAt, now), now))
  }
}

/** What a source is called by: its address, or Google's name. */
export function addressOf(setting: SourceSetting): string {
  switch (setting.kind) {
    case 'wary':
    case 'filter':
      return setting.server
    case 'google':
      return setting.server ?? 'safebrowsing.googleapis.com'
    case 'feed':
      return setting.url
  }
}

function riskOf({ kind }: SourceSetting): 'sourceConfirmRisk' | 'sourceConfirmFeed' | 'sourceHintGoogle' {
  return kind === 'feed' ? 'sourceConfirmFeed' : kind === 'google' ? 'sourceHintGoogle' : 'sourceConfirmRisk'
}

/** Eight digits at a time, so that a person can compare them. */
function grouped(fingerprint: string): string {
  return fingerprint.replace(/.{8}(?=.)/g, '$& ')
}
