import type { CachedAnswer, FullHashCacheStore } from '../../src/ports.ts'
import { type Database, storageError } from './database.ts'

/** Answers of hashes:search in IndexedDB, so that they outlive the worker. */
export class IndexedDbAnswerStore implements FullHashCacheStore {
  readonly #database: Database

  constructor(options: { readonly database: Database }) {
    this.#database = options.database
  }

  async load(): Promise<CachedAnswer[]> {
    try {
      return await (await this.#database.open()).getAll('answers')
    } catch (error) {
      throw storageError(error)
    }
  }

  async put(answer: CachedAnswer): Promise<void> {
    try {
      await (await this.#database.open()).put('answers', answer)
    } catch (error) {
      throw storageError(error)
    }
  }

  async delete(answers: readonly Pick<CachedAnswer, 'source' | 'prefix'>[]): Promise<void> {
    try {
      const transaction = (await this.#database.open()).transaction('answers', 'readwrite')
      for (const { source, prefix } of answers) transaction.store.delete([source, prefix])
      await transaction.done
    } catch (error) {
      throw storageError(error)
    }
  }

  async clear(): Promise<void> {
    try {
      await (await this.#database.open()).clear('answers')
    } catch (error) {
      throw storageError(error)
    }
  }
}
