import { readFileSync } from 'node:fs'
import { domainToASCII } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isPublicSuffix, PSL_VERSION, registrableDomain } from '../../src/url/public-suffix.ts'
import { vectors } from '../support/vectors.ts'

/** Rules of the list's private section: the v5 text goes by the ICANN section alone, where `uk.com` is a domain like any other. */
const PRIVATE = new Map([
  ['uk.com', 'uk.com'],
  ['b.example.uk.com', 'uk.com'],
])

describe('registrableDomain', () => {
  // Hosts reach us canonical: lower case, ASCII, no dot in front. Null input stands for "no host" in the list's own tests.
  it.each(vectors<string | null, string | null>('psl.json').filter(({ input }) => input !== null && !input.startsWith('.')))(
    'psl.json: $input',
    ({ input, expected }) => {
      const domain = PRIVATE.get(input as string) ?? (expected && domainToASCII(expected))
      expect(registrableDomain(domainToASCII(input as string))).toBe(domain)
    },
  )

  it('psl.json: three of 39 are about what no canonical host can be', () => {
    const all = vectors<string | null, string | null>('psl.json')
    expect(all).toHaveLength(39)
    expect(all.filter(({ input }) => input === null || input.startsWith('.'))).toHaveLength(3)
  })

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
