import type { Hit } from '../../src/check/verdict.ts'
import { asWaryError } from '../../src/errors.ts'
import { highHalf, lowHalf } from '../../src/filter/ready-hash.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import type { Logger, StoredList } from '../../src/ports.ts'
import { parseListName } from '../../src/protocol/threat-type.ts'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { expressions } from '../../src/url/expressions.ts'
import { hostsCondition, regexCondition, type Scope, standingPattern } from './standing-rule.ts'

type Rule = chrome.declarativeNetRequest.Rule

/** The part of `chrome.declarativeNetRequest` for rules that survive restarts. */
export interface DynamicRulesApi {
  getDynamicRules(): Promise<Rule[]>
  updateDynamicRules(options: { removeRuleIds?: number[]; addRules?: Rule[] }): Promise<void>
  isRegexSupported(options: { regex: string; isCaseSensitive?: boolean }): Promise<{ isSupported: boolean }>
}

export interface LocalArea {
  get(key: string): Promise<Record<string, unknown>>
  set(items: Record<string, unknown>): Promise<void>
}

interface Standing {
  readonly expression: string
  readonly list: string
  /** Confirmed for frames only, so far. */
  readonly frame?: boolean
}

/** Chrome allows 1,000 regular expressions; the oldest confirmed threats go first. */
const MOST = 900

function isStanding(value: unknown): value is Standing {
  if (typeof value !== 'object' || value === null) return false
  const standing: Partial<Record<keyof Standing, unknown>> = value
  return typeof standing.expression === 'string' && standing.expression.includes('/') && typeof standing.list === 'string'
}

/**
 * Confirmed threats as dynamic block rules: on a repeat visit nothing is sent, also while the worker sleeps. A block goes when
 * its entry leaves the list or the server clears it.
 */
export class StandingBlocks {
  readonly ready: Promise<void>
  readonly #api: DynamicRulesApi
  readonly #area: LocalArea
  readonly #logger: Logger
  #standing: readonly Standing[] = []
  #queue: Promise<void>
  /** The rules are not known to be what `#standing` says: the last write has not ended, in this worker or the one before. */
  #unwritten = false
  readonly #supported = new Map<string, boolean>()
  readonly #readOnly: boolean

  /** @param options.readOnly for private windows: the rules of the regular ones hold there as well, and no visit there may change them */
  constructor(options: { readonly api: DynamicRulesApi; readonly area: LocalArea; readonly logger: Logger; readonly readOnly?: boolean }) {
    this.#readOnly = options.readOnly === true
    this.#api = options.api
    this.#area = options.area
    this.#logger = options.logger
    this.ready = this.#load()
    // A worker that died between remembering and changing the rules, or a browser that refused the change, has left them apart.
    this.#queue = this.ready.then(() => (this.#unwritten && !this.#readOnly ? this.#write(this.#standing) : undefined))
  }

  /** @param scope what was confirmed: a page, which stops frames as well, or a frame, which may be listed as nothing else */
  add(hits: readonly Hit[], scope: Scope = 'page'): Promise<void> {
    return this.#change((standing) => {
      const same = (hit: Hit, other: Standing): boolean => other.expression === hit.expression && other.list === hit.list
      const stands = (hit: Hit): boolean => standing.some((other) => same(hit, other) && (scope === 'frame' || other.frame !== true))
      const fresh = hits.filter((hit) => !stands(hit))
      if (fresh.length === 0) return standing
      const others = standing.filter((other) => !fresh.some((hit) => same(hit, other)))
      const added = fresh.map(({ expression, list }) => ({ expression, list, ...(scope === 'frame' ? { frame: true } : {}) }))
      return [...others, ...added].slice(-MOST)
    })
  }

  /** Whether a rule of ours stands against `url`. False for addresses that cannot be canonicalized: no rule is made of them. */
  covers(url: string, scope: Scope = 'page'): boolean {
    return this.#matching(url).some(({ frame }) => scope === 'frame' || frame !== true)
  }

  /** What stands against `url`, as the hits that were confirmed once: for the time when no list is there to ask. */
  hits(url: string): readonly Hit[] {
    return this.#matching(url).flatMap(({ expression, list, frame }) => {
      if (frame === true) return []
      const kind = parseListName(list)
      return kind === undefined ? [] : [{ expression, list, source: '', ...kind }]
    })
  }

  /** Removes every rule that stands against `url`. */
  clear(url: string): Promise<void> {
    return this.#change((standing) => {
      const matching = this.#matching(url)
      return matching.length === 0 ? standing : standing.filter((each) => !matching.includes(each))
    })
  }

  /** Removes rules whose entry is in none of `lists`. */
  reconcile(lists: readonly StoredList[]): Promise<void> {
    return this.#change((standing) => {
      const kept = standing.filter(({ expression, list: name }) => {
        const hash = fullHash(expression)
        return lists.some(
          ({ list, filter }) =>
            list.name === name && filter.mightContainHash(highHalf(hash), lowHalf(hash, list.entryLength)) && list.has(hash),
        )
      })
      return kept.length === standing.length ? standing : kept
    })
  }

  #matching(url: string): readonly Standing[] {
    if (this.#standing.length === 0) return []
    try {
      const all = new Set(expressions(canonicalize(url)))
      return this.#standing.filter((standing) => all.has(standing.expression))
    } catch (error) {
      this.#logger.info('standing-unparsed', { cause: asWaryError(error).code })
      return []
    }
  }

  async #load(): Promise<void> {
    try {
      const [{ standing }, { standingUnwritten }] = await Promise.all([this.#area.get('standing'), this.#area.get('standingUnwritten')])
      this.#standing = Array.isArray(standing) ? standing.filter(isStanding) : []
      this.#unwritten = standingUnwritten === true
    } catch (error) {
      this.#logger.warn('standing-unreadable', asWaryError(error, 'storage-failed'))
    }
  }

  /** One change after the other, each from what the one before left. The same array means that nothing changes. */
  #change(compute: (standing: readonly Standing[]) => readonly Standing[]): Promise<void> {
    if (this.#readOnly) return this.#queue
    this.#queue = this.#queue.then(async () => {
      const next = compute(this.#standing)
      if (next === this.#standing && !this.#unwritten) return
      this.#standing = next
      await this.#write(next)
    })
    return this.#queue
  }

  async #write(standing: readonly Standing[]): Promise<void> {
    this.#unwritten = true
    try {
      // Remembered before the rules change: a rule that nobody remembers could never be taken back.
      await this.#area.set({ standing, standingUnwritten: true })
      const former = await this.#api.getDynamicRules()
      await this.#api.updateDynamicRules({ removeRuleIds: former.map((rule) => rule.id), addRules: await this.#rules(standing) })
      await this.#area.set({ standingUnwritten: false })
      this.#unwritten = false
    } catch (error) {
      this.#logger.warn('standing-unwritable', asWaryError(error, 'storage-failed'))
    }
  }

  /** All hosts of a scope share one rule, so that rules stay few (each makes later changes slower). */
  async #rules(standing: readonly Standing[]): Promise<Rule[]> {
    const conditions: Rule['condition'][] = []
    for (const scope of ['page', 'frame'] as const) {
      const hosts = new Set<string>()
      const regexes = new Set<string>()
      for (const { expression, frame } of standing) {
        if ((frame === true) !== (scope === 'frame')) continue
        const pattern = standingPattern(expression)
        if (pattern.kind === 'host') hosts.add(pattern.host)
        else regexes.add(pattern.regex)
      }
      if (hosts.size > 0) conditions.push(hostsCondition(hosts, scope))
      // A pattern too long for the browser: the warm worker still acts, only the sleeping one cannot rely on a rule.
      for (const regex of regexes) if (await this.#isSupported(regex)) conditions.push(regexCondition(regex, scope))
    }
    return conditions.map((condition, i) => ({ id: i + 1, priority: 1, action: { type: 'block' }, condition }))
  }

  async #isSupported(regex: string): Promise<boolean> {
    const known = this.#supported.get(regex)
    if (known !== undefined) return known
    const { isSupported } = await this.#api.isRegexSupported({ regex, isCaseSensitive: true })
    this.#supported.set(regex, isSupported)
    return isSupported
  }
}
