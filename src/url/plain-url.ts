import { CanonicalUrl } from './canonical-url.ts'

const MINUS = 0x2d
const DOT = 0x2e
const SLASH = 0x2f
const COLON = 0x3a
const QUESTION = 0x3f
const LOWER_N = 0x6e
const LOWER_X = 0x78

/** What a character may be for an address to be plain: one look-up a character, where comparisons would be six. */
const NEVER = 0
const EVERYWHERE = 1
/** Also ends a name of the host, or a path segment. */
const SEPARATES = 2
/** `?` and `#`: the path ends. */
const ENDS_PATH = 3
const IN_PATH = classes((code) => {
  if (code === SLASH) return SEPARATES
  if (code === QUESTION || code === 0x23) return ENDS_PATH
  return code <= 0x20 || code >= 0x7f || code === 0x25 || code === 0x5c ? NEVER : EVERYWHERE
})
const IN_HOST = classes((code) => {
  if (code === DOT) return SEPARATES
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === MINUS || code === 0x5f ? EVERYWHERE : NEVER
})

function classes(of: (code: number) => number): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => of(code))
}

/**
 * The canonical URL of an address that neither a browser's parser nor the v5 rules would change anything of, as 98 of 100 are: a lower-case host of
 * names, no credentials, no escapes, no empty, `.` or `..` segment. One pass and no parser, a fifth of the time. Undefined for every other
 * address, which says nothing about it: `canonicalizeParsed` is to be asked. (Tests hold the two together.)
 */
export function plainUrl(href: string): CanonicalUrl | undefined {
  const start = href.startsWith('https://') ? 8 : href.startsWith('http://') ? 7 : 0
  if (start === 0) return undefined
  const hostEnd = endOfHost(href, start)
  if (hostEnd === 0) return undefined
  const pathStart = href.charCodeAt(hostEnd) === COLON ? endOfPort(href, hostEnd + 1) : hostEnd
  if (href.charCodeAt(pathStart) !== SLASH) return undefined

  const pathEnd = endOfPath(href, pathStart)
  if (pathEnd === 0) return undefined
  const end = href.charCodeAt(pathEnd) === QUESTION ? endOfQuery(href, pathEnd + 1) : pathEnd
  if (end === pathEnd + 1) return undefined
  for (let at = end; at < href.length; at++) {
    // At the end of an address a parser takes spaces and control characters away; in a fragment nothing else matters.
    const code = href.charCodeAt(at)
    if (code <= 0x20 || code >= 0x7f) return undefined
  }
  const scheme = start === 8 ? 'https' : 'http'
  if (pathStart === hostEnd) return new CanonicalUrl(scheme, href, start, hostEnd, pathEnd, end, false)
  const cut = pathStart - hostEnd
  const source = href.slice(0, hostEnd) + href.slice(pathStart, end)
  return new CanonicalUrl(scheme, source, start, hostEnd, pathEnd - cut, end - cut, false)
}

/** Where a host of plain names that begins at `start` ends; 0 where there is none. */
function endOfHost(href: string, start: number): number {
  let label = start
  let at = start
  for (; at < href.length; at++) {
    const code = href.charCodeAt(at)
    const kind = IN_HOST[code]
    if (kind === EVERYWHERE) continue
    if (kind !== SEPARATES) {
      if (code === SLASH || code === COLON) break
      return 0
    }
    if (at === label || isPunycode(href, label)) return 0
    label = at + 1
  }
  // A last name that begins with a digit may be part of an IPv4 address; a parser cuts a last name that is empty only sometimes.
  const last = href.charCodeAt(label)
  return at === label || (last >= 0x30 && last <= 0x39) || isPunycode(href, label) ? 0 : at
}

/** `xn--...`, which a parser decodes, and refuses where it is none. */
function isPunycode(href: string, label: number): boolean {
  return href.charCodeAt(label) === LOWER_X && href.charCodeAt(label + 1) === LOWER_N && href.charCodeAt(label + 2) === MINUS
}

/** Where a path without empty, `.` and `..` segments that begins at `start` ends; 0 where it is no such path. */
function endOfPath(href: string, start: number): number {
  let at = start
  for (; at < href.length; at++) {
    const kind = IN_PATH[href.charCodeAt(at)]
    if (kind === EVERYWHERE) continue
    if (kind === ENDS_PATH) break
    const next = href.charCodeAt(at + 1)
    // What begins with a dot may be `.` or `..`.
    if (kind !== SEPARATES || next === SLASH || next === DOT) return 0
  }
  return at
}

/** Where the query ends that begins at `start`: at `start` itself where it is empty, or not plain. */
function endOfQuery(href: string, start: number): number {
  let at = start
  for (; at < href.length; at++) {
    const code = href.charCodeAt(at)
    const kind = IN_PATH[code]
    if (kind === EVERYWHERE || kind === SEPARATES || code === QUESTION) continue
    return kind === ENDS_PATH ? at : start
  }
  return at
}

/** Behind the digits of a port, of which there may be none; at its first one, where no slash can be, above 65535. */
function endOfPort(href: string, start: number): number {
  let port = 0
  let at = start
  for (; at < href.length; at++) {
    const digit = href.charCodeAt(at) - 0x30
    if (digit < 0 || digit > 9) break
    port = port * 10 + digit
    if (port > 65535) return start
  }
  return at
}
