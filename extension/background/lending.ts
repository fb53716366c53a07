import { fromBase64, toBase64 } from '../../src/bytes.ts'
import { WaryError } from '../../src/errors.ts'
import type { ListRecord, PageKey, PageKind } from '../storage/database.ts'
import type { CopyPart } from '../storage/list-copy.ts'

/**
 * How Chrome's two workers speak: by keys of `storage.session`, which is in memory, belongs to the extension alone, and whose changes wake either worker.
 * Nothing that says where a private window goes is among them.
 */
export const LENDING_KEYS = {
  /** Private to regular: the next part is wanted (`Wish`). */
  wish: 'lend-wish',
  /** Regular to private: a part (`written` by `writePart`). */
  part: 'lend-part',
  /** Regular to private: other lists are in force. */
  news: 'lend-news',
  /** Private to regular: somebody wants an update (`UpdateWish`). */
  update: 'lend-update',
} as const

/** The part behind the page `after` of copy `id`. */
export interface Wish {
  readonly id: string
  readonly after: PageKey | null
}

export interface UpdateWish {
  readonly id: string
  readonly force: boolean
  readonly urgent: boolean
  readonly source: string | undefined
}

/** The part of `browser.storage` that lending needs. */
export interface LendingStorage {
  readonly session: { set(items: Record<string, unknown>): Promise<void>; remove(keys: string[]): Promise<void> }
  readonly onChanged: { addListener(listener: (changes: Record<string, { newValue?: unknown }>, area: string) => void): void }
}

type Fields = Readonly<Record<string, unknown>>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function readWish(value: unknown): Wish | undefined {
  if (!isFields(value) || typeof value.id !== 'string') return undefined
  if (value.after === null) return { id: value.id, after: null }
  const after = readKey(value.after)
  return after && { id: value.id, after }
}

export function readUpdateWish(value: unknown): UpdateWish | undefined {
  if (!isFields(value) || typeof value.id !== 'string') return undefined
  const { id, source } = value
  return { id, force: value.force === true, urgent: value.urgent === true, source: typeof source === 'string' ? source : undefined }
}

/** A part as `storage.session` carries it: JSON, with bytes in base64. */
export function writePart({ id, after }: Wish, part: CopyPart): Fields {
  const bytes = (value: Uint8Array | undefined): string | undefined => value && toBase64(value)
  return {
    id,
    after,
    last: part.last,
    records: part.records.map((record) => ({ ...record, version: bytes(record.version), statement: bytes(record.statement) })),
    pages: part.pages.map(([key, page]) => [key, toBase64(page)]),
  }
}

/**
 * Undefined for an answer to another wish.
 * @throws {WaryError} `storage-damaged` where it is no part
 */
export function readPart(value: unknown, wish: Wish): CopyPart | undefined {
  if (!isFields(value) || value.id !== wish.id || JSON.stringify(value.after) !== JSON.stringify(wish.after)) return undefined
  const { records, pages, last } = value
  if (!Array.isArray(records) || !Array.isArray(pages) || typeof last !== 'boolean') throw noPart('fields')
  return {
    last,
    records: records.map(readRecord),
    pages: pages.map((entry: unknown): [PageKey, Uint8Array] => {
      const [key, text]: readonly unknown[] = Array.isArray(entry) ? entry : []
      const known = readKey(key)
      if (known === undefined || typeof text !== 'string') throw noPart('page')
      return [known, fromBase64(text)]
    }),
  }
}

function readRecord(value: unknown): ListRecord {
  if (!isFields(value)) throw noPart('record')
  const { source, name, version, statement } = value
  if (typeof source !== 'string' || typeof name !== 'string' || typeof version !== 'string') throw noPart('record')
  const number = (field: string): number => {
    const found = value[field]
    if (typeof found !== 'number') throw noPart(field)
    return found
  }
  return {
    source,
    name,
    version: fromBase64(version),
    statement: typeof statement === 'string' ? fromBase64(statement) : undefined,
    generation: number('generation'),
    entryLength: number('entryLength'),
    entryCount: number('entryCount'),
    listBytes: number('listBytes'),
    filterBytes: number('filterBytes'),
    updatedAt: number('updatedAt'),
  }
}

function isKind(value: unknown): value is PageKind {
  return value === 'list' || value === 'filter'
}

function readKey(value: unknown): PageKey | undefined {
  const [source, name, generation, kind, index]: readonly unknown[] = Array.isArray(value) ? value : []
  if (typeof source !== 'string' || typeof name !== 'string' || !isKind(kind)) return undefined
  return typeof generation === 'number' && typeof index === 'number' ? [source, name, generation, kind, index] : undefined
}

function noPart(what: string): WaryError {
  return new WaryError('storage-damaged', `what the regular windows lent cannot be read (${what})`)
}
