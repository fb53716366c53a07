import { asWaryError } from '../errors.ts'
import { type CanonicalUrl, canonicalizeLoose, canonicalText } from '../url/canonicalize.ts'
import { isPublicSuffix } from '../url/public-suffix.ts'

/** Longer expressions are of no use: no page of theirs would be found again. */
const LONGEST_EXPRESSION = 2048

export type ListedAddress = { readonly expression: string } | { readonly reason: string }

/**
 * The expression of a domain or URL as feeds write them: a bare host lists all its pages (`host/`), anything with a path or query lists
 * that page. The address goes through the same canonicalization as a page that is opened.
 */
export function listedAddress(text: string): ListedAddress {
  if (text.length > LONGEST_EXPRESSION) return { reason: `longer than ${LONGEST_EXPRESSION} characters` }
  let url: CanonicalUrl
  try {
    url = canonicalizeLoose(text)
  } catch (error) {
    return { reason: asWaryError(error).message }
  }
  const reason = refusal(url)
  if (reason !== undefined) return { reason }
  const expression = canonicalText(url.query === '' ? { ...url, query: undefined } : url)
  return expression.length > LONGEST_EXPRESSION ? { reason: `longer than ${LONGEST_EXPRESSION} characters` } : { expression }
}

function refusal({ host, isIp }: CanonicalUrl): string | undefined {
  if (isIp) return isLocalAddress(host) ? 'an address of a private or local network' : undefined
  if (host === 'localhost' || host.endsWith('.localhost')) return 'an address of this device'
  if (!host.includes('.')) return 'a host without a dot'
  if (isPublicSuffix(host)) return 'a public suffix: it would list every site below it'
  return undefined
}

/** Loopback, private, link-local and unspecified ranges (RFC 6890). */
function isLocalAddress(host: string): boolean {
  if (host.startsWith('[')) return /^\[(::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/.test(host)
  const [a = 0, b = 0] = host.split('.').map(Number)
  return a === 0 || a === 10 || a === 127 || (a === 169 && b === 254) || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168)
}
