import { getDomain, getPublicSuffix } from 'tldts-icann'

/**
 * Library and version whose Public Suffix List makes the expressions. Publisher and client must agree on it, so the signed state
 * names it. The same as in package.json (a test compares).
 */
export const PSL_VERSION = 'tldts-icann@7.4.16'

const OPTIONS = { allowPrivateDomains: false, extractHostname: false, validateHostname: false } as const

/** The registrable domain (eTLD+1) of a canonical host by the list's ICANN section; null for a suffix, a single label or an IP address. */
export function registrableDomain(host: string): string | null {
  return getDomain(host, OPTIONS)
}

/** Whether `host` is itself a public suffix such as `co.uk`. */
export function isPublicSuffix(host: string): boolean {
  return getPublicSuffix(host, OPTIONS) === host
}
