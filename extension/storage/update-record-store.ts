import type { SourceRecord, UpdateRecordStore } from '../../src/update/update-history.ts'

/** The part of `browser.storage.local` that is needed. */
export interface LocalArea {
  get(key: string): Promise<Record<string, unknown>>
  set(items: Record<string, unknown>): Promise<void>
}

function isRecord(stored: unknown): stored is SourceRecord {
  if (typeof stored !== 'object' || stored === null) return false
  const record: Partial<Record<keyof SourceRecord, unknown>> = stored
  const time = (value: unknown): boolean => value === undefined || typeof value === 'number'
  return typeof record.failures === 'number' && time(record.lastAttemptAt) && time(record.lastSuccessAt) && time(record.notBefore)
}

/** When updates were tried and why they failed, in storage.local, so that back-off outlives worker and browser. */
export class LocalUpdateRecordStore implements UpdateRecordStore {
  readonly #area: LocalArea
  readonly #after: Promise<void>

  /** @param options.after what must be loaded before the record means anything (settings name its source) */
  constructor(options: { readonly area: LocalArea; readonly after: Promise<void> }) {
    this.#area = options.area
    this.#after = options.after
  }

  async load(): Promise<SourceRecord | undefined> {
    const [stored] = await Promise.all([this.#area.get('update'), this.#after])
    return isRecord(stored.update) ? stored.update : undefined
  }

  save(record: SourceRecord): Promise<void> {
    return this.#area.set({ update: record })
  }
}
