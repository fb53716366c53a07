import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Wording } from '../../extension/page/wording.ts'
import { ENGLISH } from '../support/english.ts'

interface Message {
  readonly message: string
  readonly placeholders?: Readonly<Record<string, { readonly content: string }>>
}

const FOLDER = new URL('../../public/_locales/', import.meta.url)
const OTHERS = readdirSync(FOLDER).filter((name) => name !== 'en')
const read = (language: string): Readonly<Record<string, Message>> =>
  JSON.parse(readFileSync(new URL(`${language}/messages.json`, FOLDER), 'utf8'))

/** Keys of plural forms without their form; undefined for other keys. */
const stemOf = (key: string): string | undefined => /^(.+)_(?:zero|one|two|few|many|other)$/.exec(key)?.[1]
const STEMS = [...new Set(Object.keys(ENGLISH).flatMap((key) => stemOf(key) ?? []))]

/** The keys that a language must have: those of English, with its own plural forms. */
function expectedKeys(language: string): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  return [
    ...Object.keys(ENGLISH).filter((key) => stemOf(key) === undefined),
    ...STEMS.flatMap((stem) => forms.map((form) => `${stem}_${form}`)),
  ].sort()
}

describe('languages', () => {
  test('there are German, Spanish and Arabic beside English', () => {
    expect(OTHERS).toEqual(expect.arrayContaining(['ar', 'de', 'es']))
  })

  test('English has its own plural forms', () => {
    expect(Object.keys(ENGLISH).sort()).toEqual(expectedKeys('en'))
  })
})

describe.each(OTHERS)('%s', (language) => {
  const messages = read(language)

  test('has every key, with the plural forms that the language needs, and no other', () => {
    expect(Object.keys(messages).sort()).toEqual(expectedKeys(language))
  })

  test('names itself as the browsers name its folder', () => {
    expect(messages.languageTag?.message).toBe(language.replace('_', '-'))
  })

  test('has the placeholders of English, and shows each of them', () => {
    for (const [key, { message, placeholders = {} }] of Object.entries(messages)) {
      const stem = stemOf(key)
      const english = ENGLISH[stem === undefined ? key : `${stem}_other`]
      const contents = (of: Message['placeholders'] = {}): [string, string][] =>
        Object.entries(of)
          .map(([name, { content }]): [string, string] => [name, content])
          .sort()
      expect(contents(placeholders), key).toEqual(contents(english?.placeholders))
      const shown = [...message.matchAll(/\$(\w+)\$/g)].map(([, name = '']) => name.toLowerCase())
      expect([...new Set(shown)].sort(), key).toEqual(Object.keys(placeholders).sort())
      expect(message.trim(), key).not.toBe('')
    }
  })

  test('is written in its own letters: hardly anything is the same as in English', () => {
    const same = Object.entries(messages).filter(([key, { message }]) => message === ENGLISH[key]?.message && /[a-z]{3}/i.test(message))
    expect(same.length).toBeLessThan(Object.keys(ENGLISH).length / 12)
  })

  test('the description of the extension fits into the stores', () => {
    expect(messages.extensionDescription?.message.length).toBeLessThanOrEqual(132)
  })

  test('counts in every plural form, with the number in it', () => {
    const getMessage = (key: string, values: readonly string[] = []): string =>
      (messages[key]?.message ?? '').replaceAll('$COUNT$', values[0] ?? '')
    const wording = new Wording({ getMessage })
    const numbers = new Intl.NumberFormat(language)
    for (const stem of STEMS) {
      for (const count of [0, 1, 2, 3, 11, 100, 13_757, 1_000_000]) {
        expect(wording.plural(stem as 'listEntries', count), stem).toContain(numbers.format(count))
      }
    }
  })
})
