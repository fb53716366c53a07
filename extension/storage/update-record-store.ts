import type { SourceRecord, UpdateRecordStore } from '../../src/update/update-history.ts'

/** The part of `browser.storage.local` that is needed. */
export interface LocalArea {
  get(key: string): Promise<Record<string, unknown>>
  set(items: Record<string, unknown>): Promise<void>
}

/** The part of `browser.storage.local` that removes. */
export interface RecordArea {
  get(key?: null): Promise<Record<string, unknown>>
  remove(keys: string[]): Promise<void>
}

function isRecord(stored: unknown): stored is SourceRecord {
  if (typeof stored !== 'object' || stored === null) return false
  const record: Partial<Record<keyof SourceRecord, unknown>> = stored
  const time = (value: unknown): boolean => value === undefined || typeof value === 'number'
  const memory = record.memory
  if (typeof memory !== 'object' || memory === null || !('seen' in memory) || typeof memory.seen !== 'object') return false
  return (
    typeof record.failures === 'number' &&
    Array.isArray(record.remarks) &&
    time(record.lastAttemptAt) &&
    time(record.lastSuccessAt) &&
    time(record.notBefore)
  )
}

const PREFIX = 'update '

/**
 * When updates of a source were tried, why they failed, and how far its lists had come, in storage.local: so that back-off and the memory of
 * the newest list outlive worker, browser and database.
 */
export class LocalUpdateRecordStore implements UpdateRecordStore {
  readonly #area: LocalArea
  readonly #key: string

  constructor(options: { readonly area: LocalArea; readonly source: string }) {
    this.#area = options.area
    this.#key = PREFIX + options.source
  }

  async load(): Promise<SourceRecord | undefined> {
    const stored = (await this.#area.get(this.#key))[this.#key]
    return isRecord(stored) ? stored : undefined
  }

  save(record: SourceRecord): Promise<void> {
    return this.#area.set({ [this.#key]: record })
  }
}

/** Removes the records of sources other than these. */
export async function keepRecords(area: RecordArea, ids: readonly string[]): Promise<void> {
  const gone = Object.keys(await area.get()).filter((key) => key.startsWith(PREFIX) && !ids.includes(key.slice(PREFIX.length)))
  if (gone.length > 0) await area.remove(gone)
}
