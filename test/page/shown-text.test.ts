import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutMiddle, shown, visible } from '../../extension/page/shown-text.ts'

describe('cut in the middle', () => {
  test('keeps beginning and end', () => {
    expect(cutMiddle('abcdefghij', 10)).toBe('abcdefghij')
    expect(cutMiddle('abcdefghijk', 10)).toBe('abcdef…ijk')
  })

  test('never longer than asked, and splits no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 4, max: 40 }), (text, most) => {
        const cut = cutMiddle(text, most)
        expect(cut.length).toBeLessThanOrEqual(Math.max(most, text.length <= most ? text.length : 0))
        expect(cut.isWellFormed()).toBe(text.isWellFormed())
      }),
    )
  })
})

describe('unseen characters made visible', () => {
  test.each([
    ['a\u202eb', 'a\\u{202e}b'],
    ['a\u200bb', 'a\\u{200b}b'],
    ['a\u00a0b', 'a\\u{a0}b'],
    ['a\nb\u0000', 'a\\u{a}b\\u{0}'],
    ['a\u{e0041}b', 'a\\u{e0041}b'],
    ['a\u3164b', 'a\\u{3164}b'],
    ['ordinary text, 日本 ü', 'ordinary text, 日本 ü'],
  ])('%j', (text, shown) => {
    expect(visible(text)).toBe(shown)
  })
})

test('shown: both, and at once for 2 MB', () => {
  const started = performance.now()
  const text = shown(`begin${'\u202e'.repeat(2_000_000)}end`, 100)
  expect(text.length).toBe(100)
  expect(text).toMatch(/^begin\\u\{202e\}.*end$/)
  expect(performance.now() - started).toBeLessThan(500)
})
