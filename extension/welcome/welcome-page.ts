import type { Status } from '../messaging/messages.ts'
import { element, pageElement, setOptionalText, setText } from '../page/element.ts'
import type { Formatting } from '../page/formatting.ts'
import { SOURCE_KIND_TEXTS, spokenAddress } from '../page/source-text.ts'
import type { MessageKey, Wording } from '../page/wording.ts'
import { downloadText } from './download-text.ts'

const SCREENS = ['what', 'lists', 'try'] as const

/** The first-run page's document: three screens, of which one is shown. `data-screen` of the body names it. */
export class WelcomePage {
  readonly grant = pageElement('grant', HTMLButtonElement)
  readonly retry = pageElement('retry', HTMLButtonElement)
  readonly openSettings = pageElement('open-settings', HTMLButtonElement)
  readonly tryIt = pageElement('try', HTMLButtonElement)
  readonly next = pageElement('next', HTMLButtonElement)
  readonly back = pageElement('back', HTMLButtonElement)
  readonly done = pageElement('done', HTMLButtonElement)
  readonly #wording: Wording
  readonly #formatting: Formatting
  #screen = 0

  constructor(options: { readonly wording: Wording; readonly formatting: Formatting }) {
    this.#wording = options.wording
    this.#formatting = options.formatting
    this.#show(0)
  }

  /** Shows the next screen, or the one before, and leads the focus to its heading. */
  step(by: 1 | -1): void {
    this.#show(Math.min(Math.max(this.#screen + by, 0), SCREENS.length - 1))
    pageElement(`${SCREENS[this.#screen]}-title`, HTMLHeadingElement).focus()
  }

  /** What differs between the browsers, and the key combination where one is set. */
  showBrowser({ permission, pin, shortcut }: { permission: MessageKey; pin: MessageKey; shortcut: string | undefined }): void {
    setText(pageElement('permission-text', HTMLElement), this.#wording.text(permission))
    setText(pageElement('pin', HTMLElement), this.#wording.text(pin))
    setOptionalText(pageElement('shortcut', HTMLElement), shortcut && this.#wording.text('welcomeShortcut', shortcut))
  }

  /** @param now milliseconds since 1970 @returns whether nothing more is to be waited for */
  show(status: Status, now: number): boolean {
    const { protection, sources } = status
    const missing = protection.state === 'off' && protection.reason === 'no-permission'
    pageElement('permission', HTMLElement).hidden = !missing
    pageElement('sources', HTMLElement).replaceChildren(
      ...sources.map(({ kind, address }) =>
        element('li', {}, this.#wording.text(SOURCE_KIND_TEXTS[kind]), ': ', element('bdi', { dir: 'ltr' }, spokenAddress(address))),
      ),
    )
    const { tone, state, running, retry, over } = downloadText(status, { wording: this.#wording, formatting: this.#formatting, now })
    pageElement('download', HTMLElement).dataset.tone = tone
    setText(pageElement('download-state', HTMLElement), state)
    setOptionalText(pageElement('download-phase', HTMLElement), running?.phase)
    const bar = pageElement('download-progress', HTMLProgressElement)
    bar.hidden = running === undefined
    if (running?.share === undefined) bar.removeAttribute('value')
    else bar.value = running.share
    this.retry.hidden = !retry
    // Only lists of Wary hold the test entries (src/lists/test-entries.ts).
    const wary = sources.filter(({ kind }) => kind === 'wary' || kind === 'filter')
    const testable = !missing && wary.some(({ lists }) => lists.length > 0)
    this.tryIt.disabled = !testable
    const text = testable ? 'welcomeTryText' : sources.length > 0 && wary.length === 0 ? 'welcomeTryNever' : 'welcomeTryNotYet'
    setText(pageElement('try-text', HTMLElement), this.#wording.text(text))
    return over && !missing
  }

  showSilence(): void {
    pageElement('download', HTMLElement).dataset.tone = 'danger'
    setText(pageElement('download-state', HTMLElement), this.#wording.text('protectionUnknown'))
    this.tryIt.disabled = true
  }

  announcePermission(key: MessageKey | undefined): void {
    setText(pageElement('permission-status', HTMLElement), key === undefined ? '' : this.#wording.text(key))
  }

  #show(screen: number): void {
    this.#screen = screen
    const name = SCREENS[screen] ?? SCREENS[0]
    document.body.dataset.screen = name
    for (const each of SCREENS) pageElement(`screen-${each}`, HTMLElement).hidden = each !== name
    const last = screen === SCREENS.length - 1
    this.back.hidden = screen === 0
    this.next.hidden = last
    this.done.hidden = !last
    const number = (value: number): string => this.#formatting.number(value)
    setText(pageElement('step', HTMLElement), this.#wording.text('welcomeStep', number(screen + 1), number(SCREENS.length)))
  }
}
