import { equalBytes } from '../../src/bytes.ts'
import { WaryError } from '../../src/errors.ts'
import { type HeldFilter, openHeldFilter } from '../../src/filter/held-filter.ts'
import { highHalf, lowHalf } from '../../src/filter/ready-hash.ts'
import type { FullHash } from '../../src/hash/full-hash.ts'
import { isEntryLength } from '../../src/lists/hash-list.ts'
import type { CheckedList } from '../../src/ports.ts'
import { AnsweredList } from './answered-list.ts'
import { type Database, type ListRecord, type PageKey, type PageKind, storageError } from './database.ts'
import { openedPage, PAGE_BYTES } from './page.ts'
import { hasEntry } from './paged-entries.ts'
import { storedState } from './stored-state.ts'

/** A source and the names of its lists. */
export interface WantedLists {
  readonly id: string
  readonly lists: readonly string[]
}

/** Gives pages of a stored list, checked. */
export type PageReader = (kind: PageKind, index: number) => Promise<Uint8Array>

/**
 * The stored lists, asked about one URL without reading them: of each filter the pages that the URL's expressions are in (one an expression, where the
 * filter is paged), of each list the page or two where an entry would be if the filter says "maybe", all in one transaction.
 */
export class ColdLists {
  readonly #database: Database

  constructor(options: { readonly database: Database }) {
    this.#database = options.database
  }

  /**
   * The lists of `wanted` as far as `hashes` go, which are the full hashes of all expressions of a URL: they know nothing of any other. Undefined
   * where one of them is not stored, or by a version that wrote down too little to ask it like this.
   * @throws {WaryError} `storage-*`: what is damaged must be found out as a whole
   */
  async about(hashes: readonly FullHash[], wanted: readonly WantedLists[]): Promise<readonly CheckedList[] | undefined> {
    try {
      const transaction = (await this.#database.open()).transaction(['lists', 'pages'])
      const records = await transaction.objectStore('lists').getAll()
      const chosen = wanted.flatMap(({ id, lists }) =>
        lists.map((name) => records.find((record) => record.source === id && record.name === name)),
      )
      if (!chosen.every((record) => record?.filterHead !== undefined)) return undefined
      return await Promise.all(
        chosen.flatMap((record) => (record ? [about(record, hashes, reader(transaction.objectStore('pages'), record))] : [])),
      )
    } catch (error) {
      throw storageError(error)
    }
  }
}

interface PageStore {
  get(key: PageKey): Promise<Uint8Array | undefined>
}

function reader(store: PageStore, record: ListRecord): PageReader {
  const { source, name, generation, listBytes, filterBytes } = record
  return async (kind, index) => {
    const page = await store.get([source, name, generation, kind, index])
    return openedPage(page, index, kind === 'list' ? listBytes : filterBytes)
  }
}

async function about(record: ListRecord, hashes: readonly FullHash[], page: PageReader): Promise<CheckedList> {
  const { source, name, version, entryLength, entryCount, listBytes, statement } = record
  if (!isEntryLength(entryLength)) throw new WaryError('storage-damaged', `entries of ${entryLength} bytes`)
  const state = storedState(statement)
  if (state !== undefined && (state.name !== name || state.entryCount !== entryCount))
    throw new WaryError('storage-damaged', 'its signed state is about another list')
  const filterOnly = state !== undefined && 'byteLength' in state
  if (!filterOnly && listBytes !== entryCount * entryLength)
    throw new WaryError('storage-damaged', `${listBytes} bytes are not ${entryCount} entries of ${entryLength}`)

  const filter = await sparseFilter(record, hashes, page)
  const maybe = hashes.map((hash) => filter.mightContainHash(highHalf(hash), lowHalf(hash, entryLength)))
  const listed = await Promise.all(
    hashes.map(
      (hash, i) => maybe[i] === true && (filterOnly || hasEntry(hash, { entryLength, entryCount, page: (at) => page('list', at) })),
    ),
  )
  const answered = new AnsweredList({ name, version, entryLength, count: entryCount, filterOnly }, { hashes, maybe, listed })
  return { source, list: answered.list, filter: answered, state }
}

/** A filter whose bits are those of the pages that the hashes are in, and zero elsewhere: memory that nobody writes is not there. */
async function sparseFilter(
  { filterBytes, filterHead, entryLength }: ListRecord,
  hashes: readonly FullHash[],
  page: PageReader,
): Promise<HeldFilter> {
  const file = new Uint8Array(filterBytes)
  file.set(filterHead ?? [])
  const filter = openHeldFilter(file)
  const places = hashes.flatMap((hash) => filter.placesOfHash(highHalf(hash), lowHalf(hash, entryLength)))
  const indices = new Set(places.map((place) => Math.floor(place / PAGE_BYTES)))
  await Promise.all(
    [...indices].map(async (index) => {
      const bytes = await page('filter', index)
      if (index === 0 && filterHead !== undefined && !equalBytes(bytes.subarray(0, filterHead.length), filterHead))
        throw new WaryError('storage-damaged', 'the head of the filter is another than its record has')
      file.set(bytes, index * PAGE_BYTES)
    }),
  )
  return filter
}
