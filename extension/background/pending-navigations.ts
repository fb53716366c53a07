import type { Hit, UnverifiedReason } from '../../src/check/verdict.ts'
import type { Logger } from '../../src/ports.ts'
import { type SessionArea, SessionRecord } from './session-record.ts'

/** A page that was asked for and is not shown: our checking or warning page stands in its tab instead. */
export interface PendingNavigation {
  /** Named in the address of our page. It opens nothing by itself: only the tab of the record may use it. */
  readonly id: string
  readonly tabId: number
  readonly url: string
  readonly phase: 'checking' | 'threat' | 'unverified'
  readonly hits: readonly Hit[]
  /** What the person has allowed this tab a moment ago, on the way to this page. */
  readonly allowed: readonly Hit[]
  /** After the checking page: the verdict is safe by the lists and the server, not because somebody allowed the page or nobody could check it. */
  readonly cleared?: boolean
  readonly reason?: UnverifiedReason
  /** From a private window: nothing of it may be kept on disk. */
  readonly incognito: boolean
}

const MOST_RECORDS = 60
/** storage.session holds 10 MB for the whole extension; addresses may have 2 MB each. */
const MOST_CHARACTERS = 3_000_000

function isPending(value: unknown): value is PendingNavigation {
  if (typeof value !== 'object' || value === null) return false
  const record: Partial<Record<keyof PendingNavigation, unknown>> = value
  return (
    typeof record.id === 'string' &&
    typeof record.tabId === 'number' &&
    typeof record.url === 'string' &&
    Array.isArray(record.hits) &&
    Array.isArray(record.allowed)
  )
}

/** The record behind every checking and warning page, newest last, bounded. Targets come from here, never from a page. */
export class PendingNavigations {
  readonly #record: SessionRecord<readonly PendingNavigation[]>

  constructor(options: { readonly area: SessionArea; readonly logger: Logger }) {
    this.#record = new SessionRecord<readonly PendingNavigation[]>({
      ...options,
      key: 'pending',
      initial: [],
      parse: (stored) => (Array.isArray(stored) ? stored.filter(isPending) : undefined),
    })
  }

  get ready(): Promise<void> {
    return this.#record.ready
  }

  put(pending: PendingNavigation): void {
    const others = this.#record.value.filter((record) => record.id !== pending.id)
    const kept = [...others, pending].slice(-MOST_RECORDS)
    let characters = kept.reduce((sum, record) => sum + record.url.length, 0)
    while (kept.length > 1 && characters > MOST_CHARACTERS) characters -= kept.shift()?.url.length ?? 0
    this.#record.set(kept)
  }

  /** The record `id` of tab `tabId`; undefined for an unknown id or another tab's. */
  get(id: string, tabId: number): PendingNavigation | undefined {
    return this.#record.value.find((record) => record.id === id && record.tabId === tabId)
  }

  /** Drops what belongs to a tab that is gone. */
  forgetTab(tabId: number): void {
    if (this.#record.value.some((record) => record.tabId === tabId)) {
      this.#record.set(this.#record.value.filter((record) => record.tabId !== tabId))
    }
  }
}
