import { describe, expect, test } from 'vitest'
import { parseSources, sourceId } from '../../extension/settings/source-setting.ts'

const FINGERPRINT = 'ab'.repeat(32)
const wary = { kind: 'wary', server: 'https://lists.example', fingerprint: FINGERPRINT, lists: ['se-4b'] }
const KEY = 'AIzaSyTest-key_of-nobody-0123456789abc'

describe('sources', () => {
  test('of every kind, with ids that stay the same', () => {
    const parsed = parseSources([
      { ...wary, server: ' https://lists.example/ ', more: 1 },
      { ...wary, kind: 'filter' },
      { kind: 'google', apiKey: ` ${KEY} `, lists: 'se-4b, mw-4b' },
      { kind: 'feed', url: 'https://feeds.example/a.txt#top', threatType: 'MALWARE' },
    ])
    expect(parsed).toEqual([
      wary,
      { ...wary, kind: 'filter' },
      { kind: 'google', apiKey: KEY, lists: ['se-4b', 'mw-4b'] },
      { kind: 'feed', url: 'https://feeds.example/a.txt', threatType: 'MALWARE' },
    ])
    expect(parsed.map(sourceId)).toEqual(['https://lists.example', 'filter https://lists.example', 'google', 'https://feeds.example/a.txt'])
  })

  test.each([
    ['no list', 'x'],
    ['not an object', [1]],
    ['an unknown kind', [{ kind: 'carrier-pigeon' }]],
    ['no server', [{ ...wary, server: '' }]],
    ['a server without TLS', [{ ...wary, server: 'http://lists.example' }]],
    ['a short fingerprint', [{ ...wary, fingerprint: 'ab' }]],
    ['an unknown list', [{ ...wary, lists: ['xx-4b'] }]],
    ['a key that is none', [{ kind: 'google', apiKey: 'x y', lists: ['se-4b'] }]],
    ['a feed without TLS', [{ kind: 'feed', url: 'http://feeds.example/a', threatType: 'MALWARE' }]],
    ['a feed with a password', [{ kind: 'feed', url: 'https://a:b@feeds.example/a', threatType: 'MALWARE' }]],
    ['a feed of a script', [{ kind: 'feed', url: 'javascript:alert(1)', threatType: 'MALWARE' }]],
    ['an unknown threat', [{ kind: 'feed', url: 'https://feeds.example/a', threatType: 'RUDENESS' }]],
    ['the same twice', [wary, wary]],
    ['too many', Array.from({ length: 17 }, (_, i) => ({ ...wary, server: `https://l${i}.example` }))],
  ])('refused: %s', (_, value) => {
    expect(() => parseSources(value)).toThrow(expect.objectContaining({ code: 'setting-invalid' }))
  })
})
