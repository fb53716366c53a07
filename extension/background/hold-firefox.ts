import type { WebNavigation, WebRequest } from 'webextension-polyfill'
import { asWaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'
import { PAGE_PATHS } from '../messaging/messages.ts'
import type { FrameBlocks } from './frame-blocks.ts'
import type { Hold } from './hold.ts'
import type { Navigation, NavigationGuard } from './navigation-guard.ts'
import type { PendingNavigation } from './pending-navigations.ts'
import { closeTab, stepBack, type TabsApi } from './tab-exit.ts'
import { isWebAddress } from './web-address.ts'

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
    readonly onBeforeNavigate: { addListener(listener: (details: WebNavigation.OnBeforeNavigateDetailsType) => void): void }
    readonly onCommitted: { addListener(listener: (details: WebNavigation.OnCommittedDetailsType) => void): void }
    readonly onErrorOccurred: { addListener(listener: (details: WebNavigation.OnErrorOccurredDetailsType) => void): void }
    readonly onHistoryStateUpdated: { addListener(listener: (details: WebNavigation.OnHistoryStateUpdatedDetailsType) => void): void }
  }
  readonly tabs: TabsApi & {
    update(tabId: number, properties: { url: string; loadReplace?: boolean }): Promise<unknown>
    query(query: Record<never, never>): Promise<{ id?: number | undefined; url?: string | undefined; incognito: boolean }[]>
  }
  readonly runtime: { getURL(path: string): string }
}

/** Longer than a step in history takes to begin. */
const STEP_MS = 1500

/**
 * Firefox holds the request itself: a blocking listener that returns a promise. Nothing is sent while the verdict is awaited,
 * also when the event page was asleep. Redirect hops come as requests of their own.
 */
export class FirefoxHold implements Hold {
  readonly #api: FirefoxApi
  readonly #guard: NavigationGuard
  readonly #blocked: FrameBlocks
  /** Address of the page in place of a blocked frame. */
  readonly #framePage: () => string
  readonly #logger: Logger
  /** Main-frame navigations that each tab has begun or ended since this event page started. */
  readonly #moves = new Map<number, number>()

  constructor(options: {
    readonly api: FirefoxApi
    readonly guard: NavigationGuard
    readonly blocked: FrameBlocks
    readonly framePage: () => string
    readonly logger: Logger
  }) {
    this.#api = options.api
    this.#guard = options.guard
    this.#blocked = options.blocked
    this.#framePage = options.framePage
    this.#logger = options.logger
    const filter: WebRequest.RequestFilter = { urls: ['http://*/*', 'https://*/*'], types: ['main_frame', 'sub_frame', 'object'] }
    this.#api.webRequest.onBeforeRequest.addListener(
      (details) => (details.type === 'main_frame' ? this.#beforeRequest(details) : this.#beforeFrame(details)),
      filter,
      ['blocking'],
    )
    this.#api.webNavigation.onBeforeNavigate.addListener((details) => this.#moved(details))
    this.#api.webNavigation.onCommitted.addListener((details) => {
      this.#moved(details)
      this.#finished(details)
      if (details.frameId === 0) this.#blocked.clear(details.tabId)
      if (details.frameId === 0 && details.transitionQualifiers.includes('forward_back')) void this.#restored(details)
    })
    this.#api.webNavigation.onErrorOccurred.addListener((details) => this.#finished(details))
    this.#api.webNavigation.onHistoryStateUpdated.addListener((details) => {
      if (details.frameId === 0) void this.#changed(details)
    })
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
    this.#blocked.clear(tabId)
  }

  /** Pages that were open before there was a list: those of a restored session make requests, and are held. */
  async sweep(): Promise<void> {
    await this.#guard.ready
    for (const { id, url, incognito } of await this.#api.tabs.query({})) {
      if (id !== undefined && url !== undefined && isWebAddress(url) && this.#guard.needsCheck(id))
        await this.#check({ tabId: id, url, incognito })
    }
  }

  async reconcile(): Promise<void> {
    // The listener asks the lists in force every time.
  }

  #moved({ tabId, frameId }: { readonly tabId: number; readonly frameId: number }): void {
    if (frameId === 0) this.#moves.set(tabId, (this.#moves.get(tabId) ?? 0) + 1)
  }

  #finished({ tabId, frameId, url }: { readonly tabId: number; readonly frameId: number; readonly url: string }): void {
    if (frameId === 0 && isWebAddress(url)) this.#guard.finished(tabId)
  }

  /** A page that the back/forward cache brings back whole makes no request that could be held. */
  async #restored({ tabId, url }: { readonly tabId: number; readonly url: string }): Promise<void> {
    await this.#guard.ready
    if (!isWebAddress(url) || this.#guard.hasVerdictOn(tabId, url)) return
    const { incognito } = await this.#api.tabs.get(tabId)
    await this.#check({ tabId, url, incognito })
  }

  /** A page gave itself another address by script. */
  async #changed({ tabId, url }: { readonly tabId: number; readonly url: string }): Promise<void> {
    await this.#guard.ready
    if (!isWebAddress(url)) return
    const { incognito } = await this.#api.tabs.get(tabId)
    await this.#check({ tabId, url, incognito, part: 'history' })
  }

  /** Checks a page that is there already, and puts the warning in its place. */
  async #check(navigation: Navigation): Promise<void> {
    try {
      const verdict = await this.#guard.judge(navigation)
      if (!this.#guard.isNewest(navigation)) return
      const record = this.#guard.warn(navigation, verdict)
      // The address that the page gave itself leaves no entry behind: a step back would end on it.
      const loadReplace = navigation.part === 'history'
      if (record !== undefined) await this.#api.tabs.update(navigation.tabId, { url: this.#warningOf(record), loadReplace })
    } catch (error) {
      this.#logger.warn('check-failed', asWaryError(error))
    }
  }

  #warningOf(record: PendingNavigation): string {
    return `${this.#api.runtime.getURL(PAGE_PATHS.warning)}?r=${record.id}`
  }

  async #beforeRequest(details: WebRequest.OnBeforeRequestDetailsType): Promise<WebRequest.BlockingResponse> {
    const navigation = { tabId: details.tabId, url: details.url, incognito: details.incognito === true }
    try {
      const verdict = await this.#guard.judge(navigation)
      const record = this.#guard.warn(navigation, verdict)
      if (record === undefined) return {}
      // No tab could show our page.
      if (details.tabId < 0) return { cancel: true }
      return { redirectUrl: this.#warningOf(record) }
    } catch (error) {
      // A fault of our own must not open a page that the lists may hold.
      this.#logger.warn('check-failed', asWaryError(error))
      return { redirectUrl: this.#warningOf(this.#guard.failed(navigation, error)) }
    }
  }

  async #beforeFrame({ tabId, url, incognito, type }: WebRequest.OnBeforeRequestDetailsType): Promise<WebRequest.BlockingResponse> {
    const navigation: Navigation = { tabId, url, incognito: incognito === true, part: 'frame' }
    try {
      const verdict = await this.#guard.judge(navigation)
      this.#guard.settle(navigation, verdict)
      if (verdict.kind !== 'threat' && verdict.kind !== 'unverified') return {}
    } catch (error) {
      // As for a page: a fault of our own must not open what the lists may hold.
      this.#logger.warn('check-failed', asWaryError(error))
    }
    if (tabId >= 0) this.#blocked.add(tabId, url)
    return type === 'sub_frame' && tabId >= 0 ? { redirectUrl: this.#framePage() } : { cancel: true }
  }
}
