import type { Verdict } from '../../src/check/verdict.ts'
import { asWaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'
import type { Protection } from '../messaging/messages.ts'

/** The part of `browser.action` that the badge needs. */
export interface ActionApi {
  setBadgeText(details: { text: string | null; tabId?: number }): Promise<void>
  setBadgeBackgroundColor(details: { color: string; tabId?: number }): Promise<void>
  setTitle(details: { title: string | null; tabId?: number }): Promise<void>
}

const RED = '#b3261e'
const AMBER = '#8a5300'
const GREY = '#5f6368'

/** The mark on the toolbar button: none while all is well, so that a mark means something. */
export class Badge {
  readonly #action: ActionApi
  readonly #message: (key: string) => string
  readonly #logger: Logger

  constructor(options: { readonly action: ActionApi; readonly message: (key: string) => string; readonly logger: Logger }) {
    this.#action = options.action
    this.#message = options.message
    this.#logger = options.logger
  }

  showProtection(protection: Protection): void {
    switch (protection.state) {
      case 'protected':
        return this.#show('', GREY, 'badgeProtected')
      case 'starting':
        return this.#show('…', GREY, 'badgeStarting')
      case 'stale':
        return this.#show('!', AMBER, 'badgeStale')
      case 'damaged':
        return this.#show('!', RED, 'badgeDamaged')
      case 'off':
        return this.#show('×', RED, protection.reason === 'no-permission' ? 'badgeNoPermission' : 'badgeNotConfigured')
    }
  }

  /** Marks one tab whose page is listed or could not be verified. The mark goes when the tab opens another page. */
  showTab(tabId: number, verdict: Verdict): void {
    if (verdict.kind === 'threat') this.#show('!', RED, 'badgeThreat', tabId)
    else if (verdict.kind === 'unverified') this.#show('?', AMBER, 'badgeUnverified', tabId)
  }

  #show(text: string, color: string, titleKey: string, tabId?: number): void {
    const tab = tabId === undefined ? {} : { tabId }
    Promise.all([
      this.#action.setBadgeText({ text, ...tab }),
      this.#action.setBadgeBackgroundColor({ color, ...tab }),
      this.#action.setTitle({ title: this.#message(titleKey), ...tab }),
    ]).catch((error: unknown) => {
      // The tab may have closed meanwhile: nothing is left to mark.
      this.#logger.info('badge-not-shown', { cause: asWaryError(error).message })
    })
  }
}
