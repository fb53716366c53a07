import { asWaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'
import { PAGE_PATHS, type PageName } from '../messaging/messages.ts'
import type { ChromeApi, NavigationDetails } from './chrome-api.ts'
import type { ChromeFrames } from './frames-chrome.ts'
import type { Hold } from './hold.ts'
import type { Navigation, NavigationGuard } from './navigation-guard.ts'
import type { PendingNavigation } from './pending-navigations.ts'
import type { Protection } from './protection.ts'
import type { SessionRules } from './session-rules.ts'
import type { StandingBlocks } from './standing-blocks.ts'
import { stepBackPast } from './step-back-past.ts'
import { closeTab, stepBack } from './tab-exit.ts'
import type { TabHistory } from './tab-history.ts'
import { isWebAddress } from './web-address.ts'

/** What was last decided in a tab. */
interface Decision {
  readonly url: string
  /** Our page was sent in its place. */
  readonly held: boolean
  /** A step back that we took by ourselves: what its events say must not make another. */
  readonly stepping?: boolean
}

const BLOCKED_BY_CLIENT = 'net::ERR_BLOCKED_BY_CLIENT'
const ABORTED = 'net::ERR_ABORTED'
/** Chrome refuses to change tabs while one is dragged: tried again for as long as the tab is where it was. */
const UPDATE_PAUSE_MS = 150
const LONGEST_PAUSE_MS = 2000

/**
 * Chrome without any host permission: no listener can hold a request. A local hit is answered by three things at once: a
 * session rule that stops the response, `tabs.update` to our page, and the question. A confirmed threat becomes a standing
 * block, so that a repeat visit sends nothing even while this worker sleeps; its error event then brings the warning.
 */
export class ChromeHold implements Hold {
  readonly #api: ChromeApi
  readonly #guard: NavigationGuard
  readonly #protection: Protection
  readonly #rules: SessionRules
  readonly #standing: StandingBlocks
  readonly #history: TabHistory
  readonly #frames: ChromeFrames
  readonly #logger: Logger
  readonly #incognito: boolean
  readonly #ready: Promise<unknown>
  /** Events of a cold start, in their order: each waits for those before it, and for what its check needs. */
  #queue: Promise<unknown>
  readonly #decisions = new Map<number, Decision>()
  #loaded = false

  constructor(options: {
    readonly api: ChromeApi
    readonly guard: NavigationGuard
    readonly protection: Protection
    readonly rules: SessionRules
    readonly standing: StandingBlocks
    readonly history: TabHistory
    readonly frames: ChromeFrames
    readonly logger: Logger
    /** Whether this worker serves the private windows: they have one of their own. */
    readonly incognito: boolean
  }) {
    this.#api = options.api
    this.#incognito = options.incognito
    this.#guard = options.guard
    this.#protection = options.protection
    this.#rules = options.rules
    this.#standing = options.standing
    this.#history = options.history
    this.#frames = options.frames
    this.#logger = options.logger
    this.#queue = Promise.all([this.#history.ready, this.#standing.ready])
    this.#ready = Promise.all([this.#guard.ready, this.#history.ready, this.#standing.ready]).then(() => {
      this.#loaded = true
    })
    this.#guard.onThreat = (navigation, verdict) => {
      if (!navigation.incognito) void this.#standing.add(verdict.hits, navigation.part === 'frame' ? 'frame' : 'page')
    }
    const { onBeforeNavigate, onCommitted, onErrorOccurred, onHistoryStateUpdated } = this.#api.webNavigation
    onBeforeNavigate.addListener((details) => this.#whenReady(details, () => this.#begin(details)))
    onCommitted.addListener((details) => this.#whenReady(details, () => this.#committed(details)))
    onErrorOccurred.addListener((details) => this.#whenReady(details, () => this.#failed(details)))
    onHistoryStateUpdated.addListener((details) => this.#whenReady(details, () => this.#changed(details)))
  }

  async release(record: PendingNavigation): Promise<void> {
    const { tabId, url } = record
    // What the tab begins next is the page itself, not a step back.
    this.#history.left(tabId)
    await Promise.all([this.#rules.unblock(tabId), record.cleared && !this.#incognito ? this.#standing.clear(url) : this.#pass(record)])
  }

  /** An allowed page, or one that nobody could check, keeps its standing block: only this tab may pass, until its page is there. */
  async #pass({ tabId, url, hits, allowed }: PendingNavigation): Promise<void> {
    if (!this.#standing.covers(url) && hits.length === 0) return
    // A redirect on the way may lead to the host that is listed (www.bad.test to bad.test).
    const listed = [...hits, ...allowed, ...this.#standing.hits(url)].map(({ expression }) => expression.slice(0, expression.indexOf('/')))
    await this.#rules.pass(tabId, [...new Set([new URL(url).hostname, ...listed])])
  }

  async back(tabId: number): Promise<void> {
    if (!(await stepBack(this.#api.tabs, tabId))) await closeTab(this.#api.tabs, tabId)
  }

  reconcile(): Promise<void> {
    return this.#standing.reconcile(this.#protection.lists)
  }

  /** Checks the pages that are open already: those that the browser restored, or that loaded before the first list came. */
  async sweep(): Promise<void> {
    await this.#ready
    for (const { id } of await this.#api.tabs.query({})) {
      if (id === undefined) continue
      const frame = await this.#api.webNavigation.getFrame({ tabId: id, frameId: 0 })
      if (frame && isWebAddress(frame.url) && this.#guard.needsCheck(id)) {
        const held = this.#decide({ tabId: id, url: frame.url, incognito: this.#incognito })
        if (held) this.#history.entry(id, frame.url)
      }
    }
  }

  forgetTab(tabId: number): void {
    this.#decisions.delete(tabId)
    this.#history.forgetTab(tabId)
    this.#frames.forgetTab(tabId)
    void this.#rules.unblock(tabId)
    void this.#rules.endPass(tabId)
  }

  /** Main frames of visible pages only; at once where everything is loaded, else in the order of the events. */
  #whenReady(details: NavigationDetails, act: () => void): void {
    // A prerender is judged when it activates; acting on its events would replace the page that is visible.
    if (details.frameId !== 0 || details.documentLifecycle === 'prerender') return
    const guarded = (): void => {
      try {
        act()
      } catch (error) {
        this.#logger.warn('navigation-unhandled', asWaryError(error))
      }
    }
    if (this.#loaded) guarded()
    else this.#queue = Promise.all([this.#queue, this.#guard.prepare(details.url)]).then(guarded)
  }

  #begin({ tabId, url }: NavigationDetails): void {
    if (!isWebAddress(url)) {
      if (!url.startsWith(this.#api.runtime.getURL(''))) this.#decisions.delete(tabId)
      return
    }
    const navigation = { tabId, url, incognito: this.#incognito }
    // Back from our page onto an entry of a listed page: one step further, or the warning would only come again.
    if (this.#history.isStepBack(tabId, url)) this.#stepBack(navigation)
    else this.#decide(navigation)
  }

  /** Goes one step further back by itself; where there is none, the warning stays (only a person's own click closes a tab). */
  #stepBack(navigation: Navigation): void {
    const { tabId, url } = navigation
    const former = this.#decisions.get(tabId)
    // The browser may name the entry twice on the way.
    if (former?.stepping && former.url === url) return
    const decision = { url, held: true, stepping: true }
    this.#decisions.set(tabId, decision)
    void this.#rules.unblock(tabId)
    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
    stepBackPast(this.#api, { tabId, url, wanted: () => this.#decisions.get(tabId) === decision, pause })
      .then((ended) => {
        if (ended === 'stuck') this.#decide(navigation)
      })
      .catch((error: unknown) => this.#logger.warn('not-gone-back', asWaryError(error)))
  }

  /** @returns whether our page was sent to the tab */
  #decide(navigation: Navigation): boolean {
    const { tabId, url } = navigation
    const answer = this.#guard.local(navigation)
    if (answer.kind === 'ask') {
      void this.#rules.block(tabId, new URL(url).hostname)
      const record = this.#guard.ask(navigation, answer.pending)
      this.#show(record, 'checking')
      return true
    }
    const record = this.#guard.warn(navigation, answer.verdict)
    // A page that only changes its own address must not lift what holds another on its way into the tab.
    if (record === undefined && navigation.part === 'history') return false
    this.#decisions.set(tabId, { url, held: record !== undefined })
    if (record === undefined) {
      // A block that an overtaken visit left must not meet this page.
      void this.#rules.unblock(tabId)
      return false
    }
    void this.#rules.block(tabId, new URL(url).hostname)
    this.#show(record, 'warning')
    return true
  }

  #committed({ tabId, url }: NavigationDetails): void {
    if (!isWebAddress(url)) {
      if (url.startsWith(this.#api.runtime.getURL(''))) {
        // Come back to from a later page, an old warning stands for its page again.
        const stands = this.#guard.record(new URL(url).searchParams.get('r') ?? '', tabId)
        if (stands !== undefined) this.#history.standIn(tabId, stands.url)
        this.#history.shown(tabId)
        // A step back by ourselves has ended on an older page of ours.
        if (this.#decisions.get(tabId)?.stepping) this.#decisions.delete(tabId)
        // The page that was held is out of the way: the rule must not meet what the person opens next.
        void this.#rules.unblock(tabId)
      } else {
        this.#history.left(tabId)
      }
      return
    }
    const decision = this.#decisions.get(tabId)
    const navigation = { tabId, url, incognito: this.#incognito }
    if (decision?.url === url) {
      if (!decision.held) this.#pageShown(tabId)
      else if (decision.stepping) return
      // Committed before our page could take its place, or brought back whole from the back/forward cache.
      else if (this.#history.isStepBack(tabId, url)) this.#stepBack(navigation)
      else this.#history.entry(tabId, url)
      return
    }
    // A redirect led here: Chrome names hops only now.
    if (this.#history.isStepBack(tabId, url)) this.#stepBack(navigation)
    else if (this.#decide(navigation)) this.#history.entry(tabId, url)
    else this.#pageShown(tabId)
  }

  /** A page gave itself another address by script. */
  #changed({ tabId, url }: NavigationDetails): void {
    if (!isWebAddress(url)) return
    const navigation: Navigation = { tabId, url, incognito: this.#incognito, part: 'history' }
    if (this.#history.isStepBack(tabId, url)) this.#stepBack(navigation)
    else if (this.#decide(navigation)) this.#history.entry(tabId, url)
    // A step back by ourselves has ended within the page.
    else if (this.#decisions.get(tabId)?.stepping) this.#decisions.delete(tabId)
  }

  #pageShown(tabId: number): void {
    this.#guard.finished(tabId)
    this.#history.left(tabId)
    void this.#rules.pageShown(tabId)
  }

  #failed({ tabId, url, error }: NavigationDetails & { readonly error: string }): void {
    if (!isWebAddress(url)) return
    const decision = this.#decisions.get(tabId)
    if (error !== BLOCKED_BY_CLIENT) {
      // What was allowed once is used up also by a page that could not be reached; not by one that a newer visit to it overtook.
      if (decision?.url === url && !decision.held && error !== ABORTED) this.#pageShown(tabId)
      return
    }
    if (decision?.url === url && decision.held) {
      this.#history.entry(tabId, url)
      return
    }
    // Somebody else's block is none of our business.
    if (!this.#standing.covers(url)) return
    const navigation = { tabId, url, incognito: this.#incognito }
    if (this.#history.isStepBack(tabId, url)) {
      this.#stepBack(navigation)
      return
    }
    this.#history.entry(tabId, url)
    if (this.#decide(navigation)) return
    // No list is there to ask (damaged, or gone): what was confirmed once stands.
    if (this.#guard.needsCheck(tabId)) this.#warnStanding(navigation)
    // The rule stands against a page that is not listed any more, or was allowed: the page gets its way.
    else this.#recheck(navigation)
  }

  #warnStanding(navigation: Navigation): void {
    const { url } = navigation
    const record = this.#guard.warn(navigation, {
      kind: 'threat',
      url,
      stage: 'list',
      freshness: { kind: 'fresh' },
      hits: this.#standing.hits(url),
    })
    if (record !== undefined) this.#show(record, 'warning')
  }

  #recheck(navigation: Navigation): void {
    const record = this.#guard.hold(navigation)
    this.#show(record, 'checking')
  }

  #show(record: PendingNavigation, page: PageName): void {
    const { tabId, url } = record
    const decision = { url, held: true }
    this.#decisions.set(tabId, decision)
    this.#history.standIn(tabId, url)
    const address = `${this.#api.runtime.getURL(PAGE_PATHS[page])}?r=${record.id}`
    const attempt = async (pauseMs: number): Promise<void> => {
      // The tab has begun something else, or is gone.
      if (this.#decisions.get(tabId) !== decision) return
      try {
        await this.#api.tabs.update(tabId, { url: address })
      } catch (error) {
        this.#logger.warn('page-not-shown', asWaryError(error))
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        await attempt(Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS))
      }
    }
    void attempt(UPDATE_PAUSE_MS)
  }
}
