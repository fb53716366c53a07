import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const forbidden: [string, string, string][] = [
  ['the clock', 'src/check/clock.ts', 'export const x = () => Date.now()\n'],
  ['the clock through new Date', 'extension/background/date.ts', 'export const x = () => new Date()\n'],
  ['another clock', 'src/check/performance.ts', 'export const x = () => performance.now()\n'],
  ['chance', 'src/update/chance.ts', 'export const x = () => Math.random()\n'],
  ['the network', 'src/check/network.ts', `export const x = () => fetch('https://lists.example')\n`],
  ['the browser', 'extension/background/chrome.ts', 'export const x = () => chrome.tabs.query({})\n'],
  ['the browser by its other name', 'extension/popup/view.ts', 'export const x = () => browser.tabs.query({})\n'],
  ['databases', 'extension/background/database.ts', `export const x = () => indexedDB.open('x')\n`],
  ['all of it through globalThis', 'src/check/global.ts', 'export const x = () => globalThis.fetch\n'],
  ['markup from text', 'extension/popup/main.ts', 'export const x = (e: HTMLElement, t: string) => {\n  e.innerHTML = t\n}\n'],
  ['code from text', 'extension/options/main.ts', 'export const x = (t: string) => new Function(t)\n'],
  ['console', 'src/check/console.ts', `export const x = () => console.log('x')\n`],
  ['a forgotten promise', 'src/check/promise.ts', 'const f = async () => 1\nexport const x = () => {\n  f()\n}\n'],
  ['any', 'src/check/any.ts', 'export const x = (y: any) => y\n'],
]
const allowed: [string, string][] = [
  ['src/check/epoch.ts', 'export const x = () => new Date(0)\n'],
  ['extension/platform/clock.ts', 'export const x = () => Date.now()\n'],
  ['extension/checking/main.ts', 'export const x = () => Date.now()\n'],
  ['extension/background/index.ts', `export const x = () => fetch('https://lists.example')\n`],
  ['extension/storage/database.ts', `export const x = () => indexedDB.open('x')\n`],
  ['extension/background/tab.ts', 'export const x = (tab: chrome.tabs.Tab) => tab.id\n'],
  ['src/cli/publish.ts', `export const x = () => console.log('x')\n`],
  ['src/cli/main.ts', 'export const x = () => Date.now()\n'],
]

describe('the linter guards what the design forbids', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wary-lint-'))
  let complaints: string[] = []

  beforeAll(() => {
    const config = readFileSync(join(root, 'biome.json'), 'utf8')
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...JSON.parse(config), vcs: { enabled: false } }))
    cpSync(join(root, 'scripts/lint'), join(folder, 'scripts/lint'), { recursive: true })
    for (const [path, source] of [...forbidden.map(([, path, source]) => [path, source] as const), ...allowed]) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), source)
    }
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
    const { stdout } = spawnSync(process.execPath, [biome, 'lint', '--reporter=github', '--max-diagnostics=1000', 'src', 'extension'], {
      cwd: folder,
      encoding: 'utf8',
    })
    complaints = stdout.split('\n').filter((line) => line.startsWith('::'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const complaintsAbout = (path: string) => complaints.filter((line) => line.includes(`/${path},line=`))

  test.each(forbidden)('%s', (_what, path) => {
    expect(complaintsAbout(path)).not.toEqual([])
  })

  test.each(allowed)('but it allows in %s: %s', (path) => {
    expect(complaintsAbout(path)).toEqual([])
  })
})
