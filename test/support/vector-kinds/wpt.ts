import { expect } from 'vitest'
import { canonicalize } from '../../../src/url/canonicalize.ts'
import { vectorKind } from '../vectors.ts'
import { parsedHref, writtenRules } from '../written-rules.ts'

/**
 * Entries about the URL parser that stands before ours: what it refuses is no address, and of what it accepts the written rules say what it becomes.
 * @param href undefined where the parser refuses the address
 */
function follows(input: string, href: string | undefined): void {
  const rules = href === undefined ? undefined : writtenRules(href)
  if (rules === undefined) expect(() => canonicalize(input)).toThrow(expect.objectContaining({ name: 'WaryError', code: 'url-invalid' }))
  else {
    const { host, path, query } = rules
    expect(canonicalize(input).text).toBe(host + path + (query === undefined ? '' : `?${query}`))
  }
}

const absolute = vectorKind<string, string>(/^wpt_url_absolute/, ({ input, expected, note }) => {
  const here = parsedHref(input)
  const there = expected === 'failure' ? undefined : expected
  follows(input, here)
  if (here === there) return undefined
  // The file knows where the parser of the Node that it was made with departs from the standard; no other one may.
  expect(note).toMatch(/^node v20 gives /)
  return "Node's URL parser"
})

/** Where the IDNA tables of Node 20 are older, or stricter about ACE labels, than those of the tests. Other versions may agree. */
const OTHER_TABLES = new Set(
  [
    'xn--a xn--a.xn--zca xn--ls8h= xn--1ug.example xn--a-yoc xn--zn7c.com xn--0.com',
    'look\u180eout.net look\u2061out.net look\u206bout.net \u04c0.com \u{2f868}.com \u2183.com \u1e9e.com \u1e9e.foo.com',
  ].flatMap((line) => line.split(' ')),
)

const toAscii = vectorKind<string, string | null>(/^wpt_toascii/, ({ input, expected }) => {
  const address = `http://${input}/x`
  const here = parsedHref(address)
  follows(address, here)
  if ((here === undefined ? null : new URL(here).hostname) === expected) return undefined
  expect(OTHER_TABLES).toContain(input)
  return "Node's IDNA tables"
})

/**
 * "ada's own, stricter than the URL standard": whether a host is as long, and its labels, as DNS takes them. Browsers open the stricter half too (and
 * find no such host), so an address with such a host is one; extra dots in it go.
 */
const lengths = vectorKind<string, 'ok' | 'failure'>(/^wpt_verifydnslength/, ({ input, expected }) => {
  const asked = input.replace(/^http:\/\/|\/$/g, '')
  expect(canonicalize(input).host).toBe(asked.replace(/\.+/g, '.').replace(/^\.|\.$/g, ''))
  return expected === 'ok' ? undefined : 'the URL standard asks for no DNS length'
})

export const WPT_KINDS = [absolute, toAscii, lengths]
