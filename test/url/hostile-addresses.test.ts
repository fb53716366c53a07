import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { parsedHref, writtenRules } from '../support/written-rules.ts'

describe('hostile addresses', () => {
  const pieces = fc.array(
    fc.constantFrom(
      ...[
        'http:',
        'https:',
        '//',
        '/',
        '\\',
        '.',
        '..',
        '%2e',
        '%252e',
        '%',
        '%25',
        '%2',
        '%5c',
        '%2f',
        '%3f',
        '%23',
        '%00',
        '%c3%bc',
        '%ff',
      ],
      ...['?', '#', '@', ':', ':80', '[', ']', '::', '1', '0x7f', '.1', '256', 'a', 'Z', 'test', '.co.uk', 'xn--', 'xn--a', '-', '_', '~'],
      ...[
        'ü',
        '例',
        '\u200d',
        '\u00ad',
        '\u3002',
        '\uff0e',
        '\ud800',
        '\t',
        '\n',
        ' ',
        '\u0000',
        '\u007f',
        "'",
        '"',
        '<',
        '|',
        '^',
        '{',
        '`',
      ],
    ),
    { maxLength: 14 },
  )
  const address = fc
    .tuple(fc.constantFrom('', 'http://', 'http://a.test', 'https://b.test/x/'), pieces)
    .map(([start, all]) => start + all.join(''))

  it('are refused by name, or become what the written rules say', () => {
    fc.assert(
      fc.property(address, (text) => {
        const href = parsedHref(text)
        const rules = href === undefined ? undefined : writtenRules(href)
        if (rules === undefined) {
          expect(() => canonicalize(text)).toThrow(expect.objectContaining({ name: 'WaryError', code: 'url-invalid' }))
          return
        }
        const { host, path, query } = rules
        expect(canonicalize(text).text).toBe(host + path + (query === undefined ? '' : `?${query}`))
      }),
      { numRuns: 5000 },
    )
  })

  it('stay as they are once they are canonical', () => {
    fc.assert(
      fc.property(address, (text) => {
        const href = parsedHref(text)
        if (href === undefined || writtenRules(href) === undefined) return
        const once = canonicalize(text)
        // A backslash (`%5C`) or a question mark (`%3F`) stays one by the v5 text, and is something else in an address.
        if (!/[\\?]/.test(once.path)) expect(canonicalize(`http://${once.text}`).text).toBe(once.text)
      }),
      { numRuns: 3000 },
    )
  })
})
