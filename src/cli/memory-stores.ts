import type { CachedAnswer, FullHashCacheStore, ListStore, LoadedLists, StoredList } from '../ports.ts'
import type { SourceRecord, UpdateRecordStore } from '../update/update-history.ts'

/** Stores of one command: nothing of a check stays behind. */

export class MemoryListStore implements ListStore {
  #lists: readonly StoredList[] = []

  async load(): Promise<LoadedLists> {
    return { lists: [...this.#lists], damaged: [] }
  }

  async replace(stored: StoredList): Promise<void> {
    this.#lists = [...this.#lists.filter(({ list }) => list.name !== stored.list.name), stored]
  }

  async keepOnly(names: readonly string[]): Promise<void> {
    this.#lists = this.#lists.filter(({ list }) => names.includes(list.name))
  }
}

export class MemoryRecordStore implements UpdateRecordStore {
  #record: SourceRecord | undefined

  async load(): Promise<SourceRecord | undefined> {
    return this.#record
  }

  async save(record: SourceRecord): Promise<void> {
    this.#record = record
  }
}

export class MemoryAnswerStore implements FullHashCacheStore {
  readonly #answers = new Map<string, CachedAnswer>()

  async load(): Promise<CachedAnswer[]> {
    return [...this.#answers.values()]
  }

  async put(answer: CachedAnswer): Promise<void> {
    this.#answers.set(`${answer.prefix} ${answer.source}`, answer)
  }

  async delete(answers: readonly Pick<CachedAnswer, 'source' | 'prefix'>[]): Promise<void> {
    for (const { source, prefix } of answers) this.#answers.delete(`${prefix} ${source}`)
  }

  async clear(): Promise<void> {
    this.#answers.clear()
  }
}
