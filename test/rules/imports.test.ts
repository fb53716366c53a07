import { describe, expect, test } from 'vitest'
import { findImports, forbiddenImports } from '../../scripts/import-check.ts'
import { IMPORT_RULES } from '../../scripts/import-rules.ts'

const everyFileExists = () => true
const check = (path: string, source: string) => forbiddenImports(path, source, IMPORT_RULES, everyFileExists)

describe('import rules', () => {
  test.each([
    ['src/check/url-checker.ts', `import { canonicalize } from '../url/canonicalize.ts'`],
    ['src/ports.ts', `import type { HashList } from './lists/hash-list.ts'`],
    ['src/server/app.ts', `import { Hono } from 'hono'\nimport { join } from 'node:path'`],
    ['extension/background/index.ts', `import { openDatabase } from '../storage/database.ts'`],
    ['extension/platform/browser.ts', `import type { Browser } from 'webextension-polyfill'`],
    ['extension/popup/main.ts', `import type { Verdict } from '../../src/check/verdict.ts'\nimport './style.css'`],
    ['test/url/canonicalize.test.ts', `import { test } from 'vitest'\nimport '../../src/url/canonicalize.ts'`],
  ])('%s may: %s', (path, source) => {
    expect(check(path, source)).toEqual([])
  })

  test.each([
    ['the core imports the extension', 'src/check/url-checker.ts', `import { x } from '../../extension/storage/list-store.ts'`],
    ['the core imports a script', 'src/cli/main.ts', `import { x } from '../../scripts/zip.ts'`],
    ['the core imports a test', 'src/cli/main.ts', `import { x } from '../../test/support/sites.ts'`],
    ['a lower layer imports a higher one', 'src/url/canonicalize.ts', `import { UrlChecker } from '../check/url-checker.ts'`],
    ['even its types', 'src/filter/bloom.ts', `import type { Verdict } from '../check/verdict.ts'`],
    ['Node in the core', 'src/lists/hash-list.ts', `import { readFileSync } from 'node:fs'`],
    ['Node without node:', 'src/server/store.ts', `import { readFileSync } from 'fs'`],
    ['Node in the extension', 'extension/background/index.ts', `import { createHash } from 'node:crypto'`],
    ['a port does something', 'src/ports.ts', `import { HashList } from './lists/hash-list.ts'`],
    ['a port does something behind a type', 'src/ports.ts', `import { type HashList } from './lists/hash-list.ts'`],
    ['the polyfill outside of platform', 'extension/background/badge.ts', `import browser from 'webextension-polyfill'`],
    ['a page imports storage', 'extension/popup/main.ts', `import { x } from '../storage/list-store.ts'`],
    ['a page imports the background', 'extension/warning/main.ts', `import type { X } from '../background/badge.ts'`],
    ['a page imports the core', 'extension/options/main.ts', `import { x } from '../../src/update/updater.ts'`],
    ['the leave page imports anything', 'extension/leave/main.ts', `import { browser } from '../platform/browser.ts'`],
    ['storage imports messages', 'extension/storage/list-store.ts', `import type { Status } from '../messaging/messages.ts'`],
    ['a package that has no business there', 'src/url/canonicalize.ts', `import { Hono } from 'hono'`],
    ['re-exports', 'src/url/canonicalize.ts', `export { x } from '../check/url-checker.ts'`],
    ['re-exports of everything', 'src/url/canonicalize.ts', `export * from '../check/url-checker.ts'`],
    ['types inside of a type', 'src/url/canonicalize.ts', `export type X = import('../check/verdict.ts').Verdict`],
    ['loading later', 'extension/background/index.ts', `export const x = import('./badge.ts')`],
    ['a folder without a rule', 'src/new-folder/x.ts', `export const x = 1`],
  ])('forbidden: %s', (_what, path, source) => {
    expect(check(path, source)).toHaveLength(1)
    expect(check(path, source)[0]).toMatch(new RegExp(`^${path}:1 `))
  })

  test('an import of a file that does not exist, or without its extension, is reported', () => {
    const source = `import { x } from './bloom'`
    expect(forbiddenImports('src/filter/parameters.ts', source, IMPORT_RULES, () => false)[0]).toContain('no such file')
  })

  test('every kind of import is found, with its line', () => {
    const source = `import type { A } from './a.ts'
import { type B, b } from './b.ts'
import './c.ts'
export type { D } from './d.ts'
export * from './e.ts'
const f = import('./f.ts')
type G = import('./g.ts').G
`
    const found = findImports('x.ts', source).sort((a, b) => a.line - b.line)
    expect(found.map(({ specifier, line, typeOnly, dynamic }) => [specifier, line, typeOnly, dynamic])).toEqual([
      ['./a.ts', 1, true, false],
      ['./b.ts', 2, false, false],
      ['./c.ts', 3, false, false],
      ['./d.ts', 4, true, false],
      ['./e.ts', 5, false, false],
      ['./f.ts', 6, false, true],
      ['./g.ts', 7, true, false],
    ])
  })
})
