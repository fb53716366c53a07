import { cutMiddle, shown } from './shown-text.ts'

/** A web address taken apart for people. All parts joined, in this order, are the address, but for credentials and what was cut. */
export interface AddressParts {
  readonly scheme: string
  /** What stands before the registrable domain, with its dot: `www.` */
  readonly subdomain: string
  /** The registrable domain: whose page it is. The whole host where that is not known, or there is none, as for an IP address. */
  readonly domain: string
  /** With its colon; empty for the scheme's own port. */
  readonly port: string
  /** Path, query and fragment, cut in the middle if long. */
  readonly rest: string
  /** The user name before an `@`, cut; a favourite disguise of a host. Empty where there is none. */
  readonly user: string
  readonly isIp: boolean
}

/** Longer texts tell people nothing, and cost the browser seconds to lay out. */
const LONGEST_REST = 160
const LONGEST_USER = 60

export interface TakingApart {
  /** The registrable domain, which the background knows: pages do without the list of public suffixes (77 kB). */
  readonly domain?: string
  readonly longestRest?: number
}

/** Firefox parses no address above 1 MB, and nobody needs the rest of a long one parsed. */
const LONGEST_PARSED = 100_000

/** Undefined for what is no http or https address. */
export function takeApart(href: string, { domain, longestRest = LONGEST_REST }: TakingApart = {}): AddressParts | undefined {
  // The first slash after the host: `pathname` and its like would leave out an empty query or fragment.
  const slash = (text: string): number => text.indexOf('/', text.indexOf('//') + 2)
  const long = href.length > LONGEST_PARSED
  let url: URL
  try {
    url = new URL(long ? href.slice(0, slash(href) + 1) : href)
  } catch {
    // Not an address: the caller shows the text as it is.
    return undefined
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  const host = url.hostname
  const rest = long ? href.slice(slash(href)) : url.href.slice(slash(url.href))
  const isIp = host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)
  const bare = host.replace(/\.+$/, '')
  const known = domain?.replace(/\.+$/, '')
  // Only at a dot: no part of a label is anybody's domain.
  const start = known !== undefined && !isIp && bare.endsWith(`.${known}`) ? bare.length - known.length : 0
  return {
    scheme: `${url.protocol}//`,
    subdomain: host.slice(0, start),
    domain: host.slice(start),
    port: url.port === '' ? '' : `:${url.port}`,
    rest: shown(rest, longestRest),
    user: shown(url.username, LONGEST_USER),
    isIp,
  }
}

/** Host of a web address, cut, for titles; undefined for what is no web address. */
export function hostOf(href: string): string | undefined {
  const parts = takeApart(href, { longestRest: 0 })
  return parts && cutMiddle(parts.subdomain + parts.domain, 80)
}
