import type { Verdict } from '../../src/check/verdict.ts'
import type { Logger } from '../../src/ports.ts'
import { type SessionArea, SessionRecord } from './session-record.ts'

const MOST_TABS = 300
/** The popup shows the beginning of an address; a session record must stay small. */
const MOST_CHARACTERS = 500

function isVerdicts(stored: unknown): stored is readonly (readonly [number, Verdict])[] {
  return Array.isArray(stored) && stored.every((entry) => Array.isArray(entry) && typeof entry[0] === 'number')
}

/** The last verdict of each tab's page, for the popup, in memory and storage.session only. */
export class TabVerdicts {
  readonly #record: SessionRecord<readonly (readonly [number, Verdict])[]>

  constructor(options: { readonly area: SessionArea; readonly logger: Logger }) {
    this.#record = new SessionRecord<readonly (readonly [number, Verdict])[]>({
      ...options,
      key: 'verdicts',
      initial: [],
      parse: (stored) => (isVerdicts(stored) ? stored : undefined),
    })
  }

  get ready(): Promise<void> {
    return this.#record.ready
  }

  get(tabId: number): Verdict | undefined {
    return this.#record.value.find(([id]) => id === tabId)?.[1]
  }

  set(tabId: number, verdict: Verdict): void {
    const short = { ...verdict, url: verdict.url.slice(0, MOST_CHARACTERS) }
    this.#record.set([...this.#record.value.filter(([id]) => id !== tabId), [tabId, short] as const].slice(-MOST_TABS))
  }

  forgetTab(tabId: number): void {
    if (this.get(tabId) !== undefined) this.#record.set(this.#record.value.filter(([id]) => id !== tabId))
  }
}
