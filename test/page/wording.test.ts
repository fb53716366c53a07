import { describe, expect, test } from 'vitest'
import { directionOf } from '../../extension/page/localize.ts'
import { Wording } from '../../extension/page/wording.ts'
import { wording } from '../support/english.ts'

describe('wording', () => {
  test('fills placeholders', () => {
    expect(wording.text('warningTabTitle', 'evil.test')).toBe('Warning: evil.test')
  })

  test('a value with a dollar sign stays as it is', () => {
    expect(wording.text('warningTabTitle', '$1$HOST$')).toBe('Warning: $1$HOST$')
  })

  test('plural forms with the number written out', () => {
    expect(wording.plural('listEntries', 1)).toBe('1 entry')
    expect(wording.plural('listEntries', 13757)).toBe('13,757 entries')
  })

  test('a language with other plural forms falls back to the general one', () => {
    const messages: Record<string, string> = { languageTag: 'ar', listEntries_other: 'N' }
    expect(new Wording({ getMessage: (key) => messages[key] ?? '' }).plural('listEntries', 2)).toBe('N')
  })

  test('a string that is missing shows its key', () => {
    const silent = new Wording({ getMessage: (key) => (key === 'languageTag' ? 'en' : '') })
    expect(silent.text('goBack')).toBe('goBack')
  })

  test('the direction is that of the strings', () => {
    expect(directionOf('en')).toBe('ltr')
    expect(directionOf('ar-EG')).toBe('rtl')
    expect(directionOf('arn')).toBe('ltr')
  })
})
