import { readFileSync } from 'node:fs'
import { getDomain, getPublicSuffix } from 'tldts-icann'
import { describe, expect, it } from 'vitest'
import { isPublicSuffix, PSL_VERSION, registrableDomain } from '../../src/url/public-suffix.ts'
import { SUFFIX_RULES } from '../../src/url/suffix-rules.ts'

describe('registrableDomain', () => {
  it('knows no private suffix', () => expect(registrableDomain('user.github.io')).toBe('github.io'))
})

describe('isPublicSuffix', () => {
  it.each([
    ['com', true],
    ['co.uk', true],
    ['github.io', false],
    ['example.com', false],
  ])('%s: %s', (host, expected) => expect(isPublicSuffix(host)).toBe(expected))
})

it('PSL_VERSION names the library that is installed', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(PSL_VERSION).toBe(`tldts-icann@${dependencies['tldts-icann']}`)
})

describe('the rules', () => {
  const rules = (SUFFIX_RULES ?? '').split('\n')
  const options = { allowPrivateDomains: false, extractHostname: false, validateHostname: false } as const
  const names = rules.map((rule) => rule.replace('*.', 'any.').replace('!', ''))

  it('are the whole section', () => {
    expect(rules.length).toBeGreaterThan(6900)
    expect(rules.filter((rule) => rule.startsWith('*.')).length).toBeGreaterThan(10)
    expect(rules.filter((rule) => rule.startsWith('!')).length).toBeGreaterThan(5)
    for (const rule of rules) expect(rule).toMatch(/^(\*\.|!)?[a-z0-9.-]+$/)
  })

  it('give each name of the list, what ends in it, and what it ends in the answers of the library', () => {
    const labels = ['x', 'city', 'www', 'co', 'xn--p1ai']
    let asked = 0
    for (const name of names) {
      const parts = name.split('.')
      const ends = parts.map((_, i) => parts.slice(i).join('.'))
      const longer = [...labels, ...ends].flatMap((label) => [`${label}.${name}`, `a.${label}.${name}`, `c.b.a.${label}.${name}`])
      for (const host of [...ends, ...longer, `${name}x`, `x${name}`, `${name}.unknown`, `b.${name}.c.unknown`]) {
        if (registrableDomain(host) !== getDomain(host, options)) expect.soft(registrableDomain(host), host).toBe(getDomain(host, options))
        const suffix = getPublicSuffix(host, options) === host
        if (isPublicSuffix(host) !== suffix) expect.soft(isPublicSuffix(host), host).toBe(suffix)
        asked++
      }
    }
    expect(asked).toBeGreaterThan(100_000)
  })

  it('answer hosts that are no names at all', () => {
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '1.2.3', '.x', '..', '%20.com', '_a.b.co.uk', 'a..uk', 'com..']) {
      expect(isPublicSuffix(host), host).toBeTypeOf('boolean')
      if (host.startsWith('[') || host.includes('..') || host.startsWith('.')) continue
      expect(registrableDomain(host), host).toBe(getDomain(host, options))
    }
  })
})
