/** An address taken apart for a person: what counts is whose site it is. */
export interface ShownAddress {
  readonly before: string
  /** The registrable domain, or the whole host where it has none. */
  readonly domain: string
  readonly after: string
  /** A name or password stands before the host, where it can look like one. */
  readonly credentials: boolean
}

const LONGEST_HOST = 120
const LONGEST_PATH = 160

/** Cuts the middle out of a long text: both its ends say something. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text
  const half = Math.floor((longest - 1) / 2)
  return `${text.slice(0, half)}…${text.slice(-half)}`
}

/**
 * Any text is taken, also one that is no URL; nothing of it is left out unseen but credentials, which are named.
 * @param registrable the registrable domain of `href`, which the background knows (a page does without the Public Suffix List)
 */
export function shownAddress(href: string, registrable: string): ShownAddress {
  let url: URL
  try {
    url = new URL(href)
  } catch {
    // Not an address: it is shown as the text that it is.
    return { before: '', domain: shortened(href, LONGEST_PATH), after: '', credentials: false }
  }
  const domain = url.hostname.endsWith(registrable) ? registrable : url.hostname
  const before = url.hostname.slice(0, url.hostname.length - domain.length)
  const port = url.port === '' ? '' : `:${url.port}`
  return {
    before: `${url.protocol}//${shortened(before, LONGEST_HOST)}`,
    domain: shortened(domain, LONGEST_HOST),
    after: port + shortened(url.pathname + url.search + url.hash, LONGEST_PATH),
    credentials: url.username !== '' || url.password !== '',
  }
}
