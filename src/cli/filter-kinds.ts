import { BinaryFuseFilter } from '../filter/binary-fuse.ts'
import { BloomFilter } from '../filter/bloom.ts'
import { CountingBloomFilter } from '../filter/counting-bloom.ts'
import { CuckooFilter } from '../filter/cuckoo.ts'
import { kindOf } from '../filter/encoding.ts'
import { PagedBloomFilter } from '../filter/paged-bloom.ts'
import { QuotientFilter } from '../filter/quotient.ts'
import { ScalableBloomFilter } from '../filter/scalable-bloom.ts'

interface NewFilter {
  readonly capacity: number
  readonly rate: number
  readonly seed: number
}

/** The kinds that take keys one by one. */
const GROWING = {
  bloom: BloomFilter,
  'paged-bloom': PagedBloomFilter,
  'counting-bloom': CountingBloomFilter,
  'scalable-bloom': ScalableBloomFilter,
  cuckoo: CuckooFilter,
  quotient: QuotientFilter,
}
const ALL = { ...GROWING, 'binary-fuse': BinaryFuseFilter }

export type GrowingKind = keyof typeof GROWING
export type AnyKind = keyof typeof ALL
export type GrowingFilter = ReturnType<(typeof GROWING)[GrowingKind]['create']>
export type AnyFilter = ReturnType<(typeof ALL)[AnyKind]['fromBytes']>

export function isKind(name: string): name is AnyKind {
  return Object.hasOwn(ALL, name)
}

export const KIND_NAMES: readonly string[] = Object.keys(ALL)

/** @throws {WaryError} `filter-parameter` */
export function newFilter(kind: GrowingKind, options: NewFilter): GrowingFilter {
  return GROWING[kind].create(options)
}

/** The filter of a file of any kind, of which only the head has been read. @throws {WaryError} `filter-format` */
export function openFilter(file: Uint8Array): AnyFilter {
  return ALL[kindOf(file)].fromBytes(file)
}

/** The filter of a file of any kind, of which all has been read. @throws {WaryError} `filter-format` */
export function verifiedFilter(file: Uint8Array): AnyFilter {
  return ALL[kindOf(file)].verified(file)
}
