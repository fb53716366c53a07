/** The package `wary/filter`: what other programs may use of this folder. */
export { type ErrorCode, WaryError } from '../errors.ts'
export { BinaryFuseFilter, type BinaryFuseOptions } from './binary-fuse.ts'
export { BloomFilter, type BloomOptions } from './bloom.ts'
export { CuckooFilter, type CuckooOptions } from './cuckoo.ts'
export { kindOf, verifyFile } from './encoding.ts'
export { type GuardCounts, type Guarded, guard } from './guard.ts'
export type { Deletable, FilterKind, Insertable, Key, MembershipFilter } from './membership-filter.ts'
export { QuotientFilter, type QuotientOptions } from './quotient.ts'
