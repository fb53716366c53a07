import type { HashList } from './hash-list.ts'

/** What a partial update carries (v5, "HashList"). */
export interface ListDelta {
  /** Ascending indices into the former list. */
  readonly removals: Uint32Array
  /** Packed, ascending. */
  readonly additions: Uint8Array
}

/**
 * What turns the entries of `from` into those of `to`: one merge of the two sorted lists, word by word, without an object an entry.
 * @throws {RangeError} lists whose entries have not the same length
 */
export function listDelta(from: HashList, to: HashList): ListDelta {
  const { entryLength } = from
  if (to.entryLength !== entryLength) throw new RangeError(`no delta between entries of ${entryLength} and of ${to.entryLength} bytes`)
  const [before, after] = [viewOf(from.entries), viewOf(to.entries)]
  // Pages of memory that nobody writes are not there: the longest that each may become costs nothing.
  const removals = new Uint32Array(from.count)
  const additions = new Uint8Array(to.entries.length)
  const added = viewOf(additions)
  let removed = 0
  let end = 0
  let a = 0
  let b = 0
  while (a < before.byteLength || b < after.byteLength) {
    const order = a === before.byteLength ? 1 : b === after.byteLength ? -1 : compared(before, a, after, b, entryLength)
    if (order < 0) removals[removed++] = a / entryLength
    if (order > 0) {
      for (let i = 0; i < entryLength; i += 4) added.setUint32(end + i, after.getUint32(b + i))
      end += entryLength
    }
    if (order <= 0) a += entryLength
    if (order >= 0) b += entryLength
  }
  return { removals: removals.slice(0, removed), additions: additions.slice(0, end) }
}

function compared(before: DataView, a: number, after: DataView, b: number, entryLength: number): number {
  for (let i = 0; i < entryLength; i += 4) {
    const order = before.getUint32(a + i) - after.getUint32(b + i)
    if (order !== 0) return order
  }
  return 0
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
