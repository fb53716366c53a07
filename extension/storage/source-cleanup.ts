import { type Database, storageError } from './database.ts'

/** Removes the lists, answers and downloads of sources other than `ids`. @throws {WaryError} `storage-*` */
export async function keepSources(database: Database, ids: readonly string[]): Promise<void> {
  try {
    const transaction = (await database.open()).transaction(['lists', 'pages', 'answers', 'downloads', 'parts'], 'readwrite')
    const kept = new Set(ids)
    const gone = new Set<string>()
    for (const [source] of await transaction.objectStore('lists').getAllKeys()) if (!kept.has(source)) gone.add(source)
    for (const [source] of await transaction.objectStore('answers').getAllKeys()) if (!kept.has(source)) gone.add(source)
    for (const source of await transaction.objectStore('downloads').getAllKeys()) if (!kept.has(source)) gone.add(source)
    for (const source of gone) {
      const all = IDBKeyRange.bound([source], [source, []])
      for (const store of ['lists', 'pages', 'answers', 'parts'] as const) transaction.objectStore(store).delete(all)
      transaction.objectStore('downloads').delete(source)
    }
    await transaction.done
  } catch (error) {
    throw storageError(error)
  }
}
