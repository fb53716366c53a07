/** A key: text (as UTF-8) or bytes. */
export type Key = string | Uint8Array

export type FilterKind = 'bloom'

/** Answers "certainly not" or "maybe" for a set of keys. */
export interface MembershipFilter {
  readonly kind: FilterKind
  /** False: the key was never added. True: it was, or this is a false positive. */
  mightContain(key: Key): boolean
  /** The filter in its file format (docs/protocol.md), the same bytes on every platform. */
  toBytes(): Uint8Array
}
