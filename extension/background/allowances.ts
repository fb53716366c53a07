import type { Hit } from '../../src/check/verdict.ts'
import type { Clock } from '../../src/ports.ts'

/** A person's "proceed once" that no navigation used is void after this time. */
const UNUSED_MS = 60_000

interface Once {
  readonly hits: readonly Hit[]
  readonly keys: ReadonlySet<string>
  readonly until: number
}

function keyOf(hit: Hit): string {
  return `${hit.list} ${hit.expression}`
}

/**
 * "Proceed once": the hits of one warning, for the next page that this tab commits, redirects on the way included, and for what
 * belongs to that page while the tab shows it (its frames, its own changes of its address).
 * Bound to (expression, list), not to the host: another listed expression of the same page warns again.
 */
export class Allowances {
  readonly #clock: Clock
  readonly #once = new Map<number, Once>()
  /** What was allowed for the page that each tab shows. */
  readonly #shown = new Map<number, ReadonlySet<string>>()

  constructor(options: { readonly clock: Clock }) {
    this.#clock = options.clock
  }

  grantOnce(tabId: number, hits: readonly Hit[]): void {
    this.#once.set(tabId, { hits, keys: new Set(hits.map(keyOf)), until: this.#clock.now() + UNUSED_MS })
  }

  allows(hit: Hit, context: { readonly tabId: number; readonly within?: boolean }): boolean {
    if (context.within === true) return this.#shown.get(context.tabId)?.has(keyOf(hit)) === true
    return this.#valid(context.tabId)?.keys.has(keyOf(hit)) === true
  }

  /** What the tab is allowed at the moment; none where nothing is, or it is used up. */
  grantedTo(tabId: number): readonly Hit[] {
    return this.#valid(tabId)?.hits ?? []
  }

  /** The tab has shown its page, or failed to: what was allowed once is used up. */
  consume(tabId: number): void {
    const once = this.#valid(tabId)
    if (once === undefined) this.#shown.delete(tabId)
    else this.#shown.set(tabId, once.keys)
    this.#once.delete(tabId)
  }

  /** Whether this worker knows what the page of the tab was allowed: the one before it took that along. */
  knows(tabId: number): boolean {
    return this.#shown.has(tabId)
  }

  forgetTab(tabId: number): void {
    this.#once.delete(tabId)
    this.#shown.delete(tabId)
  }

  #valid(tabId: number): Once | undefined {
    const once = this.#once.get(tabId)
    return once !== undefined && this.#clock.now() < once.until ? once : undefined
  }
}
