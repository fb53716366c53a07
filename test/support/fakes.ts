import type { WaryError } from '../../src/errors.ts'
import type {
  CachedAnswer,
  Clock,
  DamagedList,
  FullHashCacheStore,
  ListStore,
  LoadedLists,
  Logger,
  Random,
  StoredList,
} from '../../src/ports.ts'
import type { SourceRecord, UpdateRecordStore } from '../../src/update/update-history.ts'

/** 2026-01-01T00:00Z */
export const T0 = Date.UTC(2026, 0, 1)

export class FakeClock implements Clock {
  #now: number

  constructor(now = T0) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
  }
}

/** Always the same number in [0, 1). */
export function fixedRandom(value = 0.5): Random {
  return { next: () => value }
}

export interface LogLine {
  readonly event: string
  readonly error: WaryError | undefined
  readonly facts: Readonly<Record<string, unknown>> | undefined
}

export class RecordingLogger implements Logger {
  readonly lines: LogLine[] = []

  info(event: string, facts?: Readonly<Record<string, unknown>>): void {
    this.lines.push({ event, error: undefined, facts })
  }

  warn(event: string, error: WaryError, facts?: Readonly<Record<string, unknown>>): void {
    this.lines.push({ event, error, facts })
  }

  events(): string[] {
    return this.lines.map(({ event }) => event)
  }
}

/** `fail` is thrown by every operation while it is set. */
export class MemoryAnswerStore implements FullHashCacheStore {
  /** By `prefix source`. */
  readonly answers = new Map<string, CachedAnswer>()
  fail: Error | undefined

  async load(): Promise<CachedAnswer[]> {
    this.#check()
    return [...this.answers.values()]
  }

  async put(answer: CachedAnswer): Promise<void> {
    this.#check()
    this.answers.set(`${answer.prefix} ${answer.source}`, answer)
  }

  async delete(answers: readonly Pick<CachedAnswer, 'source' | 'prefix'>[]): Promise<void> {
    this.#check()
    for (const { source, prefix } of answers) this.answers.delete(`${prefix} ${source}`)
  }

  async clear(): Promise<void> {
    this.#check()
    this.answers.clear()
  }

  #check(): void {
    if (this.fail) throw this.fail
  }
}

export class MemoryListStore implements ListStore {
  readonly lists = new Map<string, StoredList>()
  replaced = 0
  failLoad: Error | undefined
  failReplace: Error | undefined
  failKeepOnly: Error | undefined

  damaged: readonly DamagedList[] = []

  async load(): Promise<LoadedLists> {
    if (this.failLoad) throw this.failLoad
    return { lists: [...this.lists.values()], damaged: this.damaged }
  }

  async replace(stored: StoredList): Promise<void> {
    if (this.failReplace) throw this.failReplace
    this.replaced++
    this.lists.set(stored.list.name, stored)
  }

  async keepOnly(names: readonly string[]): Promise<void> {
    if (this.failKeepOnly) throw this.failKeepOnly
    for (const name of this.lists.keys()) if (!names.includes(name)) this.lists.delete(name)
  }
}

export class MemoryRecordStore implements UpdateRecordStore {
  record: SourceRecord | undefined
  readonly saved: SourceRecord[] = []
  fail: Error | undefined

  async load(): Promise<SourceRecord | undefined> {
    if (this.fail) throw this.fail
    return this.record
  }

  async save(record: SourceRecord): Promise<void> {
    if (this.fail) throw this.fail
    this.record = record
    this.saved.push(record)
  }
}
