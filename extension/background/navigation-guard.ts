import type { CheckContext, ListsInForce, LocalAnswer, Pending, UrlChecker } from '../../src/check/url-checker.ts'
import type { ThreatVerdict, Verdict } from '../../src/check/verdict.ts'
import { asWaryError } from '../../src/errors.ts'
import type { Clock, Logger } from '../../src/ports.ts'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { GOOGLE_ID } from '../../src/update/google-source.ts'
import { registrableDomain } from '../../src/url/public-suffix.ts'
import type { WarningView } from '../messaging/messages.ts'
import type { Allowances } from './allowances.ts'
import type { Badge } from './badge.ts'
import type { ColdTraffic } from './cold-traffic.ts'
import type { PendingNavigation, PendingNavigations } from './pending-navigations.ts'
import type { Protection } from './protection.ts'
import type { TabVerdicts } from './tab-verdicts.ts'
import type { VisitedSites } from './visited-sites.ts'
import { isWebAddress } from './web-address.ts'

/** A page that a tab is about to open in its main frame. */
export interface Navigation {
  readonly tabId: number
  readonly url: string
  readonly incognito: boolean
  /** Only a part of the page that the tab shows: a frame of it, or a change of its address by its own script (the history interface). */
  readonly part?: 'frame' | 'history'
}

/** Leaving our page for a checked target: the next navigation to it in this tab has its verdict already. */
interface Release {
  readonly url: string
  readonly verdict: Verdict
  readonly until: number
}

const RELEASE_MS = 30_000

/**
 * Decides about navigations and remembers what was decided: verdicts of tabs, records behind our pages, releases.
 * How a browser is held back meanwhile is the hold's business.
 */
export class NavigationGuard {
  /** Everything is loaded, the lists too. */
  readonly ready: Promise<void>
  /** Everything but the lists. */
  readonly #basics: Promise<unknown>
  readonly #cold: (url: string) => Promise<ListsInForce | undefined>
  readonly #traffic: ColdTraffic
  /** Before the lists are loaded: what checks of these URLs need of them. */
  readonly #prepared = new Map<string, ListsInForce>()
  readonly #checker: UrlChecker
  readonly #protection: Protection
  readonly #pending: PendingNavigations
  readonly #verdicts: TabVerdicts
  readonly #allowances: Allowances
  readonly #badge: Badge
  readonly #visited: VisitedSites
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #createId: () => string
  readonly #releases = new Map<number, Release>()
  /** The navigation that each tab began last: what comes late of an earlier one must not mark the page that the tab shows by then. */
  readonly #latest = new Map<number, Navigation>()
  readonly #running = new Map<string, Promise<PendingNavigation>>()
  #onThreat: ((navigation: Navigation, verdict: ThreatVerdict) => void) | undefined
  #loaded = false

  constructor(options: {
    readonly checker: UrlChecker
    readonly protection: Protection
    readonly pending: PendingNavigations
    readonly verdicts: TabVerdicts
    readonly allowances: Allowances
    readonly badge: Badge
    readonly visited: VisitedSites
    readonly clock: Clock
    readonly logger: Logger
    readonly createId: () => string
    /** What must be there before a check, but for the lists: settings, the cache of answers, the Public Suffix List. */
    readonly basics: Promise<unknown>
    readonly listsLoaded: Promise<unknown>
    /** The lists as far as this URL goes, before they are loaded; undefined where that cannot be told. Called when the basics are there. */
    readonly cold: (url: string) => Promise<ListsInForce | undefined>
    readonly traffic: ColdTraffic
  }) {
    this.#checker = options.checker
    this.#protection = options.protection
    this.#pending = options.pending
    this.#verdicts = options.verdicts
    this.#allowances = options.allowances
    this.#badge = options.badge
    this.#visited = options.visited
    this.#clock = options.clock
    this.#logger = options.logger
    this.#createId = options.createId
    this.#cold = options.cold
    this.#traffic = options.traffic
    this.#basics = Promise.all([options.basics, this.#pending.ready, this.#verdicts.ready])
    this.ready = Promise.all([this.#basics, options.listsLoaded]).then(() => {
      this.#loaded = true
      this.#prepared.clear()
    })
  }

  /** True once checks answer without waiting for storage. */
  get loaded(): boolean {
    return this.#loaded
  }

  /**
   * Resolves when `local` can answer for this URL: the lists are loaded, or what a check of it needs of them has been read, whichever comes first. A
   * cold start does not wait for megabytes.
   */
  async prepare(url: string): Promise<void> {
    if (this.#loaded) return
    await Promise.race([this.ready, this.#prepareCold(url)])
  }

  async #prepareCold(url: string): Promise<void> {
    if (!isWebAddress(url)) await this.#basics
    // Loading all of it finds out what is wrong or missing, and what stands in for it.
    else if (!(await this.#traffic.during(this.#readFor(url)))) await this.ready
  }

  /** @returns whether `local` can answer for this URL now */
  async #readFor(url: string): Promise<boolean> {
    await this.#basics
    try {
      const lists = await this.#cold(url)
      if (lists !== undefined && !this.#loaded) this.#prepared.set(url, lists)
      return lists !== undefined
    } catch (error) {
      this.#logger.warn('cold-check', asWaryError(error))
      return false
    }
  }

  /** The local part of the cascade, synchronous. Call it after `ready`, or after `prepare` of its URL. A release of this tab for this URL answers first. */
  local(navigation: Navigation): LocalAnswer {
    if (navigation.part !== 'frame') this.#latest.set(navigation.tabId, navigation)
    const release = navigation.part === undefined ? this.#releases.get(navigation.tabId) : undefined
    if (release !== undefined) {
      this.#releases.delete(navigation.tabId)
      if (release.url === navigation.url && this.#clock.now() < release.until) return { kind: 'verdict', verdict: release.verdict }
    }
    const shown = navigation.part === undefined ? undefined : this.#verdicts.get(navigation.tabId)
    // A person opened this page all the same; the worker that knew for which entries has died.
    if (shown?.stage === 'allowance' && !this.#allowances.knows(navigation.tabId)) {
      return { kind: 'verdict', verdict: { kind: 'safe', url: navigation.url, stage: 'allowance', freshness: { kind: 'fresh' } } }
    }
    try {
      return this.#checker.local(navigation.url, this.#context(navigation), this.#prepared.get(navigation.url))
    } catch (error) {
      // A fault of our own, in the part that answers for every page: it must neither close the web nor pass for safety.
      this.#logger.warn('check-failed', asWaryError(error))
      const verdict: Verdict = { kind: 'unchecked', reason: 'damaged', url: navigation.url, stage: 'none', freshness: { kind: 'fresh' } }
      return { kind: 'verdict', verdict }
    }
  }

  resolve(pending: Pending): Promise<Verdict> {
    return this.#checker.resolve(pending)
  }

  /** The whole cascade for a navigation whose request is held back meanwhile. */
  async judge(navigation: Navigation): Promise<Verdict> {
    await this.prepare(navigation.url)
    const answer = this.local(navigation)
    return answer.kind === 'verdict' ? answer.verdict : this.resolve(answer.pending)
  }

  /** Records the verdict of a page that loads, for popup and badge. */
  settle(navigation: Navigation, verdict: Verdict): void {
    if (this.#latest.get(navigation.tabId) === navigation) {
      this.#verdicts.set(navigation.tabId, verdict)
      this.#badge.showTab(navigation.tabId, verdict)
      if (verdict.kind === 'safe' && !navigation.incognito) this.#visited.note(navigation.tabId, navigation.url)
    }
    if (verdict.kind === 'threat') this.#onThreat?.(navigation, verdict)
  }

  /** `listener` fires for each page that the lists and the server agree on. */
  set onThreat(listener: (navigation: Navigation, verdict: ThreatVerdict) => void) {
    this.#onThreat = listener
  }

  /** Makes the record behind a warning page, or undefined when the verdict lets the page load. */
  warn(navigation: Navigation, verdict: Verdict): PendingNavigation | undefined {
    this.settle(navigation, verdict)
    if (verdict.kind !== 'threat' && verdict.kind !== 'unverified') return undefined
    const record: PendingNavigation = {
      ...navigation,
      id: this.#createId(),
      phase: verdict.kind,
      hits: verdict.hits,
      allowed: this.#allowances.grantedTo(navigation.tabId),
      ...(verdict.kind === 'unverified' ? { reason: verdict.reason } : {}),
    }
    this.#pending.put(record)
    return record
  }

  /** Makes the record behind a checking page and asks the server. */
  ask(navigation: Navigation, pending: Pending): PendingNavigation {
    const record = this.hold(navigation)
    void this.#decide(record, this.resolve(pending), navigation)
    return record
  }

  /** Makes the record behind a checking page for a page that some rule stopped though its verdict may be safe. */
  hold(navigation: Navigation): PendingNavigation {
    const record: PendingNavigation = {
      ...navigation,
      id: this.#createId(),
      phase: 'checking',
      hits: [],
      allowed: this.#allowances.grantedTo(navigation.tabId),
    }
    this.#pending.put(record)
    return record
  }

  /** Makes the record behind the soft interstitial for a page whose check failed by a fault of our own. */
  failed(navigation: Navigation, error: unknown): PendingNavigation {
    const { code, message } = asWaryError(error)
    const verdict: Verdict = {
      kind: 'unverified',
      url: navigation.url,
      stage: 'none',
      freshness: { kind: 'fresh' },
      hits: [],
      reason: { kind: 'error', code, message },
    }
    this.#latest.set(navigation.tabId, navigation)
    this.settle(navigation, verdict)
    const record: PendingNavigation = {
      ...navigation,
      id: this.#createId(),
      phase: 'unverified',
      hits: [],
      allowed: [],
      reason: verdict.reason,
    }
    this.#pending.put(record)
    return record
  }

  /**
   * The final word on a record of a checking page: it waits for the running question, or asks again after the worker died.
   * @returns undefined when this tab has no such record
   */
  async outcome(id: string, tabId: number): Promise<PendingNavigation | undefined> {
    await this.ready
    const record = this.#pending.get(id, tabId)
    if (record === undefined || record.phase !== 'checking') return record
    return this.#running.get(id) ?? this.#decide(record, this.judge(record), record)
  }

  /** Whether nothing is known of the tab's page yet: it was open before, or there was no list to check it against. */
  needsCheck(tabId: number): boolean {
    const verdict = this.#verdicts.get(tabId)
    return verdict === undefined || verdict.kind === 'unchecked'
  }

  /** Whether the tab's last verdict is on `url`. */
  hasVerdictOn(tabId: number, url: string): boolean {
    return this.#verdicts.get(tabId)?.url === url
  }

  /** Whether the tab has begun nothing since: a late verdict must not act on a page that has gone. */
  isNewest(navigation: Navigation): boolean {
    return this.#latest.get(navigation.tabId) === navigation
  }

  record(id: string, tabId: number): PendingNavigation | undefined {
    return this.#pending.get(id, tabId)
  }

  view(record: PendingNavigation): WarningView | undefined {
    if (record.phase === 'checking') return undefined
    const { host } = canonicalize(record.url)
    const hit = record.hits[0]
    const firstVisit = record.incognito ? undefined : this.#visited.wouldBeFirst(record.url)
    const list = hit === undefined ? undefined : this.#protection.stateOf(hit.source, hit.list)
    return {
      url: record.url,
      domain: registrableDomain(host) ?? host,
      kind: record.phase,
      hits: record.hits,
      ...(firstVisit === undefined ? {} : { firstVisit }),
      ...(record.reason === undefined
        ? {}
        : { reason: record.reason.kind === 'contradiction' ? ('contradiction' as const) : record.reason.code }),
      ...(record.hits.some(({ source }) => source === GOOGLE_ID) ? { advisory: 'google' as const } : {}),
      ...(list === undefined ? {} : { list: { name: list.name, sequence: list.sequence, issuedAt: list.issuedAt } }),
    }
  }

  /** A person proceeds once past the warning of `record`. */
  allowOnce(record: PendingNavigation): void {
    // A page with several listed expressions is warned about once for each: what was allowed a moment ago stays allowed.
    this.#allowances.grantOnce(record.tabId, [...record.allowed, ...record.hits])
  }

  /** The tab committed a web page, or failed to. */
  finished(tabId: number): void {
    this.#allowances.consume(tabId)
  }

  forgetTab(tabId: number): void {
    this.#pending.forgetTab(tabId)
    this.#verdicts.forgetTab(tabId)
    this.#visited.forgetTab(tabId)
    this.#allowances.forgetTab(tabId)
    this.#releases.delete(tabId)
    this.#latest.delete(tabId)
  }

  #decide(record: PendingNavigation, verdict: Promise<Verdict>, navigation: Navigation): Promise<PendingNavigation> {
    const outcome = verdict.then((answer) => {
      this.#running.delete(record.id)
      const final: PendingNavigation =
        answer.kind === 'threat' || answer.kind === 'unverified'
          ? { ...record, phase: answer.kind, hits: answer.hits, ...(answer.kind === 'unverified' ? { reason: answer.reason } : {}) }
          : { ...record, cleared: answer.kind === 'safe' && answer.stage !== 'allowance' }
      this.#pending.put(final)
      this.settle(navigation, answer)
      if (final.phase === 'checking') {
        this.#releases.set(record.tabId, { url: record.url, verdict: answer, until: this.#clock.now() + RELEASE_MS })
      }
      return final
    })
    this.#running.set(record.id, outcome)
    return outcome
  }

  #context({ tabId, part, incognito }: Navigation): CheckContext {
    return { tabId, frame: part === 'frame', within: part !== undefined, persist: !incognito }
  }
}
