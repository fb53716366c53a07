import type { WebNavigation, WebRequest } from 'webextension-polyfill'
import { asWaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'
import { PAGE_PATHS } from '../messaging/messages.ts'
import type { Hold } from './hold.ts'
import type { NavigationGuard } from './navigation-guard.ts'
import { closeTab, stepBack, type TabsApi } from './tab-exit.ts'

export interface FirefoxApi {
  readonly webRequest: {
    readonly onBeforeRequest: {
      addListener(
        listener: (details: WebRequest.OnBeforeRequestDetailsType) => Promise<WebRequest.BlockingResponse> | WebRequest.BlockingResponse,
        filter: WebRequest.RequestFilter,
        extra: WebRequest.OnBeforeRequestOptions[],
      ): void
    }
  }
  readonly webNavigation: {
    readonly onCommitted: { addListener(listener: (details: WebNavigation.OnCommittedDetailsType) => void): void }
    readonly onErrorOccurred: { addListener(listener: (details: WebNavigation.OnErrorOccurredDetailsType) => void): void }
  }
  readonly tabs: TabsApi
  readonly runtime: { getURL(path: string): string }
}

/** Longer than a step in history takes to commit, page from the network included in most cases. */
const STEP_MS = 1500

/**
 * Firefox holds the request itself: a blocking listener that returns a promise. Nothing is sent while the verdict is awaited,
 * also when the event page was asleep. Redirect hops come as requests of their own.
 */
export class FirefoxHold implements Hold {
  readonly #api: FirefoxApi
  readonly #guard: NavigationGuard
  readonly #logger: Logger
  /** Main-frame navigations that each tab has ended since this event page started. */
  readonly #moves = new Map<number, number>()

  constructor(options: { readonly api: FirefoxApi; readonly guard: NavigationGuard; readonly logger: Logger }) {
    this.#api = options.api
    this.#guard = options.guard
    this.#logger = options.logger
    const filter: WebRequest.RequestFilter = { urls: ['http://*/*', 'https://*/*'], types: ['main_frame'] }
    this.#api.webRequest.onBeforeRequest.addListener((details) => this.#beforeRequest(details), filter, ['blocking'])
    const finished = (details: { readonly tabId: number; readonly frameId: number; readonly url: string }): void => {
      if (details.frameId !== 0) return
      this.#moves.set(details.tabId, (this.#moves.get(details.tabId) ?? 0) + 1)
      if (/^https?:/.test(details.url)) this.#guard.finished(details.tabId)
    }
    this.#api.webNavigation.onCommitted.addListener(finished)
    this.#api.webNavigation.onErrorOccurred.addListener(finished)
  }

  async release(): Promise<void> {
    // The request that was held ended in the warning page; nothing else stands in the way.
  }

  async back(tabId: number): Promise<void> {
    const before = this.#moves.get(tabId)
    const stepped = await stepBack(this.#api.tabs, tabId)
    // Firefox does not say whether there was a step to go: a tab that stays where it is has none.
    if (stepped) await new Promise((resolve) => setTimeout(resolve, STEP_MS))
    if (this.#moves.get(tabId) === before) await closeTab(this.#api.tabs, tabId)
  }

  forgetTab(tabId: number): void {
    this.#moves.delete(tabId)
  }

  async sweep(): Promise<void> {
    // Pages that the browser restores make requests, and those are held.
  }

  async reconcile(): Promise<void> {
    // The listener asks the lists in force every time.
  }

  async #beforeRequest(details: WebRequest.OnBeforeRequestDetailsType): Promise<WebRequest.BlockingResponse> {
    const navigation = { tabId: details.tabId, url: details.url, incognito: details.incognito === true }
    try {
      const verdict = await this.#guard.judge(navigation)
      const record = this.#guard.warn(navigation, verdict)
      if (record === undefined) return {}
      // No tab could show our page.
      if (details.tabId < 0) return { cancel: true }
      return { redirectUrl: `${this.#api.runtime.getURL(PAGE_PATHS.warning)}?r=${record.id}` }
    } catch (error) {
      // A fault of our own must not open a page that the lists may hold.
      this.#logger.warn('check-failed', asWaryError(error))
      const unverified = this.#guard.failed(navigation, error)
      return { redirectUrl: `${this.#api.runtime.getURL(PAGE_PATHS.warning)}?r=${unverified.id}` }
    }
  }
}
