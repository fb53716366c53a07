import type { Verdict } from '../../src/check/verdict.ts'
import { asWaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'
import type { ChromeApi, NavigationDetails } from './chrome-api.ts'
import type { FrameBlocks } from './frame-blocks.ts'
import type { Navigation, NavigationGuard } from './navigation-guard.ts'
import type { SessionRules } from './session-rules.ts'
import type { StandingBlocks } from './standing-blocks.ts'
import { isWebAddress } from './web-address.ts'

/**
 * Frames in Chrome: a listed one is stopped by a rule of its tab for its address alone, a confirmed one by a standing block as well, and the
 * browser takes it out of the page's layout. Without host permission nothing can be put there instead, and the tab itself is never touched.
 */
export class ChromeFrames {
  readonly #guard: NavigationGuard
  readonly #blocked: FrameBlocks
  readonly #rules: SessionRules
  readonly #standing: StandingBlocks
  readonly #logger: Logger
  readonly #incognito: boolean
  readonly #ready: Promise<unknown>
  /** The address that each frame began with: Chrome names the hops of a redirect only when the last of them is there. */
  readonly #begun = new Map<string, string>()
  #loaded = false

  constructor(options: {
    readonly api: Pick<ChromeApi, 'webNavigation'>
    readonly guard: NavigationGuard
    readonly blocked: FrameBlocks
    readonly rules: SessionRules
    readonly standing: StandingBlocks
    readonly logger: Logger
    readonly incognito: boolean
  }) {
    this.#guard = options.guard
    this.#blocked = options.blocked
    this.#rules = options.rules
    this.#standing = options.standing
    this.#logger = options.logger
    this.#incognito = options.incognito
    this.#ready = Promise.all([this.#standing.ready, this.#blocked.ready])
    void Promise.all([this.#ready, this.#guard.ready]).then(() => {
      this.#loaded = true
    })
    const { onBeforeNavigate, onCommitted, onErrorOccurred } = options.api.webNavigation
    onBeforeNavigate.addListener((details) => this.#whenReady(details, () => this.#begin(details)))
    onCommitted.addListener((details) => this.#committed(details))
    onErrorOccurred.addListener(({ tabId, frameId }) => this.#begun.delete(`${tabId} ${frameId}`))
  }

  forgetTab(tabId: number): void {
    this.#blocked.clear(tabId)
    void this.#rules.unblockFrames(tabId)
  }

  #whenReady(details: NavigationDetails, act: () => void): void {
    if (details.frameId === 0 || !isWebAddress(details.url)) return
    const guarded = (): void => {
      try {
        act()
      } catch (error) {
        this.#logger.warn('frame-unhandled', asWaryError(error))
      }
    }
    if (this.#loaded) guarded()
    else void Promise.all([this.#ready, this.#guard.prepare(details.url)]).then(guarded)
  }

  #begin({ tabId, frameId, url }: NavigationDetails): void {
    this.#begun.set(`${tabId} ${frameId}`, url)
    const navigation: Navigation = { tabId, url, incognito: this.#incognito, part: 'frame' }
    const answer = this.#guard.local(navigation)
    if (answer.kind === 'verdict') {
      this.#settle(navigation, answer.verdict)
      return
    }
    // Held until the server has answered; one that it clears is there when the page loads again.
    void this.#rules.blockFrame(tabId, url)
    void this.#guard.resolve(answer.pending).then((verdict) => this.#settle(navigation, verdict))
  }

  #settle(navigation: Navigation, verdict: Verdict): void {
    const { tabId, url } = navigation
    this.#guard.settle(navigation, verdict)
    if (verdict.kind !== 'threat' && verdict.kind !== 'unverified') {
      void this.#rules.unblockFrame(tabId, url)
      // A standing block against what no list holds any more goes: it lets the frame through when the page loads again.
      if (verdict.kind === 'safe' && verdict.stage !== 'allowance' && this.#standing.covers(url, 'frame')) void this.#standing.clear(url)
      return
    }
    void this.#rules.blockFrame(tabId, url)
    this.#blocked.add(tabId, url)
  }

  #committed(details: NavigationDetails): void {
    if (details.frameId !== 0) {
      this.#whenReady(details, () => this.#arrived(details))
      return
    }
    // Another page: the frames that were blocked belong to the one before. A prerendered page is not there yet.
    if (details.documentLifecycle !== 'prerender') void this.#ready.then(() => this.forgetTab(details.tabId))
  }

  /** A redirect has led the frame here. Too late for this time; once confirmed, a standing block meets the next. */
  #arrived({ tabId, frameId, url }: NavigationDetails): void {
    const key = `${tabId} ${frameId}`
    const begun = this.#begun.get(key)
    this.#begun.delete(key)
    if (begun === url) return
    const navigation: Navigation = { tabId, url, incognito: this.#incognito, part: 'frame' }
    const answer = this.#guard.local(navigation)
    const verdict = answer.kind === 'verdict' ? Promise.resolve(answer.verdict) : this.#guard.resolve(answer.pending)
    void verdict.then((each) => this.#guard.settle(navigation, each))
  }
}
