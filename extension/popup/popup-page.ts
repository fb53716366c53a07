import type { Status } from '../messaging/messages.ts'
import { addressNodes } from '../page/address-view.ts'
import { pageElement, setOptionalText, setText } from '../page/element.ts'
import type { Formatting } from '../page/formatting.ts'
import { progressText } from '../page/progress-text.ts'
import { verdictText } from '../page/verdict-text.ts'
import type { MessageKey, Wording } from '../page/wording.ts'
import { protectionText } from './protection-text.ts'
import { showSources } from './source-view.ts'
import { historyText } from './update-text.ts'

/** The popup's document: shows one status after the other, and touches only what has changed. */
export class PopupPage {
  readonly updateNow = pageElement('update-now', HTMLButtonElement)
  readonly grant = pageElement('grant', HTMLButtonElement)
  readonly openSettings = pageElement('open-settings', HTMLButtonElement)
  readonly #wording: Wording
  readonly #formatting: Formatting
  #address: string | undefined

  constructor(options: { readonly wording: Wording; readonly formatting: Formatting }) {
    this.#wording = options.wording
    this.#formatting = options.formatting
  }

  /** @param now milliseconds since 1970 @param asking whether an update was asked for whose progress does not show yet */
  show(status: Status, now: number, asking: boolean): void {
    const means = { wording: this.#wording, formatting: this.#formatting, now }
    this.#showProtection(status.protection, now)
    this.#showTab(status, now)
    const holdsList = status.sources.some(({ lists }) => lists.length > 0)
    pageElement('lists-none', HTMLElement).hidden = holdsList
    showSources(pageElement('lists', HTMLElement), status.sources, means)
    const running = status.update.progress !== undefined || asking
    this.#showProgress(status, running)
    const history = historyText(status.update, holdsList, means)
    setText(pageElement('update-last', HTMLElement), history.last)
    // Of several sources, each says its own failure (source-view.ts).
    const several = status.sources.length > 1
    setOptionalText(pageElement('update-error', HTMLElement), running || several ? undefined : history.error)
    setOptionalText(pageElement('update-next', HTMLElement), running ? undefined : history.next)
    this.updateNow.disabled = running || status.sources.length === 0
    const { checked, asked, threats, unverified, unchecked } = status.counters
    const frames = status.counters.frames.blocked
    for (const [name, count] of Object.entries({ checked, asked, threats, frames, unverified, unchecked })) {
      setText(pageElement(`count-${name}`, HTMLElement), this.#formatting.number(count))
    }
    pageElement('frames-counter', HTMLElement).hidden = frames === 0
    pageElement('private-windows', HTMLElement).hidden = status.privateWindows
    pageElement('unverified-counter', HTMLElement).hidden = unverified === 0
    pageElement('unchecked-counter', HTMLElement).hidden = unchecked === 0
  }

  /** The background does not answer: nothing else on the page may look as if it were true now. */
  showSilence(now: number): void {
    this.#showProtection(undefined, now)
    pageElement('permission', HTMLElement).hidden = true
    this.updateNow.disabled = true
  }

  announceUpdate(key: MessageKey | undefined, ...values: string[]): void {
    setText(pageElement('update-status', HTMLElement), key === undefined ? '' : this.#wording.text(key, ...values))
  }

  announcePermission(key: MessageKey | undefined): void {
    setText(pageElement('permission-status', HTMLElement), key === undefined ? '' : this.#wording.text(key))
  }

  #showProtection(protection: Status['protection'] | undefined, now: number): void {
    const { tone, sentence, detail } = protectionText(protection, { wording: this.#wording, formatting: this.#formatting, now })
    document.body.dataset.tone = tone
    document.body.dataset.protection = protection?.state ?? 'unknown'
    setText(pageElement('protection', HTMLElement), sentence)
    setText(pageElement('protection-detail', HTMLElement), detail)
    const missing = protection?.state === 'off' && protection.reason === 'no-permission'
    pageElement('permission', HTMLElement).hidden = !missing
  }

  #showTab({ tab, firstVisit, frames }: Status, now: number): void {
    pageElement('tab-visit', HTMLElement).hidden = firstVisit !== true
    const { sentence, detail } = verdictText(tab, { wording: this.#wording, formatting: this.#formatting, now })
    const verdict = pageElement('tab-verdict', HTMLElement)
    setText(verdict, sentence)
    verdict.dataset.kind = tab?.kind ?? 'unseen'
    verdict.dataset.stage = tab?.stage ?? 'none'
    setOptionalText(pageElement('tab-stage', HTMLElement), detail)
    const blocked = frames === undefined ? undefined : this.#wording.plural('framesBlocked', frames.count)
    setOptionalText(pageElement('tab-frames', HTMLElement), blocked)
    const place = pageElement('tab-address', HTMLElement)
    place.hidden = tab === undefined
    if (tab !== undefined && tab.url !== this.#address) {
      this.#address = tab.url
      place.replaceChildren(addressNodes(tab.url))
    }
  }

  #showProgress({ update }: Status, running: boolean): void {
    pageElement('update-running', HTMLElement).hidden = !running
    if (!running) return
    const { phase, share } = progressText(update.progress, { wording: this.#wording, formatting: this.#formatting })
    setText(pageElement('update-phase', HTMLElement), phase)
    const bar = pageElement('update-progress', HTMLProgressElement)
    if (share === undefined) bar.removeAttribute('value')
    else bar.value = share
  }
}
