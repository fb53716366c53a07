import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostOf, takeApart } from '../../extension/page/address.ts'
import { parsedUrl } from '../../src/url/parsed-url.ts'
import { registrableDomain } from '../../src/url/public-suffix.ts'

/** As the background says it (navigation-guard.ts). */
function apart(href: string) {
  const host = parsedUrl(href)?.hostname.replace(/\.+$/, '') ?? ''
  return takeApart(href, { domain: registrableDomain(host) ?? host })
}

describe('an address taken apart', () => {
  test.each([
    ['https://www.example.co.uk/login?x=1#y', ['https://', 'www.', 'example.co.uk', '', '/login?x=1#y']],
    ['http://evil.test:8080/', ['http://', '', 'evil.test', ':8080', '/']],
    ['https://paypal.com.evil.example/', ['https://', 'paypal.com.', 'evil.example', '', '/']],
    ['https://example.example/', ['https://', '', 'example.example', '', '/']],
    ['http://com/', ['http://', '', 'com', '', '/']],
    ['http://a.b.evil.test./', ['http://', 'a.b.', 'evil.test.', '', '/']],
    ['http://[2001:db8::1]:81/x', ['http://', '', '[2001:db8::1]', ':81', '/x']],
    ['http://3232235777/', ['http://', '', '192.168.1.1', '', '/']],
  ])('%s', (href, parts) => {
    const taken = apart(href)
    expect([taken?.scheme, taken?.subdomain, taken?.domain, taken?.port, taken?.rest]).toEqual(parts)
    expect(taken?.user).toBe('')
  })

  test('a user name that looks like a host is told apart from the host', () => {
    expect(apart('https://bank.example@evil.test/')).toMatchObject({ user: 'bank.example', domain: 'evil.test', isIp: false })
    expect(apart(`https://${'u'.repeat(500)}:secret@evil.test/`)?.user.length).toBe(60)
  })

  test('letters of other alphabets stay in the form that cannot deceive', () => {
    expect(apart('https://аррӏе.example/')?.domain).toMatch(/^xn--/)
    expect(apart('https://evil.test/\u202egpj.exe')?.rest).toBe('/%E2%80%AEgpj.exe')
  })

  test('where the domain is not known, the whole host is it', () => {
    expect(takeApart('https://www.example.com/')).toMatchObject({ subdomain: '', domain: 'www.example.com' })
  })

  test('a domain that the host is not in emphasises the whole host', () => {
    for (const domain of ['other.test', 'ample.com', '']) {
      expect(takeApart('https://www.example.com/', { domain })?.domain).toBe('www.example.com')
    }
  })

  test('IP addresses are known as such', () => {
    for (const host of ['127.0.0.1', '[::1]', '0x7f.1']) expect(apart(`http://${host}/`)?.isIp).toBe(true)
    expect(apart('http://1.2.3.4.example/')?.isIp).toBe(false)
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', 'chrome://settings', 'not an address', ''])('no web address: %j', (text) => {
    expect(apart(text)).toBeUndefined()
    expect(hostOf(text)).toBeUndefined()
  })

  test('2 MB of address become a short text, at once', () => {
    const started = performance.now()
    const taken = apart(`https://evil.test/${'%E2%80%AE/'.repeat(200_000)}end`)
    expect(taken?.rest.length).toBe(160)
    expect(taken?.rest).toMatch(/…/)
    expect(taken?.rest.endsWith('end')).toBe(true)
    expect(taken?.domain).toBe('evil.test')
    expect(performance.now() - started).toBeLessThan(1000)
  })

  test('a host hidden behind a very long user name is still found', () => {
    expect(apart(`https://bank.example${'x'.repeat(300_000)}@evil.test/y`)).toMatchObject({ domain: 'evil.test', rest: '/y' })
    expect(apart(`https://${'x'.repeat(300_000)}`)).toBeUndefined()
  })

  test('the parts joined are the address, whatever it is', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
    const url = fc.tuple(fc.array(label, { minLength: 2, maxLength: 5 }), fc.stringMatching(/^[a-z/?&=.#]{0,80}$/))
    fc.assert(
      fc.property(url, ([labels, rest]) => {
        const { href } = new URL(`https://${labels.join('.')}.example/${rest}`)
        const parts = apart(href)
        expect(parts && parts.scheme + parts.subdomain + parts.domain + parts.port + parts.rest).toBe(href)
      }),
    )
  })

  test('a host for titles is short', () => {
    expect(hostOf('https://www.evil.test/x')).toBe('www.evil.test')
    expect(hostOf(`https://${'a'.repeat(60)}.${'b'.repeat(60)}.test/`)?.length).toBe(80)
  })
})
