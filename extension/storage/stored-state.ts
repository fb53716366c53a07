import { decodeFilterState, FILTER_TAG } from '../../src/lists/filter-state.ts'
import { decodeListState } from '../../src/lists/signed-state.ts'
import type { CheckedList } from '../../src/ports.ts'

/** What was signed about a stored list or filter. @throws {WaryError} `state-format` */
export function storedState(statement: Uint8Array | undefined): CheckedList['state'] {
  if (statement === undefined) return undefined
  const tag = new TextDecoder().decode(statement.subarray(0, FILTER_TAG.length))
  return tag === FILTER_TAG ? decodeFilterState(statement) : decodeListState(statement)
}
