import type { WarningView } from '../messaging/messages.ts'
import { hostOf, takeApart } from '../page/address.ts'
import { addressNodes } from '../page/address-view.ts'
import { element, isolated, pageElement, setOptionalText, setText } from '../page/element.ts'
import type { Formatting } from '../page/formatting.ts'
import type { MessageKey, Wording } from '../page/wording.ts'
import { warningFacts } from './facts.ts'
import { warningText } from './warning-text.ts'

/** What the page shows instead of a warning. */
export type Absence = 'waiting' | 'none' | 'fallback'

const ABSENCES: { readonly [A in Absence]: { readonly title: MessageKey; readonly text: MessageKey } } = {
  waiting: { title: 'waitingTitle', text: 'waitingText' },
  none: { title: 'nothingTitle', text: 'nothingText' },
  fallback: { title: 'fallbackTitle', text: 'fallbackText' },
}
/** Google's own page about its warnings, as text: a link from a page of ours would send cookies that a link from elsewhere does not. */
const ADVISORY_ADDRESS = 'https://developers.google.com/safe-browsing/v4/advisory'
/** As the details cut it (facts.ts). */
const LONG_ADDRESS = 2000

/** The warning page's document. `data-kind` of the body says what it shows: `threat`, `unverified` or an `Absence`. */
export class WarningPage {
  readonly goBack = pageElement('go-back', HTMLButtonElement)
  /** Both lead to the page: one ordinary way on where nothing is known, one out of the way where the page is known to be listed. */
  readonly waysOn = [pageElement('continue', HTMLButtonElement), pageElement('proceed', HTMLButtonElement)] as const
  /** Gets the focus: what the page is about is read first, and a key that was meant for another page presses nothing. */
  readonly #title = pageElement('warning-title', HTMLHeadingElement)
  readonly #lead = pageElement('warning-lead', HTMLParagraphElement)
  readonly #status = pageElement('status', HTMLParagraphElement)
  readonly #wording: Wording
  readonly #formatting: Formatting

  constructor(options: { readonly wording: Wording; readonly formatting: Formatting }) {
    this.#wording = options.wording
    this.#formatting = options.formatting
  }

  showWarning(view: WarningView, now: number): void {
    const text = warningText(view)
    document.title = this.#wording.text(text.tabTitle, hostOf(view.url) ?? view.domain)
    this.#reveal(view.kind, text.title, text.lead)
    setText(pageElement('advice', HTMLParagraphElement), this.#wording.text(text.advice))
    setText(pageElement('details-summary', HTMLElement), this.#wording.text(text.summary))
    pageElement('continue', HTMLElement).hidden = view.kind !== 'unverified'
    pageElement('proceed-place', HTMLElement).hidden = view.kind !== 'threat'
    this.#showAddress(view)
    pageElement('visit-note', HTMLElement).hidden = view.firstVisit !== true
    pageElement('advisory', HTMLElement).hidden = view.advisory !== 'google'
    setText(pageElement('advisory-address', HTMLElement), ADVISORY_ADDRESS)
    const facts = warningFacts(view, { wording: this.#wording, formatting: this.#formatting, now })
    pageElement('facts', HTMLElement).replaceChildren(
      ...facts.flatMap(({ label, value, code }) => [
        element('dt', { 'data-fact': label }, this.#wording.text(label)),
        element('dd', { 'data-fact': label }, code ? isolated(value, { class: 'code' }) : element('bdi', {}, value)),
      ]),
    )
    this.#title.focus({ preventScroll: true })
  }

  showAbsence(absence: Absence): void {
    const { title, text } = ABSENCES[absence]
    document.title = this.#wording.text(title)
    this.#reveal(absence, title, text)
    for (const id of ['address-section', 'advice', 'advisory', 'details', 'footer', 'continue']) pageElement(id, HTMLElement).hidden = true
    this.#title.focus({ preventScroll: true })
  }

  /** Announces what becomes of a button; `busy` keeps all from being pressed again meanwhile. */
  showStatus(key: MessageKey | undefined, { busy }: { readonly busy: boolean }): void {
    setText(this.#status, key === undefined ? '' : this.#wording.text(key))
    for (const button of [this.goBack, ...this.waysOn]) button.disabled = busy
  }

  #reveal(kind: WarningView['kind'] | Absence, title: MessageKey, lead: MessageKey): void {
    setText(this.#title, this.#wording.text(title))
    setText(this.#lead, this.#wording.text(lead))
    for (const id of ['address-section', 'advice', 'details', 'footer']) pageElement(id, HTMLElement).hidden = false
    document.body.dataset.kind = kind
    document.body.hidden = false
  }

  #showAddress({ url, domain }: WarningView): void {
    pageElement('address', HTMLParagraphElement).replaceChildren(addressNodes(url, { domain }))
    const parts = takeApart(url)
    const note =
      parts !== undefined && parts.user !== ''
        ? this.#wording.text('credentialsNote', isolate(parts.user), isolate(parts.subdomain + parts.domain))
        : parts?.isIp
          ? this.#wording.text('ipAddressNote')
          : undefined
    setOptionalText(pageElement('address-note', HTMLParagraphElement), note)
    const length = url.length > LONG_ADDRESS ? this.#wording.plural('addressCut', url.length) : undefined
    setOptionalText(pageElement('address-length', HTMLParagraphElement), length)
  }
}

/** Marks that keep a text's direction from spreading, for places where no element can stand (Unicode UAX 9: LRI, PDI). */
function isolate(text: string): string {
  return `\u2066${text}\u2069`
}
