import { describe, expect, it } from 'vitest'
import { hostsCondition, regexCondition, standingPattern } from '../../extension/background/standing-rule.ts'

/** What Chrome's rule matches, in the terms of this test: `requestDomains` takes subdomains, regular expressions see the whole URL. */
function matches(expression: string, url: string): boolean {
  const pattern = standingPattern(expression)
  const { hostname, href } = new URL(url)
  if (pattern.kind === 'host') return hostname === pattern.host || hostname.endsWith(`.${pattern.host}`)
  return new RegExp(pattern.regex).test(href)
}

describe('standingPattern', () => {
  it.each([
    ['bad.test/', 'http://bad.test/', true],
    ['bad.test/', 'https://bad.test:8443/any/path?q#f', true],
    ['bad.test/', 'http://deep.sub.bad.test/', true],
    ['bad.test/', 'http://notbad.test/', false],
    ['1.2.3.4/', 'http://1.2.3.4:81/x', true],
    ['1.2.3.4/', 'http://11.2.3.4/', false],
    ['safe.test/listed/page.html', 'http://safe.test/listed/page.html', true],
    ['safe.test/listed/page.html', 'https://safe.test:8443/listed/page.html?q=1#f', true],
    ['safe.test/listed/page.html', 'http://user:pw@safe.test/listed/page.html', true],
    ['safe.test/listed/page.html', 'http://www.safe.test/listed/page.html', true],
    ['safe.test/listed/page.html', 'http://safe.test/listed/page.html5', false],
    ['safe.test/listed/page.html', 'http://safe.test/listed/pagexhtml', false],
    ['safe.test/listed/page.html', 'http://safe.test/', false],
    ['safe.test/listed/page.html', 'http://evil.test/?http://safe.test/listed/page.html', false],
    ['safe.test/listed/page.html', 'http://unsafe.test/listed/page.html', false],
    ['safe.test/dir/', 'http://safe.test/dir/below/page', true],
    ['safe.test/dir/', 'http://safe.test/director', false],
    ['safe.test/p?q=(1)', 'http://safe.test/p?q=(1)', true],
    ['safe.test/p?q=(1)', 'http://safe.test/p?q=(1)#f', true],
    ['safe.test/p?q=(1)', 'http://safe.test/p?q=(1)&r', false],
    // v5 makes hosts of the exact name and of up to four names from eTLD+1 on: below five labels, only the exact host.
    ['a.b.c.d.e.bad.test/', 'http://a.b.c.d.e.bad.test/x', true],
    ['a.b.c.d.e.bad.test/', 'http://z.a.b.c.d.e.bad.test/x', false],
    ['b.c.d.bad.test/', 'http://z.y.b.c.d.bad.test/x', true],
  ])('%s against %s: %s', (expression, url, expected) => expect(matches(expression, url)).toBe(expected))

  it('blocks pages with their frames, or frames alone, and nothing else', () => {
    for (const make of [hostsCondition.bind(undefined, ['bad.test']), regexCondition.bind(undefined, 'x')]) {
      expect(make('page').resourceTypes).toEqual(['main_frame', 'sub_frame', 'object'])
      expect(make('frame').resourceTypes).toEqual(['sub_frame', 'object'])
    }
  })
})
