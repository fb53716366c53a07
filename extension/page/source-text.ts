import type { SourceKind } from '../settings/source-setting.ts'
import type { MessageKey } from './wording.ts'

/** What people are told each kind of source is. */
export const SOURCE_KIND_TEXTS: { readonly [K in SourceKind]: MessageKey } = {
  wary: 'sourceKindWary',
  filter: 'sourceKindFilter',
  google: 'sourceKindGoogle',
  feed: 'sourceKindFeed',
}

/** An address as people say it: without scheme, and without a slash that says nothing. */
export function spokenAddress(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '')
}
