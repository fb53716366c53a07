import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isPublicSuffix, PSL_VERSION, registrableDomain } from '../../src/url/public-suffix.ts'

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
