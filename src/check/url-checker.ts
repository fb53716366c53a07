import { equalBytes } from '../bytes.ts'
import { asWaryError, WaryError } from '../errors.ts'
import type { HashPrefix } from '../hash/hash-prefix.ts'
import type { CachedAnswer, Clock, CheckedList } from '../ports.ts'
import type { ThreatType } from '../protocol/threat-type.ts'
import type { CanonicalUrl } from '../url/canonical-url.ts'
import { canonicalize } from '../url/canonicalize.ts'
import type { CheckCounters } from './check-counters.ts'
import { freshnessOf } from './freshness.ts'
import type { FullHashCache } from './full-hash-cache.ts'
import { type Listed, ListLookup } from './list-lookup.ts'
import type { Freshness, Hit, Stage, UncheckedReason, UnverifiedReason, Verdict } from './verdict.ts'

/** An answer that denies a signed list is believed neither way; it stands this long, in memory, so that reloads do not hammer the server. */
const CONTRADICTION_MS = 60_000

export interface CheckContext {
  readonly tabId: number
  /** True for anything but a tab's main frame. */
  readonly frame: boolean
  /** False in private windows: what this check learns stays in memory. */
  readonly persist: boolean
  /** A part of the page that the tab shows: a frame of it, or a change of its address by the history interface. */
  readonly within?: boolean
}

/** The lists to check against, of all sources. */
export type ListsInForce =
  | {
      readonly kind: 'lists'
      readonly lists: readonly CheckedList[]
      /** Why a list that should be among them is not: then nothing is `safe`, since that list might hold it. */
      readonly gap?: UncheckedReason | undefined
    }
  | { readonly kind: 'none'; readonly reason: UncheckedReason }

/** A check that the device alone cannot answer. Only `UrlChecker.resolve` looks into it. */
export interface Pending {
  readonly url: string
  readonly context: CheckContext
  readonly freshness: Freshness
  /** To ask about, hosts before paths. */
  readonly open: readonly Listed[]
  /** Denied by a cached answer. */
  readonly denied: readonly Hit[]
}

export type LocalAnswer = { readonly kind: 'verdict'; readonly verdict: Verdict } | { readonly kind: 'ask'; readonly pending: Pending }

/** What an answer says about one listed expression. */
type Finding = { readonly kind: 'threat'; readonly hits: readonly Hit[] } | { readonly kind: 'cleared' } | { readonly kind: 'denied' }

export interface UrlCheckerOptions {
  readonly lists: () => ListsInForce
  readonly allowances: { allows(hit: Hit, context: CheckContext): boolean }
  readonly cache: FullHashCache
  readonly search: { search(source: string, prefix: HashPrefix): Promise<CachedAnswer> }
  readonly clock: Clock
  readonly counters: CheckCounters
  /** The server denies an entry of a signed list of this source: the list is out of date, or the server is not to be trusted. */
  readonly onContradiction: (source: string, list: string) => void
}

/**
 * The cascade for one URL: expressions, filter, list, allowances, full-length entries, full-hash cache, verification server. Each stage
 * answers or hands on; a URL that no list in force holds is answered by the first two and nothing is sent.
 */
export class UrlChecker {
  readonly #options: UrlCheckerOptions
  readonly #lookup = new ListLookup()

  constructor(options: UrlCheckerOptions) {
    this.#options = options
  }

  /** The verdict on `url` (as the browser spells it), with a question to the server where the device alone has no answer. */
  async check(url: string, context: CheckContext): Promise<Verdict> {
    const answer = this.local(url, context)
    return answer.kind === 'verdict' ? answer.verdict : this.resolve(answer.pending)
  }

  /**
   * Everything that the device knows by itself, at once.
   * @param inForce the lists to check against, where they are others than those of the options
   */
  local(url: string, context: CheckContext, inForce: ListsInForce = this.#options.lists()): LocalAnswer {
    const answer = this.#local(url, context, inForce)
    if (answer.kind === 'verdict') this.#counted(answer.verdict, context)
    return answer
  }

  /**
   * Asks about one prefix after the other, hosts before paths, and stops at the first threat. Never rejects: what goes wrong makes
   * the verdict `unverified`.
   */
  async resolve(pending: Pending): Promise<Verdict> {
    return this.#counted(await this.#resolve(pending), pending.context)
  }

  #local(url: string, context: CheckContext, inForce: ListsInForce): LocalAnswer {
    const canonical = canonicalWeb(url)
    if (typeof canonical === 'string') return unchecked(url, canonical)
    if (inForce.kind === 'none') return unchecked(url, inForce.reason)
    if (inForce.lists.length === 0) return unchecked(url, 'no-list')
    const freshness = freshnessOf(inForce.lists, this.#options.clock.now())
    const { stage, listed } = this.#lookup.find(canonical, inForce.lists)
    if (listed.length === 0) {
      if (inForce.gap !== undefined) return unchecked(url, inForce.gap)
      return { kind: 'verdict', verdict: { kind: 'safe', url, stage, freshness } }
    }

    const answered = (stage: Stage): { url: string; stage: Stage; freshness: Freshness } => ({ url, stage, freshness })
    const forbidden = this.#withoutAllowed(listed, context)
    if (forbidden.length === 0) return { kind: 'verdict', verdict: { kind: 'safe', ...answered('allowance') } }

    const certain = forbidden.flatMap(({ hits }) => hits.filter((hit) => hit.entryLength === 32))
    if (certain.length > 0) return { kind: 'verdict', verdict: { kind: 'threat', hits: certain, ...answered('full-hash') } }

    const open: Listed[] = []
    const denied: Hit[] = []
    for (const expression of forbidden) {
      const answer = this.#options.cache.get(expression.source, expression.prefix)
      const finding = answer && judge(answer, expression, context.frame)
      if (finding?.kind === 'threat') return { kind: 'verdict', verdict: { kind: 'threat', hits: finding.hits, ...answered('cache') } }
      if (!finding) open.push(expression)
      else if (finding.kind === 'denied') denied.push(...expression.hits)
    }
    if (open.length > 0) return { kind: 'ask', pending: { url, context, freshness, open, denied } }
    if (denied.length === 0) return { kind: 'verdict', verdict: { kind: 'safe', ...answered('cache') } }
    return { kind: 'verdict', verdict: { kind: 'unverified', hits: denied, reason: { kind: 'contradiction' }, ...answered('cache') } }
  }

  async #resolve(pending: Pending): Promise<Verdict> {
    const { url, context, freshness } = pending
    const answered = { url, stage: 'search', freshness } as const
    const unverified: Hit[] = [...pending.denied]
    let reason: UnverifiedReason | undefined = pending.denied.length > 0 ? { kind: 'contradiction' } : undefined
    for (const expression of pending.open) {
      try {
        const finding = judge(await this.#answer(expression, context), expression, context.frame)
        if (finding.kind === 'threat') return { kind: 'threat', hits: finding.hits, ...answered }
        if (finding.kind === 'cleared') continue
        reason ??= { kind: 'contradiction' }
      } catch (error) {
        const { code, message } = asWaryError(error)
        reason ??= { kind: 'error', code, message }
      }
      unverified.push(...expression.hits)
    }
    return reason ? { kind: 'unverified', hits: unverified, reason, ...answered } : { kind: 'safe', ...answered }
  }

  /** From the cache where another check or an earlier expression of this one has filled it meanwhile, else from the server. */
  async #answer({ source, signed, prefix, hits }: Listed, context: CheckContext): Promise<CachedAnswer> {
    const { cache, search, clock, onContradiction } = this.#options
    const cached = cache.get(source, prefix)
    if (cached) return cached
    const answer = await search.search(source, prefix)
    if (!signed || answer.fullHashes.length > 0) {
      cache.put(answer, { persist: context.persist })
      return answer
    }
    // Two checks can share one answer: the first of them reports it.
    if (!cache.get(source, prefix)) {
      cache.put({ ...answer, expiresAt: clock.now() + CONTRADICTION_MS }, { persist: false })
      for (const list of new Set(hits.map((hit) => hit.list))) onContradiction(source, list)
    }
    return answer
  }

  #withoutAllowed(listed: readonly Listed[], context: CheckContext): readonly Listed[] {
    const { allowances } = this.#options
    return listed
      .map((expression) => ({ ...expression, hits: expression.hits.filter((hit) => !allowances.allows(hit, context)) }))
      .filter(({ hits }) => hits.length > 0)
  }

  #counted(verdict: Verdict, context: CheckContext): Verdict {
    if (context.frame) this.#options.counters.countFrame(verdict)
    else this.#options.counters.countVerdict(verdict)
    return verdict
  }
}

/** The canonical URL, or why a page of this address cannot be checked. */
function canonicalWeb(url: string): CanonicalUrl | 'not-web' | 'invalid-url' {
  try {
    return canonicalize(url)
  } catch (error) {
    if (!(error instanceof WaryError && error.code === 'url-invalid')) throw error
    return /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^https?:/i.test(url) ? 'not-web' : 'invalid-url'
  }
}

function unchecked(url: string, reason: UncheckedReason): LocalAnswer {
  return { kind: 'verdict', verdict: { kind: 'unchecked', reason, url, stage: 'none', freshness: { kind: 'fresh' } } }
}

/** Reads an answer for one listed expression (design: an answer without any full hash denies an entry of a signed list). */
function judge(answer: CachedAnswer, { hash, hits, signed }: Listed, frame: boolean): Finding {
  if (answer.fullHashes.length === 0) return { kind: signed ? 'denied' : 'cleared' }
  const types = new Set<ThreatType>()
  for (const known of answer.fullHashes) {
    if (!equalBytes(known.hash, hash)) continue
    for (const type of known.threatTypes) types.add(type)
    if (frame) for (const type of known.frameOnlyTypes ?? []) types.add(type)
  }
  return types.size === 0 ? { kind: 'cleared' } : { kind: 'threat', hits: verified(hits, types) }
}

/** The hits with the threat types that the server confirms: each hit keeps its list, and every confirmed type has a hit. */
function verified(hits: readonly Hit[], types: ReadonlySet<ThreatType>): Hit[] {
  const [first] = types
  const [hit] = hits
  if (first === undefined || hit === undefined) return []
  const named = hits.map((each) => (types.has(each.threatType) ? each : { ...each, threatType: first }))
  const missing = [...types].filter((type) => named.every((each) => each.threatType !== type))
  return [...named, ...missing.map((type) => ({ ...hit, threatType: type }))]
}
