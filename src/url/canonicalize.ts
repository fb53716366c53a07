import { WaryError } from '../errors.ts'
import { CanonicalUrl } from './canonical-url.ts'
import { plainUrl } from './plain-url.ts'

/**
 * Canonicalizes what a browser calls the address (`URL.href`).
 * @throws {WaryError} `url-invalid` for anything that is not an absolute http(s) URL
 */
export function canonicalize(href: string): CanonicalUrl {
  return plainUrl(href) ?? canonicalizeParsed(href)
}

/** As `canonicalize`, by the rules alone, without the short way of those addresses that they change nothing of. */
export function canonicalizeParsed(href: string): CanonicalUrl {
  const url = parse(href)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new WaryError('url-invalid', `not a web address: ${url.protocol}`)
  const { host, isIp } = canonicalHost(url.hostname)
  const path = canonicalPath(url.pathname)
  const question = url.search !== '' || /^[^#]*\?/.test(url.href)
  const query = question ? `?${escapeBytes(unescapeFully(url.search.slice(1)))}` : ''
  const pathEnd = host.length + path.length
  const scheme = url.protocol === 'https:' ? 'https' : 'http'
  return new CanonicalUrl(scheme, host + path + query, 0, host.length, pathEnd, pathEnd + query.length, isIp)
}

/** As `canonicalize`, for text of feeds and people: `http://` is put in front where there is no scheme. */
export function canonicalizeLoose(text: string): CanonicalUrl {
  const trimmed = text.trim()
  return canonicalize(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`)
}

function parse(href: string): URL {
  try {
    return new URL(href)
  } catch (error) {
    throw new WaryError('url-invalid', 'no browser could open this address', { cause: error })
  }
}

function canonicalHost(hostname: string): { host: string; isIp: boolean } {
  if (hostname.startsWith('[')) return canonicalIpv6(hostname)
  // The URL parser has unescaped, mapped to ASCII and lower-cased the host, and read IPv4 in every spelling.
  const host = escapeBytes(unescapeFully(hostname).toLowerCase())
    .replace(/\.{2,}/g, '.')
    .replace(/^\.|\.$/g, '')
  if (host === '') throw new WaryError('url-invalid', 'the address has no host')
  // What the rules changed is read as a browser reads it: dots may have hidden an IPv4 address (`..1.2.3.4`), or what it opens nothing of (`s.2..`).
  if (host !== hostname) {
    const again = parse(`http://${host}/`).hostname
    return { host: again, isIp: isIpv4(again) }
  }
  return { host, isIp: isIpv4(host) }
}

function isIpv4(host: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(host)
}

/** IPv4-mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96) addresses become IPv4; others stay as the URL parser compresses them. */
function canonicalIpv6(hostname: string): { host: string; isIp: boolean } {
  // The parser's `::` swallows zeros: 64:ff9b::0.0.0.0 is `64:ff9b::`, 64:ff9b::0.0.3.4 is `64:ff9b::304`.
  const match =
    /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ??
    /^\[64:ff9b::(?:(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4}))?\]$/.exec(hostname)
  if (!match) return { host: hostname, isIp: true }
  const high = Number.parseInt(match[1] ?? '0', 16)
  const low = Number.parseInt(match[2] ?? '0', 16)
  return { host: [high >> 8, high & 255, low >> 8, low & 255].join('.'), isIp: true }
}

function canonicalPath(pathname: string): string {
  const path = unescapeFully(pathname)
  const segments: string[] = []
  const parts = path.replace(/^\//, '').split('/')
  for (const part of parts) {
    // What stands between two slashes is a component too, which `..` takes; only then do runs of slashes become one.
    if (part === '..') segments.pop()
    else if (part !== '.') segments.push(part)
  }
  const last = parts[parts.length - 1]
  const directory = last === '' || last === '.' || last === '..'
  const kept = segments.filter((segment) => segment !== '')
  return escapeBytes(`/${kept.join('/')}${directory && kept.length > 0 ? '/' : ''}`)
}

const HEX = /^[0-9a-fA-F]{2}$/

/**
 * Percent-unescapes until nothing is left to unescape, as text of one character a byte. One pass over the input: each escape that ends
 * at the output's end is resolved at once, so nested escapes (`%25%32%35`) collapse as they appear and time stays linear.
 */
function unescapeFully(text: string): string {
  if (!text.includes('%')) return latin1(text)
  const source = latin1(text)
  const out: string[] = []
  for (const character of source) {
    out.push(character)
    while (out.length >= 3 && out[out.length - 3] === '%' && HEX.test((out[out.length - 2] as string) + (out[out.length - 1] as string))) {
      const byte = Number.parseInt((out[out.length - 2] as string) + (out[out.length - 1] as string), 16)
      out.length -= 3
      out.push(String.fromCharCode(byte))
    }
  }
  return out.join('')
}

/** The UTF-8 bytes of `text`, one character each. A browser's href is ASCII already. */
function latin1(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  let bytes = ''
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  return bytes
}

/** Escapes bytes up to 0x20 and from 0x7f on, `#` and `%`, with upper-case digits (v5, "Canonicalization"). */
function escapeBytes(text: string): string {
  return text.replace(/[\0-\x20\x7f-\xff#%]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
