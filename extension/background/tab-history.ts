import type { Logger } from '../../src/ports.ts'
import { type SessionArea, SessionRecord } from './session-record.ts'

interface TabRecord {
  readonly tabId: number
  /** The held address that our page stands in for at the moment; undefined once the tab shows another page. */
  readonly standsFor: string | undefined
  /** Our page has committed: whatever the tab begins now comes from a person or from its history. */
  readonly shown: boolean
  /** Held addresses that got an entry in this tab's history all the same (committed, or as the browser's error page). */
  readonly entries: readonly string[]
}

/** About a megabyte at most: storage.session holds ten for the whole extension. */
const MOST_TABS = 100
const MOST_ENTRIES = 10
const LONGEST_KEPT = 1024

function isTabRecord(value: unknown): value is TabRecord {
  if (typeof value !== 'object' || value === null) return false
  const record: Partial<Record<keyof TabRecord, unknown>> = value
  return typeof record.tabId === 'number' && Array.isArray(record.entries)
}

/**
 * What Chrome's tabs hold in their history of pages that we held. Going back from a warning must not end in the entry of the
 * listed page, which would only raise the warning again (design section 2, "Back trap").
 */
export class TabHistory {
  readonly #record: SessionRecord<readonly TabRecord[]>

  constructor(options: { readonly area: SessionArea; readonly logger: Logger }) {
    this.#record = new SessionRecord<readonly TabRecord[]>({
      ...options,
      key: 'history',
      initial: [],
      parse: (stored) => (Array.isArray(stored) ? stored.filter(isTabRecord) : undefined),
    })
  }

  get ready(): Promise<void> {
    return this.#record.ready
  }

  /** Our page was sent to the tab in place of `url`. */
  standIn(tabId: number, url: string): void {
    this.#change(tabId, (record) => ({ ...record, standsFor: url.slice(0, LONGEST_KEPT), shown: false }))
  }

  /** Our page has committed in the tab. */
  shown(tabId: number): void {
    if (this.#of(tabId)?.standsFor !== undefined) this.#change(tabId, (record) => ({ ...record, shown: true }))
  }

  /** The tab shows a page that is not ours. */
  left(tabId: number): void {
    if (this.#of(tabId)?.standsFor !== undefined) this.#change(tabId, (record) => ({ ...record, standsFor: undefined, shown: false }))
  }

  /** The held `url` got an entry in the tab's history. */
  entry(tabId: number, url: string): void {
    const short = url.slice(0, LONGEST_KEPT)
    if (this.#of(tabId)?.entries.includes(short)) return
    this.#change(tabId, (record) => ({ ...record, entries: [...record.entries, short].slice(-MOST_ENTRIES) }))
  }

  /** Whether a navigation to the listed `url` that begins now is a step back from our page onto the entry that `url` has. */
  isStepBack(tabId: number, url: string): boolean {
    const record = this.#of(tabId)
    return record?.standsFor !== undefined && record.shown && record.entries.includes(url.slice(0, LONGEST_KEPT))
  }

  forgetTab(tabId: number): void {
    if (this.#of(tabId) !== undefined) this.#record.set(this.#record.value.filter((record) => record.tabId !== tabId))
  }

  #of(tabId: number): TabRecord | undefined {
    return this.#record.value.find((record) => record.tabId === tabId)
  }

  #change(tabId: number, change: (record: TabRecord) => TabRecord): void {
    const former = this.#of(tabId) ?? { tabId, standsFor: undefined, shown: false, entries: [] }
    const others = this.#record.value.filter((record) => record.tabId !== tabId)
    this.#record.set([...others, change(former)].slice(-MOST_TABS))
  }
}
