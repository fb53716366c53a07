/**
 * What the URL parser makes of `text`; undefined where it refuses it. Not by `URL.canParse`: that of Node 20 says no to many addresses with letters such
 * as "Ö" once it has been asked often.
 */
export function parsedHref(text: string): string | undefined {
  try {
    return new URL(text).href
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/**
 * The canonicalization of the v5 text ("URLs and Hashing"), written down step by step and slowly, over an address as the URL parser prints it.
 * Shares nothing with src/url: tests and fuzzing compare the two.
 */
export function writtenRules(href: string): { host: string; path: string; query: string | undefined } | undefined {
  const parts = /^https?:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]*)(?::\d*)?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/s.exec(href)
  if (!parts) return undefined
  const host = parts[1]?.startsWith('[') ? ipv6(parts[1]) : dotted(parts[1] ?? '')
  if (host === '') return undefined
  return { host, path: cleaned(parts[2] ?? ''), query: parts[3] === undefined ? undefined : escaped(unescaped(parts[3])) }
}

/** "Repeatedly percent-unescape the URL until it has no more percent-escapes", one character a byte. */
function unescaped(text: string): string {
  for (;;) {
    const once = text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    if (once === text) return text
    text = once
  }
}

/** "Percent-escape all characters that are <= ASCII 32, >= 127, #, or %", in upper case. */
function escaped(text: string): string {
  let out = ''
  for (const character of text) {
    const code = character.charCodeAt(0)
    out +=
      code <= 32 || code >= 127 || character === '#' || character === '%'
        ? `%${code.toString(16).toUpperCase().padStart(2, '0')}`
        : character
  }
  return out
}

/**
 * "Remove all leading and trailing dots. Replace consecutive dots with a single dot." What stands between them is read as a browser reads it: an IPv4
 * address that the dots hid, or nothing that it opens. Then it is empty.
 */
function dotted(host: string): string {
  const labels = host.split('.').filter((label) => label !== '')
  const name = labels.join('.')
  const address = parsedHref(`http://${name}/`)
  return address === undefined ? '' : new URL(address).hostname
}

/** IPv4-mapped addresses and NAT64 are their IPv4 address: the last 32 bits. */
function ipv6(bracketed: string): string {
  const [left = '', right] = bracketed.slice(1, -1).split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === undefined || right === '' ? [] : right.split(':')
  const groups = right === undefined ? head : [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  const numbers = groups.map((group) => Number.parseInt(group, 16))
  const prefix = numbers.slice(0, 6).join()
  if (prefix !== '0,0,0,0,0,65535' && prefix !== `${0x64},${0xff9b},0,0,0,0`) return bracketed
  const [high = 0, low = 0] = numbers.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * "Resolve the sequences /../ and /./ [...]. Replace runs of consecutive slashes with a single slash", in this order: between two slashes stands
 * a component too, which `..` takes.
 */
function cleaned(path: string): string {
  let rest = unescaped(path)
  if (!rest.startsWith('/')) rest = `/${rest}`
  for (let former = ''; former !== rest; ) {
    former = rest
    rest = rest.replace(/\/\.(\/|$)/, '/')
  }
  for (let former = ''; former !== rest; ) {
    former = rest
    rest = rest.replace(/^\/\.\.(\/|$)/, '/').replace(/\/(?!\.\.(?:\/|$))[^/]*\/\.\.(\/|$)/, '/')
  }
  return escaped(rest.replace(/\/+/g, '/'))
}
