import { WaryError } from '../errors.ts'
import { SUFFIX_RULES } from './suffix-rules.ts'
import { SuffixTable } from './suffix-table.ts'

/**
 * Library and version whose Public Suffix List makes the expressions. Publisher and client must agree on it, so the signed state
 * names it. The same as in package.json (a test compares).
 */
export const PSL_VERSION = 'tldts-icann@7.4.16'

let table = SUFFIX_RULES === undefined ? undefined : new SuffixTable(SUFFIX_RULES)

/** Gives the rules (suffix-rules.ts) to a build that has them in a file of its own: before that, nothing here can be asked. */
export function takeSuffixRules(rules: string): void {
  table = new SuffixTable(rules)
}

/**
 * The registrable domain (eTLD+1) of a canonical host by the list's ICANN section; null for a suffix, a single label or an IP address.
 * @throws {WaryError} `internal` before the rules are there
 */
export function registrableDomain(host: string): string | null {
  const start = suffixStart(host)
  return start <= 0 ? null : host.slice(host.lastIndexOf('.', start - 2) + 1)
}

/** Whether `host` is itself a public suffix such as `co.uk`. @throws {WaryError} `internal` before the rules are there */
export function isPublicSuffix(host: string): boolean {
  return suffixStart(host) === 0
}

/** -1 for an IP address. */
function suffixStart(host: string): number {
  if (table === undefined) throw new WaryError('internal', 'the Public Suffix List is not read yet')
  return host.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(host) ? -1 : table.suffixStart(host)
}
