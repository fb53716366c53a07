import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CanonicalUrl } from '../../src/url/canonical-url.ts'
import { canonicalizeParsed } from '../../src/url/canonicalize.ts'
import { plainUrl } from '../../src/url/plain-url.ts'

/** What there is to say of it, wherever it lies in its source. */
function facts(url: CanonicalUrl | undefined): object | undefined {
  return url && { scheme: url.scheme, text: url.text, host: url.host, path: url.path, query: url.query, isIp: url.isIp }
}

/** Null where the rules refuse the address. */
function byTheRules(href: string): object | null | undefined {
  try {
    return facts(canonicalizeParsed(href))
  } catch (error) {
    expect(error).toMatchObject({ code: 'url-invalid' })
    return null
  }
}

/** The pieces on which a parser or the rules may act, and some on which they do not. */
const pieces = fc.constantFrom(
  ...[
    'http://',
    'https://',
    'HTTP://',
    '/',
    '//',
    '.',
    '..',
    ':',
    '@',
    '?',
    '#',
    '%',
    '%2e',
    '%41',
    '\\',
    ' ',
    '\t',
    '\n',
    '\0',
    '~',
    '^',
    '|',
  ],
  ...[
    'a',
    'b',
    'Z',
    '0',
    '1',
    '9',
    '0x1',
    '080',
    '65535',
    '65536',
    '99999',
    '-',
    '_',
    'xn--',
    'xn--e1afmkfd',
    'ä',
    'ａ',
    '。',
    '\u00ad',
    '\u007f',
  ],
  ...[
    'example',
    'com',
    'co.uk',
    '127.0.0.1',
    '[::1]',
    '&',
    '=',
    '+',
    ';',
    "'",
    '"',
    '<',
    '>',
    '`',
    '{',
    '}',
    '[',
    ']',
    '!',
    '$',
    '*',
    ',',
    '(',
  ],
)
const texts = (maxLength: number) => fc.array(pieces, { maxLength }).map((parts) => parts.join(''))
const hosts = fc.constantFrom('a', 'a.b', 'ex-am_ple.com', 'a.b:8080', '1a.b1c', 'a.co.uk:')
const addresses = fc.oneof(
  fc.tuple(fc.constantFrom('http://', 'https://', ''), fc.constantFrom('', 'a', 'a.b'), texts(14)),
  fc.tuple(fc.constantFrom('http://', 'https://'), hosts, fc.constantFrom('/', '?', '#', '/x', '/x?'), texts(3)),
)

describe('plainUrl', () => {
  it('is what the rules say, or nothing', () => {
    let plain = 0
    fc.assert(
      fc.property(addresses, (parts) => {
        const href = parts.join('')
        const short = plainUrl(href)
        if (short === undefined) return
        plain++
        expect(facts(short)).toEqual(byTheRules(href))
      }),
      { numRuns: 50_000 },
    )
    // The property is about those addresses only.
    expect(plain).toBeGreaterThan(2000)
  })

  it('is what the rules say of every two characters in every place', () => {
    let plain = 0
    const ascii = Array.from({ length: 130 }, (_, i) => String.fromCharCode(i))
    for (const [before, after] of [
      ['http://a', 'b.com/x'],
      ['http://a.', ''],
      ['https://a.com/', ''],
      ['http://a.com/x?', 'y'],
      ['http://a.com:8', '/'],
      ['http://a.com/y#', ''],
    ]) {
      for (const one of ascii) {
        for (const two of ascii) {
          const href = before + one + two + after
          const short = plainUrl(href)
          if (short === undefined) continue
          plain++
          const parsed = canonicalizeParsed(href)
          const same =
            short.text === parsed.text && short.host === parsed.host && short.path === parsed.path && short.scheme === parsed.scheme
          if (!same || short.isIp !== parsed.isIp) expect(facts(short), href).toEqual(byTheRules(href))
        }
      }
    }
    expect(plain).toBeGreaterThan(20_000)
  })

  it.each([
    'https://www.example.org/',
    'http://a.b/c/d.html?e=f&g',
    'https://host.test:8443/x',
    'http://a.b/#top',
    'http://a.b:/',
    "https://a_b.c/~user/'x'?y=[z]",
  ])('takes %s', (href) => expect(facts(plainUrl(href))).toEqual(byTheRules(href)))

  it.each([
    ...[
      'ftp://a.b/',
      'http://a.b',
      'http://A.b/',
      'http://a.b./',
      'http://a..b/',
      'http://.a/',
      'http://1.2.3.4/',
      'http://a.0x7/',
      'http://u@a.b/',
    ],
    ...[
      'http://a.b/%41',
      'http://a.b//c',
      'http://a.b/./c',
      'http://a.b/..',
      'http://a.b/?',
      'http://a.b/ü',
      'http://a.b/c ',
      'http://a.b/#x\n',
    ],
    ...['http://a.b:65536/', 'http://xn--a.b/', 'http:/a.b/', 'http://a.b/c\\d', 'http:///a', ''],
  ])('leaves %j to the rules', (href) => expect(plainUrl(href)).toBeUndefined())
})
