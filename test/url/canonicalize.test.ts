import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WaryError } from '../../src/errors.ts'
import { canonicalize, canonicalizeLoose } from '../../src/url/canonicalize.ts'

/** null where the address is refused. */
function canonical(href: string): { host: string; path: string; text: string } | null {
  try {
    const url = canonicalize(href)
    return { host: url.host, path: url.path, text: url.text }
  } catch (error) {
    expect(error).toBeInstanceOf(WaryError)
    expect(error).toMatchObject({ code: 'url-invalid' })
    return null
  }
}

describe('canonicalizeLoose', () => {
  it.each([
    ['www.google.com/', 'www.google.com/'],
    ['www.google.com', 'www.google.com/'],
    [' bad.test/a?b ', 'bad.test/a?b'],
    ['HTTPS://bad.test', 'bad.test/'],
    ['bad.test:8080/a', 'bad.test/a'],
  ])('%j is %s', (text, expected) => expect(canonicalizeLoose(text).text).toBe(expected))

  it.each(['%20leadingspace.com/', 'two words.test', 'ftp://bad.test/', ''])('%j is no address', (text) =>
    expect(() => canonicalizeLoose(text)).toThrow(expect.objectContaining({ code: 'url-invalid' })),
  )
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
})
