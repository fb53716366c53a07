import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WaryError } from '../../src/errors.ts'
import { canonicalize, canonicalizeLoose, canonicalText } from '../../src/url/canonicalize.ts'
import { v5, vectors } from '../support/vectors.ts'

/** null where the address is refused. */
function canonical(href: string): { host: string; path: string; text: string } | null {
  try {
    const url = canonicalize(href)
    return { host: url.host, path: url.path, text: canonicalText(url) }
  } catch (error) {
    expect(error).toBeInstanceOf(WaryError)
    expect(error).toMatchObject({ code: 'url-invalid' })
    return null
  }
}

const withoutScheme = (url: string | null): string | null => url?.replace(/^https?:\/\//, '') ?? null

/** What a raw string becomes once a browser has parsed it, by its input. Our input is what the browser calls the address. */
const AFTER_WHATWG = new Map(
  vectors<string, never>('whatwg_vs_sb.json').map(({ input, sb_after_whatwg }) => [input, sb_after_whatwg as string | null]),
)

describe('whatwg_vs_sb.json', () => {
  it.each(vectors<string, never>('whatwg_vs_sb.json'))('$input', ({ input, sb_after_whatwg }) => {
    // The rules speak of any scheme; this checker is for web pages and refuses the others.
    const web = typeof sb_after_whatwg === 'string' && /^https?:/.test(sb_after_whatwg)
    expect(canonical(input)?.text ?? null).toBe(web ? withoutScheme(sb_after_whatwg) : null)
  })
})

describe.each([
  ['sb_canonicalization_google_docs.json', 7],
  ['sb_canonicalization_go.json', 7],
])('%s', (file, departures) => {
  const all = vectors<string, string | null>(file)
  it.each(all)('$input', (vector) => {
    const expected = AFTER_WHATWG.has(vector.input) ? AFTER_WHATWG.get(vector.input) : v5(vector)
    expect(canonical(vector.input)?.text ?? null).toBe(withoutScheme(expected ?? null))
  })

  it(`is departed from ${departures} times because a browser reads the address otherwise`, () => {
    const departed = all.filter((vector) => AFTER_WHATWG.has(vector.input) && AFTER_WHATWG.get(vector.input) !== v5(vector))
    expect(departed).toHaveLength(departures)
  })
})

describe('canonicalizeLoose', () => {
  const bare = vectors<string, string | null>('sb_canonicalization_google_docs.json').filter(({ input }) => !/^\s*https?:/.test(input))
  it('has vectors without a scheme', () => expect(bare).toHaveLength(3))
  it.each(bare)('$input', (vector) => {
    // No browser opens a host with a space.
    if (vector.input.includes('%20'))
      expect(() => canonicalizeLoose(vector.input)).toThrow(expect.objectContaining({ code: 'url-invalid' }))
    else expect(canonicalText(canonicalizeLoose(vector.input))).toBe(withoutScheme(v5(vector)))
  })
})

describe.each(['sb_host_go.json', 'sb_ipv6_v5_docs.json'])('%s', (file) => {
  it.each(vectors<string, string | null>(file))('$input', (vector) => expect(canonical(vector.input)?.host ?? null).toBe(v5(vector)))
})

describe('sb_path_go.json', () => {
  it.each(vectors<string, string | null>('sb_path_go.json'))('$input', (vector) => {
    // A host that no browser accepts has no path to compare; the file is about the path rules.
    const expected = AFTER_WHATWG.get(vector.input) === null ? null : v5(vector)
    expect(canonical(vector.input)?.path ?? null).toBe(expected)
  })
})

describe('sb_ipv4_go.json', () => {
  it.each(vectors<string, string | null>('sb_ipv4_go.json'))('$input', (vector) => {
    let host: string | null = null
    try {
      const url = canonicalizeLoose(vector.input)
      host = url.isIp ? url.host : null
    } catch (error) {
      expect(error).toMatchObject({ code: 'url-invalid' })
    }
    expect(host).toBe(v5(vector))
  })
})

describe('canonicalize', () => {
  it('is a fixed point of itself', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string(), (url, tail) => {
        const once = canonical(url + tail)
        if (once !== null) expect(canonical(`http://${once.text}`)?.text).toBe(once.text)
      }),
      { numRuns: 2000 },
    )
  })

  it('unescapes as often as there is something to unescape', () => {
    const slowly = (text: string): string => {
      for (let former = ''; ; ) {
        former = text
        text = text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
        if (text === former)
          return text.replace(/[\0-\x20\x7f-\xff#%]/g, (byte) => `%${Buffer.from(byte, 'latin1').toString('hex').toUpperCase()}`)
      }
    }
    const pieces = fc.array(fc.constantFrom('%', '%2', '%25', '2', '5', '4', '1', 'f', 'C', '%c3', '%00', '%23', '/', '..'), {
      maxLength: 16,
    })
    fc.assert(
      fc.property(pieces, (parts) => {
        const query = parts.join('')
        expect(canonicalize(`http://bad.test/?${query}`).query).toBe(slowly(query))
      }),
      { numRuns: 3000 },
    )
  })

  it('throws nothing but its own error', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string().map((text) => `http://${text}`),
        ),
        (text) => {
          canonical(text)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it.each([
    'HTTP://Bad.TEST',
    'http://bad.test.',
    'http://bad..test/',
    'https://user:secret@bad.test:8443/',
    'http://%62ad.test/',
    'http://bad.test/#fragment',
    'http://ｂａｄ.test/',
    'http://bad.test/a/..',
  ])('%s is bad.test/', (spelling) => expect(canonical(spelling)?.text).toBe('bad.test/'))

  it.each([
    'http://1.2.3.4/',
    'http://16909060/',
    'http://0x1020304/',
    'http://01.02.03.04/',
    'http://1.2.772/',
    'http://1.2.3.4./',
    'http://[::ffff:102:304]/',
    'http://[64:ff9b::1.2.3.4]/',
  ])('%s is 1.2.3.4', (spelling) => expect(canonicalize(spelling)).toMatchObject({ host: '1.2.3.4', isIp: true }))

  it.each([
    ['[64:ff9b::0.0.0.0]', '0.0.0.0'],
    ['[64:ff9b::0.0.0.4]', '0.0.0.4'],
    ['[64:ff9b::0.0.3.4]', '0.0.3.4'],
    ['[64:ff9b::1.2.0.0]', '1.2.0.0'],
    ['[64:ff9b::255.255.255.255]', '255.255.255.255'],
    ['[::ffff:0.0.0.0]', '0.0.0.0'],
    ['[::ffff:0.0.0.5]', '0.0.0.5'],
  ])('%s holds the IPv4 address %s', (host, expected) =>
    expect(canonicalize(`http://${host}/`)).toMatchObject({ host: expected, isIp: true }),
  )

  it.each(['[64:ff9b:1::102:304]', '[64:ff9b::1:0:0:1]', '[64:ff9b::1:102:304]', '[::fffe:102:304]', '[::102:304]', '[1::ffff:102:304]'])(
    '%s holds none',
    (host) => expect(canonicalize(`http://${host}/`)).toMatchObject({ host, isIp: true }),
  )

  it('keeps time and memory bounded for hostile sizes', () => {
    const nested = `http://bad.test/${'%25'.repeat(100_000)}41`
    expect(canonical(nested)?.text.length).toBeLessThan(nested.length)
    expect(canonical(`http://bad.test/${'a'.repeat(2_000_000)}`)?.path).toHaveLength(2_000_001)
    expect(canonical(`http://${'.'.repeat(10_000)}bad.test/`)?.host).toBe('bad.test')
    expect(canonical(`http://bad.test/${'../'.repeat(100_000)}x`)?.path).toBe('/x')
  })
})
