import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listedAddress } from '../../src/feeds/listed-address.ts'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { expressions } from '../../src/url/expressions.ts'

describe('the expression of an address', () => {
  test.each([
    ['evil.test', 'evil.test/'],
    ['EVIL.Test.', 'evil.test/'],
    ['sub.evil.test', 'sub.evil.test/'],
    ['http://evil.test', 'evil.test/'],
    ['https://evil.test:8443/', 'evil.test/'],
    ['evil.test/login', 'evil.test/login'],
    ['evil.test/login/', 'evil.test/login/'],
    ['https://evil.test/a/../b//c.html?x=1&y=2#fragment', 'evil.test/b/c.html?x=1&y=2'],
    ['evil.test/?', 'evil.test/'],
    ['evil.test/?x', 'evil.test/?x'],
    ['evil.test/%7Euser/%2525', 'evil.test/~user/%25'],
    ['http://paypal.test@evil.test/', 'evil.test/'],
    ['bücher.test', 'xn--bcher-kva.test/'],
    ['ether_promo.evil.test', 'ether_promo.evil.test/'],
    ['http://3627734734/', '216.58.214.206/'],
    ['8.8.8.8', '8.8.8.8/'],
    ['http://[2001:db8::1]/x', '[2001:db8::1]/x'],
    ['hoster.co.uk', 'hoster.co.uk/'],
  ])('%s', (text, expression) => {
    expect(listedAddress(text)).toEqual({ expression })
  })

  test('is one that the page itself has', () => {
    for (const text of ['evil.test/a/b.html?x=%41', 'https://u:p@sub.evil.test:81/a/', 'http://0x8.8.8.8/?a']) {
      const listed = listedAddress(text)
      const page = expressions(canonicalize(/:\/\//.test(text) ? text : `http://${text}`))
      expect(page).toContain('expression' in listed ? listed.expression : '')
    }
  })
})

describe('why there is none', () => {
  test.each([
    ['http://', 'no browser could open this address'],
    ['exa mple.test', 'no browser could open this address'],
    ['||evil.test^', 'no browser could open this address'],
    ['ftp://evil.test/', 'not a web address: ftp:'],
    ['evil', 'a host without a dot'],
    ['localhost', 'an address of this device'],
    ['app.localhost', 'an address of this device'],
    ['com', 'a host without a dot'],
    ['co.uk', 'a public suffix: it would list every site below it'],
    ['127.0.0.1', 'an address of this device, or of a private or reserved network'],
    ['http://0x7f000001/', 'an address of this device, or of a private or reserved network'],
    ['http://[::ffff:192.168.1.1]/', 'an address of this device, or of a private or reserved network'],
    ['[fe80::1]', 'an address of this device, or of a private or reserved network'],
    ['someone@provider.test', 'an e-mail address, or a name with credentials'],
    ['mailto:someone@provider.test', 'an e-mail address, or a name with credentials'],
    ['3627734734', 'a number, not an address'],
    ['1.5', 'a number, not an address'],
    ['*.evil.test', 'not a name that a host can have'],
    ['*://*.evil.test/*', 'not a name that a host can have'],
    ['/gate.php', 'a path without a host'],
    ['\\\\server.test\\share', 'a path without a host'],
    ['//evil.test/', 'a path without a host'],
    [`${'a'.repeat(64)}.test`, 'not a name that a host can have'],
    [`${'a.'.repeat(150)}test`, 'not a name that a host can have'],
    ['evil.test/\u0007', 'control characters or broken text'],
    ['evil\u200b.test', 'control characters or broken text'],
    ['evil.test/\ud800', 'control characters or broken text'],
    ['evil.test/\ufffd', 'control characters or broken text'],
    ['\u001b[31mevil.test', 'control characters or broken text'],
    [`evil.test/${'a'.repeat(2048)}`, 'longer than 2048 characters'],
    // Short as written, long once it is escaped.
    [`evil.test/${'é'.repeat(1000)}`, 'longer than 2048 characters'],
  ])('%s', (text, reason) => {
    expect(listedAddress(text)).toEqual({ reason })
  })

  test('never throws, and never makes an expression that no page has', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.domain(), fc.string({ unit: fc.constantFrom(...'a.:/@%2e0xf[]#?\\') })),
        (text) => {
          const listed = listedAddress(text)
          if ('reason' in listed) {
            expect(listed.reason).not.toBe('')
            return
          }
          expect(listed.expression).toMatch(/^[!-~]+$/)
          expect(expressions(canonicalize(`http://${listed.expression}`))).toContain(listed.expression)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
