import type { Logger } from '../../src/ports.ts'
import { type SessionArea, SessionRecord } from './session-record.ts'

/** The frames that were blocked in the page that a tab shows. */
export interface BlockedFrames {
  readonly count: number
  /** Of the frame that was blocked last, cut for the popup. */
  readonly url: string
}

const MOST_TABS = 200
const MOST_CHARACTERS = 500

function isEntry(value: unknown): value is readonly [number, BlockedFrames] {
  if (!Array.isArray(value) || typeof value[0] !== 'number' || typeof value[1] !== 'object' || value[1] === null) return false
  const frames: Partial<Record<keyof BlockedFrames, unknown>> = value[1]
  return typeof frames.count === 'number' && typeof frames.url === 'string'
}

/** Blocked frames of each tab's page, for the popup, in memory and storage.session only. */
export class FrameBlocks {
  readonly #record: SessionRecord<readonly (readonly [number, BlockedFrames])[]>

  constructor(options: { readonly area: SessionArea; readonly logger: Logger }) {
    this.#record = new SessionRecord<readonly (readonly [number, BlockedFrames])[]>({
      ...options,
      key: 'frames',
      initial: [],
      parse: (stored) => (Array.isArray(stored) ? stored.filter(isEntry) : undefined),
    })
  }

  get ready(): Promise<void> {
    return this.#record.ready
  }

  /** Undefined where none was blocked. */
  get(tabId: number): BlockedFrames | undefined {
    return this.#record.value.find(([id]) => id === tabId)?.[1]
  }

  add(tabId: number, url: string): void {
    const frames = { count: (this.get(tabId)?.count ?? 0) + 1, url: url.slice(0, MOST_CHARACTERS) }
    this.#record.set([...this.#record.value.filter(([id]) => id !== tabId), [tabId, frames] as const].slice(-MOST_TABS))
  }

  /** The tab shows another page, or is gone. */
  clear(tabId: number): void {
    if (this.get(tabId) !== undefined) this.#record.set(this.#record.value.filter(([id]) => id !== tabId))
  }
}
