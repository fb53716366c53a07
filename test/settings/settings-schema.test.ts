import { describe, expect, it } from 'vitest'
import { MOST_DECOYS, parseDecoys, parseLists, parseRootKey, parseServer } from '../../extension/settings/setting-values.ts'
import { parseSettings } from '../../extension/settings/settings-schema.ts'
import { MOST_DECOYS as MOST_ASKED } from '../../src/check/decoys.ts'

describe('parseServer', () => {
  it.each([
    ['', ''],
    [' https://lists.example ', 'https://lists.example'],
    ['https://lists.example:8443/', 'https://lists.example:8443'],
    ['http://127.0.0.1:8750', 'http://127.0.0.1:8750'],
    ['http://localhost:8750/', 'http://localhost:8750'],
  ])('%s is taken as %s', (text, origin) => expect(parseServer(text)).toBe(origin))

  it.each([
    'lists.example',
    'http://lists.example',
    'http://127.0.0.1.evil.example',
    'ftp://lists.example',
    'javascript:alert(1)',
    'https://user@lists.example',
    'https://lists.example/path',
    'https://lists.example/?a=1',
    'https://lists.example/#x',
    5,
    null,
  ])('%s is refused by name', (value) => expect(() => parseServer(value)).toThrow(expect.objectContaining({ code: 'setting-invalid' })))
})

describe('parseDecoys', () => {
  it.each([
    [0, 0],
    [8, 8],
    [' 3 ', 3],
  ])('takes %j', (value, number) => expect(parseDecoys(value)).toBe(number))
  it.each([-1, 9, 1.5, '', 'x', '-1', null, [1], Number.NaN])('refuses %j', (value) =>
    expect(() => parseDecoys(value)).toThrow(expect.objectContaining({ code: 'setting-invalid' })),
  )
  it('allows as many as are asked', () => expect(MOST_DECOYS).toBe(MOST_ASKED))
})

describe('parseRootKey', () => {
  it('takes 64 hexadecimal digits of either case', () => expect(parseRootKey(`${'AB'.repeat(32)}\n`)).toBe('ab'.repeat(32)))
  it.each(['ab', 'g'.repeat(64), 'a'.repeat(65), 7])('refuses %s', (value) =>
    expect(() => parseRootKey(value)).toThrow(expect.objectContaining({ code: 'setting-invalid' })),
  )
})

describe('parseLists', () => {
  it('takes text or names, without repeats', () => {
    expect(parseLists('se-4b, mw-8b,,se-4b')).toEqual(['se-4b', 'mw-8b'])
    expect(parseLists(['pha-32b'])).toEqual(['pha-32b'])
  })
  it.each(['', 'se-5b', 'gc-32b', [4], 4, Array.from({ length: 1 }, () => '../se-4b')])('refuses %j', (value) =>
    expect(() => parseLists(value)).toThrow(expect.objectContaining({ code: 'setting-invalid' })),
  )
})

describe('parseSettings', () => {
  it('keeps the fields that are present', () =>
    expect(parseSettings({ server: 'https://a.example', other: 1 })).toEqual({ server: 'https://a.example' }))
})
