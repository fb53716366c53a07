import { crc32 } from '../../src/filter/crc32.ts'
import type { Deletable, Insertable, Key, MembershipFilter } from '../../src/filter/membership-filter.ts'
import { promise, same, unlessRefused } from './promise.ts'

const CHECKSUM_AT = 12
/** What a filter may grow to and still be written out here. */
const MOST_BYTES = 1 << 20
const KEYS: readonly Key[] = ['', 'key', new Uint8Array([0, 255])]

/** An input: what to do with the file (1 byte, its lowest bit puts the checksum right, else nothing would get past it), then the file. */
export function fileOf(input: Uint8Array): { readonly choice: number; readonly file: Uint8Array<ArrayBuffer> } {
  const choice = input[0] ?? 0
  const file = input.slice(1)
  if (choice & 1 && file.length >= CHECKSUM_AT + 4) seal(file)
  return { choice: choice >> 1, file }
}

/** Puts the checksum of a filter or a delta right. */
export function seal(file: Uint8Array<ArrayBuffer>): void {
  const view = new DataView(file.buffer)
  view.setUint32(CHECKSUM_AT, 0)
  view.setUint32(CHECKSUM_AT, crc32(file), true)
}

/** The filter of a file, which must be the only file of such a filter. */
export function opened<F extends MembershipFilter>(file: Uint8Array, verified: (file: Uint8Array) => F): F | undefined {
  const filter = unlessRefused(['filter-format'], () => verified(file))
  if (filter === undefined) return undefined
  promise(same(filter.toBytes(), file), 'a filter file has one form')
  promise(filter.byteLength === file.length, 'the length is said as it is')
  const rate = filter.expectedRate()
  promise(rate >= 0 && rate <= 1, `a rate of ${rate}`)
  return filter
}

/** What every filter promises that takes keys. `filter` changes. */
export function takesKeys<F extends MembershipFilter & Insertable>(filter: F, verified: (file: Uint8Array) => F): void {
  for (const key of KEYS) {
    const { count } = filter
    const there = filter.mightContain(key)
    const taken = filter.add(key)
    promise(taken ? filter.mightContain(key) : filter.mightContain(key) === there, 'what was added is found')
    promise(filter.count === count + (taken ? 1 : 0), 'keys are counted')
  }
  for (let i = 0; i < 40; i++)
    if (filter.addHash(i * 0x9e3779b1, i)) promise(filter.mightContainHash(i * 0x9e3779b1, i), 'as a ready hash too')
  reopens(filter, verified)
}

/** What every filter promises of which keys can be taken back. `filter` changes. */
export function givesKeysBack<F extends MembershipFilter & Insertable & Deletable>(filter: F, verified: (file: Uint8Array) => F): void {
  for (const key of KEYS) {
    const before = filter.toBytes()
    const { count } = filter
    if (!filter.add(key)) {
      promise(same(filter.toBytes(), before), 'what is refused changes nothing')
      continue
    }
    promise(filter.delete(key) && filter.count === count, 'what was added can be deleted')
  }
  for (const key of KEYS) if (!filter.mightContain(key)) promise(!filter.delete(key), 'what is not in cannot be deleted')
  // Full counters do not count down: some keys can be deleted without end.
  for (const key of KEYS) for (let i = 0; i < 20 && filter.delete(key); i++) promise(filter.count >= 0, 'no count is negative')
  reopens(filter, verified)
}

function reopens<F extends MembershipFilter>(filter: F, verified: (file: Uint8Array) => F): void {
  if (filter.byteLength > MOST_BYTES) return
  const file = filter.toBytes()
  promise(same(verified(file).toBytes(), file), 'a changed filter can be written and opened')
}

/** What is not checked may answer nonsense, and refuse by name, but never fails in another way. */
export function neverBreaks(filter: MembershipFilter & Insertable & Partial<Deletable>): void {
  unlessRefused(['filter-format'], () => {
    for (const key of KEYS) {
      filter.mightContain(key)
      filter.add(key)
      filter.delete?.(key)
    }
    for (let i = 0; i < 40; i++) {
      filter.mightContainHash(i << 25, i)
      filter.addHash(i << 25, i)
      if (i % 3 === 0) filter.deleteHash?.(i << 25, i)
    }
  })
}
