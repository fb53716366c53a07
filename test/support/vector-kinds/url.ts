import { domainToASCII } from 'node:url'
import { expect } from 'vitest'
import type { CanonicalUrl } from '../../../src/url/canonical-url.ts'
import { canonicalize, canonicalizeLoose } from '../../../src/url/canonicalize.ts'
import { expressions } from '../../../src/url/expressions.ts'
import { registrableDomain } from '../../../src/url/public-suffix.ts'
import { type Vector, v5, vectorKind, vectors } from '../vectors.ts'
import { parsedHref } from '../written-rules.ts'

const REFUSED = expect.objectContaining({ name: 'WaryError', code: 'url-invalid' })

/** null where the address is refused; any other failure fails the test. */
function canonical(href: string, by: (href: string) => CanonicalUrl = canonicalize) {
  try {
    const url = by(href)
    const { host, path, isIp } = url
    return { host, path, isIp, text: url.text }
  } catch (error) {
    expect(error).toEqual(REFUSED)
    return null
  }
}

const withoutScheme = (url: string | null): string | null => url?.replace(/^https?:\/\//, '') ?? null

/** What a raw string becomes once a browser has parsed it, by its input. Our input is what the browser calls the address. */
const AFTER_WHATWG = new Map(
  vectors<string, never>('whatwg_vs_sb.json').map(({ input, sb_after_whatwg }) => [input, sb_after_whatwg as string | null]),
)
const BROWSER = 'a browser reads the address otherwise'

/** The v5 value of a raw address, unless a browser makes another one of it or cannot open it. */
function expectedOf(vector: Vector<string, string | null>): { expected: string | null; departure: string | undefined } {
  const raw = v5(vector)
  const known = AFTER_WHATWG.get(vector.input)
  const expected = known !== undefined ? known : parsedHref(vector.input) === undefined ? null : raw
  return { expected, departure: expected === raw ? undefined : BROWSER }
}

const whatwg = vectorKind<string, unknown>(/^whatwg_vs_sb/, ({ input, sb_after_whatwg }) => {
  // The rules speak of any scheme; this checker is for web pages and refuses the others.
  const web = typeof sb_after_whatwg === 'string' && /^https?:/.test(sb_after_whatwg)
  expect(canonical(input)?.text ?? null).toBe(web ? withoutScheme(sb_after_whatwg) : null)
})

const canonicalization = vectorKind<string, string | null>(/^sb_canonicalization_/, (vector) => {
  const { expected, departure } = expectedOf(vector)
  expect(canonical(vector.input)?.text ?? null).toBe(withoutScheme(expected))
  // As a line of a feed: an address without a scheme is one too, if a browser opens it then.
  if (v5(vector) !== null && !/^\s*[a-z][a-z0-9+.-]*:/i.test(vector.input)) {
    const opens = parsedHref(`http://${vector.input.trim()}`) !== undefined
    expect(canonical(vector.input, canonicalizeLoose)?.text ?? null).toBe(opens ? withoutScheme(v5(vector)) : null)
  }
  return departure
})

const host = vectorKind<string, string | null>(/^sb_(host|ipv6)_/, (vector) => {
  expect(canonical(vector.input)?.host ?? null).toBe(v5(vector))
})

const ipv4 = vectorKind<string, string | null>(/^sb_ipv4_/, (vector) => {
  const url = canonical(vector.input, canonicalizeLoose)
  expect(url?.isIp ? url.host : null).toBe(v5(vector))
})

const path = vectorKind<string, string | null>(/^sb_path_/, (vector) => {
  // A host that no browser accepts has no path to compare; the file is about the path rules.
  const refused = AFTER_WHATWG.get(vector.input) === null
  expect(canonical(vector.input)?.path ?? null).toBe(refused ? null : v5(vector))
  return refused && v5(vector) !== null ? BROWSER : undefined
})

const hostOf = (expression: string): string => expression.slice(0, expression.indexOf('/'))
const pathOf = (expression: string): string => expression.slice(expression.indexOf('/'))

/** Entries compare sets of whole expressions, of hosts, or of paths; `note` says which. */
const expressionSets = vectorKind<string, readonly string[] | null>(/^sb_expressions_/, (vector) => {
  const expected = v5(vector)
  if (expected === null) {
    expect(() => canonicalize(vector.input)).toThrow(REFUSED)
    return
  }
  const all = expressions(canonicalizeLoose(vector.input))
  const note = vector.note ?? ''
  const made = note.includes('hosts only') ? all.map(hostOf) : note.includes('paths only') ? all.map(pathOf) : all
  expect(new Set(made)).toEqual(new Set(expected))
})

/** What a peer does otherwise than the v5 text. */
const disagreements = vectorKind<string, readonly string[] | string | null>(/^disagreements/, (vector) => {
  const expected = v5(vector)
  switch (vector['kind']) {
    case 'hosts':
      expect(new Set(expressions(canonicalizeLoose(vector.input)).map(hostOf))).toEqual(new Set(expected))
      break
    case 'expressions':
      expect(new Set(expressions(canonicalizeLoose(vector.input)))).toEqual(new Set(expected))
      break
    case 'host':
    case 'ipv4':
      expect(canonical(vector.input, canonicalizeLoose)?.host ?? null).toBe(expected)
      break
    default:
      throw new Error(`a disagreement of an unknown kind: ${String(vector['kind'])}`)
  }
})

/** Rules of the list's private section: the v5 text goes by the ICANN section alone, where `uk.com` is a domain like any other. */
const PRIVATE = new Map([
  ['uk.com', 'uk.com'],
  ['b.example.uk.com', 'uk.com'],
])

const suffixes = vectorKind<string | null, string | null>(/^psl/, ({ input, expected }) => {
  // Hosts reach us canonical: lower case, ASCII, no dot in front. Null stands for "no host" in the list's own tests.
  if (input === null || input.startsWith('.')) {
    expect(input === null ? '' : canonicalize(`http://${input}/`).host).not.toBe(input)
    return 'no canonical host'
  }
  const departs = PRIVATE.has(input)
  expect(registrableDomain(domainToASCII(input))).toBe(departs ? PRIVATE.get(input) : expected && domainToASCII(expected))
  return departs ? 'private section' : undefined
})

export const URL_KINDS = [whatwg, canonicalization, host, ipv4, path, expressionSets, disagreements, suffixes]
