import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ENGLISH } from '../support/english.ts'

const extension = fileURLToPath(new URL('../../extension', import.meta.url))
const paths = readdirSync(extension, { recursive: true, encoding: 'utf8' })
const read = (path: string) => readFileSync(join(extension, path), 'utf8')
const markup = paths.filter((path) => path.endsWith('.html')).map((path) => ({ path, text: read(path) }))
const code = paths.filter((path) => path.endsWith('.ts')).map(read)
const manifest = readFileSync(new URL('../../manifest.json', import.meta.url), 'utf8')

const inMarkup = markup.flatMap(({ text }) => [...text.matchAll(/data-i18n(?:-\w+)?="([^"]*)"/g)].map(([, key = '']) => key))
const inManifest = [...manifest.matchAll(/__MSG_(\w+)__/g)].map(([, key = '']) => key)
const literals = new Set(code.flatMap((text) => [...text.matchAll(/'(\w+)'/g)].map(([, key = '']) => key)))

describe('strings', () => {
  test('every key in markup and manifest exists', () => {
    expect([...inMarkup, ...inManifest].filter((key) => !Object.hasOwn(ENGLISH, key))).toEqual([])
  })

  test('every key is used, in code by its whole name or as a plural by its stem', () => {
    const used = new Set([...inMarkup, ...inManifest, ...literals])
    const unused = Object.keys(ENGLISH).filter((key) => !used.has(key) && !used.has(key.replace(/_(zero|one|two|few|many|other)$/, '')))
    expect(unused).toEqual([])
  })

  test('every string tells translators what it is for, and shows an example of each value', () => {
    for (const [key, { message, description, placeholders = {} }] of Object.entries(ENGLISH)) {
      expect(description, key).toMatch(/\w/)
      const named = [...message.matchAll(/\$(\w+)\$/g)].map(([, name = '']) => name.toLowerCase())
      expect(Object.keys(placeholders).sort(), key).toEqual([...new Set(named)].sort())
      for (const { content, example } of Object.values(placeholders)) {
        expect(content, key).toMatch(/^\$[1-9]$/)
        expect(example, key).toMatch(/\w/)
      }
    }
  })

  test('the description of the extension fits into the stores', () => {
    expect(ENGLISH.extensionDescription?.message.length).toBeLessThanOrEqual(132)
  })
})

describe('markup', () => {
  test.each(markup)('$path has no text, script or style of its own', ({ text }) => {
    expect(text).not.toMatch(/\sstyle=|<style|\son\w+=|javascript:/)
    expect(text).toMatch(/<html lang="en">/)
    for (const [, attributes = '', body = ''] of text.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)) {
      expect(attributes).toContain('src="./main.ts"')
      expect(body).toBe('')
    }
    const words = text.replace(/<!--.*?-->/gs, '').replace(/<[^>]*>/g, ' ')
    expect(words.replaceAll('Wary', '').replaceAll('–', '').trim()).toBe('')
  })
})
