import { asWaryError } from '../errors.ts'
import type { CanonicalUrl } from '../url/canonical-url.ts'
import { canonicalizeLoose } from '../url/canonicalize.ts'
import { isPublicSuffix } from '../url/public-suffix.ts'
import { isLocalAddress } from './local-address.ts'
import { printable } from './printable.ts'

/** Longer expressions are of no use: no page of theirs would be found again. */
const LONGEST_EXPRESSION = 2048
/** RFC 1035 section 2.3.4, in the letters that names are made of in practice (underscores included). */
const LONGEST_NAME = 253
const LABEL = /^[a-z0-9_-]{1,63}$/
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i

export type ListedAddress = { readonly expression: string } | { readonly reason: string }

/**
 * The expression of a domain or URL as feeds write them: a bare host lists all its pages (`host/`), anything with a path or query lists
 * that page. The address goes through the same canonicalization as a page that is opened. Never throws.
 *
 * @returns the expression, or why there is none: such an entry would be met by no page, or by pages that nobody meant
 */
export function listedAddress(text: string): ListedAddress {
  if (text.length > LONGEST_EXPRESSION) return { reason: `longer than ${LONGEST_EXPRESSION} characters` }
  // A browser would drop some of them from an address, so what is listed would not be what the line shows.
  if (printable(text) !== text || text.includes('\ufffd')) return { reason: 'control characters or broken text' }
  let url: CanonicalUrl
  try {
    url = canonicalizeLoose(text)
  } catch (error) {
    return { reason: asWaryError(error).message }
  }
  const reason = misspelling(text.trim(), url) ?? refusal(url)
  if (reason !== undefined) return { reason }
  const expression = url.query === '' ? url.host + url.path : url.text
  return expression.length > LONGEST_EXPRESSION ? { reason: `longer than ${LONGEST_EXPRESSION} characters` } : { expression }
}

/** Text without a scheme that a browser reads as an address, and whoever wrote it did not. */
function misspelling(text: string, { host, isIp }: CanonicalUrl): string | undefined {
  if (SCHEME.test(text)) return undefined
  // A browser passes over slashes before a host: `/gate.php` would list a host of that name.
  if (/^[/\\]/.test(text)) return 'a path without a host'
  // `mail@provider.example` would list all of provider.example.
  if (/^[^/?#]*@/.test(text)) return 'an e-mail address, or a name with credentials'
  if (isIp && !host.startsWith('[') && !text.startsWith(host)) return 'a number, not an address'
  return undefined
}

function refusal({ host, isIp }: CanonicalUrl): string | undefined {
  if (isIp) return isLocalAddress(host) ? 'an address of this device, or of a private or reserved network' : undefined
  if (host === 'localhost' || host.endsWith('.localhost')) return 'an address of this device'
  if (host.length > LONGEST_NAME || !host.split('.').every((label) => LABEL.test(label))) return 'not a name that a host can have'
  if (!host.includes('.')) return 'a host without a dot'
  if (isPublicSuffix(host)) return 'a public suffix: it would list every site below it'
  return undefined
}
