/** A key: text (as UTF-8) or bytes. */
export type Key = string | Uint8Array

/** As `kindOf` names it and the file format numbers it (encoding.ts). */
export type FilterKind = 'bloom' | 'paged-bloom' | 'counting-bloom' | 'scalable-bloom' | 'cuckoo' | 'quotient' | 'binary-fuse'

/**
 * Answers "certainly not" or "maybe" for a set of keys.
 *
 * A key that has been hashed elsewhere is given by 64 bits of its hash, as two 32-bit numbers, signed or not. Every bit of them must be
 * evenly spread (a cryptographic hash, MurmurHash3), and a filter must be asked in the way it was filled: `add(key)` goes with
 * `mightContain(key)`, `addHash` with `mightContainHash`.
 */
export interface MembershipFilter {
  readonly kind: FilterKind
  /** Any 32 bits. Filters of different seeds err about different keys. */
  readonly seed: number
  /** Keys added, repeats included, less those deleted. */
  readonly count: number
  /** Bytes of the filter's file. */
  readonly byteLength: number
  /** False: the key was never added. True: it was, or this is a false positive. */
  mightContain(key: Key): boolean
  mightContainHash(high: number, low: number): boolean
  /** The false positive rate to expect with the keys that are in now, 0 to 1. */
  expectedRate(): number
  /** The filter in its file format (encoding.ts), the same bytes on every platform. */
  toBytes(): Uint8Array<ArrayBuffer>
}

/** A filter that takes keys after it was made. */
export interface Insertable {
  /** True: the key is in now. False: there was no room for it; nothing has changed. */
  add(key: Key): boolean
  addHash(high: number, low: number): boolean
}

/** A filter that keys can be taken from again. */
export interface Deletable {
  /**
   * False, and nothing has changed, where the filter knows that the key is not in. Deleting a key that was never added but for which the
   * filter answers "maybe" takes some other key's trace away: such a filter may deny that key from then on.
   */
  delete(key: Key): boolean
  deleteHash(high: number, low: number): boolean
}
