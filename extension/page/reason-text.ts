import type { MessageKey } from './wording.ts'

const REASONS: Readonly<Record<string, MessageKey>> = {
  contradiction: 'reasonContradiction',
  'http-network': 'reasonNetwork',
  'http-timeout': 'reasonTimeout',
  'http-status': 'reasonAnswer',
  'http-type': 'reasonAnswer',
  'http-too-large': 'reasonAnswer',
  'http-truncated': 'reasonAnswer',
  'search-answer': 'reasonAnswer',
  'search-backoff': 'reasonBackoff',
  'not-configured': 'reasonNotConfigured',
}

/** Why a page could not be verified, in words, for `contradiction` or an error code. Any other code is a fault of Wary's own. */
export function reasonText(reason: string): MessageKey {
  return Object.hasOwn(REASONS, reason) ? (REASONS[reason] ?? 'reasonFault') : 'reasonFault'
}
