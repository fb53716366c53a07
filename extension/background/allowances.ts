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
 * "Proceed once": the hits of one warning, for the next page that this tab commits, redirects on the way included.
 * Bound to (expression, list), not to the host: another listed expression of the same page warns again.
 */
export class Allowances {
  readonly #clock: Clock
  readonly #once = new Map<number, Once>()

  constructor(options: { readonly clock: Clock }) {
    this.#clock = options.clock
  }

  grantOnce(tabId: number, hits: readonly Hit[]): void {
    this.#once.set(tabId, { hits, keys: new Set(hits.map(keyOf)), until: this.#clock.now() + UNUSED_MS })
  }

  allows(hit: Hit, context: { readonly tabId: number }): boolean {
    const once = this.#once.get(context.tabId)
    return once !== undefined && this.#clock.now() < once.until && once.keys.has(keyOf(hit))
  }

  /** What the tab is allowed at the moment; none where nothing is, or it is used up. */
  grantedTo(tabId: number): readonly Hit[] {
    const once = this.#once.get(tabId)
    return once !== undefined && this.#clock.now() < once.until ? once.hits : []
  }

  /** The tab has shown its page, or failed to: what was allowed once is used up. */
  consume(tabId: number): void {
    this.#once.delete(tabId)
  }
}
