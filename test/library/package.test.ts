import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findImports } from '../../scripts/import-check.ts'
import { packLibrary } from '../../scripts/library-package.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
/** Bytes of a bundle that has the Bloom filter only, gzipped. */
const BLOOM_BUDGET = 5_000

/** A project of somebody else, with the package installed from its tarball. */
const project = mkdtempSync(join(tmpdir(), 'wary-library-'))
const installed = join(project, 'node_modules/wary')

function run(command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, encoding: 'utf8' })
  return { code: status, output: `${stdout}${stderr}` }
}

function write(path: string, text: string): void {
  writeFileSync(join(project, path), text)
}

beforeAll(() => {
  const { tarball } = packLibrary(join(project, 'packed'))
  write('package.json', '{ "name": "somebody", "type": "module", "private": true }')
  // No registry is asked: there is nothing to get.
  expect(run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball)).toMatchObject({ code: 0 })
}, 60_000)
afterAll(() => rmSync(project, { recursive: true, force: true, maxRetries: 3 }))

test('the package has the version of the project, one entry, no dependency, no side effect, licence and README', () => {
  const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  expect(manifest).toEqual({
    name: 'wary',
    version: root.version,
    description: expect.stringContaining('Bloom'),
    license: root.license,
    type: 'module',
    sideEffects: false,
    engines: root.engines,
    exports: { './filter': { types: './filter/index.d.ts', default: './filter/index.js' } },
  })
  expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
  expect(readFileSync(join(installed, 'README.md'), 'utf8')).toMatch(/^# wary\/filter\n/)
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['wary'])
})

test('every import in it is of a file in it', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(js|d\.ts)$/.test(path))
  expect(files.length).toBeGreaterThan(20)
  for (const path of files) {
    for (const { specifier } of findImports(path, readFileSync(join(installed, path), 'utf8'))) {
      expect(specifier, path).toMatch(/^\.{1,2}\/.*\.js$/)
      expect(existsSync(join(installed, path, '..', specifier)), `${specifier} of ${path}`).toBe(true)
    }
  }
})

test('a script uses it', () => {
  write(
    'use.mjs',
    `import { BloomFilter, WaryError } from 'wary/filter'
const filter = BloomFilter.create({ capacity: 1000, rate: 0.01 })
filter.add('a')
const file = BloomFilter.verified(filter.toBytes())
console.log(file.mightContain('a'), file.mightContain('b'))
try {
  BloomFilter.fromBytes(new Uint8Array(3))
} catch (error) {
  console.log(error instanceof WaryError, error.code)
}
await import('wary').catch(({ code }) => console.log(code))
`,
  )
  expect(run(process.execPath, 'use.mjs')).toEqual({
    code: 0,
    output: 'true false\ntrue filter-format\nERR_PACKAGE_PATH_NOT_EXPORTED\n',
  })
})

test('what its README shows is so', () => {
  const blocks = [...readFileSync(join(installed, 'README.md'), 'utf8').matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code)
  // A line that ends in a comment is an expression and what it is.
  const shown = blocks
    .join('')
    .replace(/^(?!const )(.*\)|.*\.counts) \/\/ (\{.*\}|[^:,\n]+).*$/gm, 'console.log(JSON.stringify($1) === JSON.stringify($2))')
  write('readme.mjs', shown)
  const { code, output } = run(process.execPath, 'readme.mjs')
  expect({ code, lines: new Set(output.trim().split('\n')) }).toEqual({ code: 0, lines: new Set(['true']) })
  expect(output.split('\n').length).toBeGreaterThan(6)
})

test.each(['Bundler', 'NodeNext'])('its types serve a strict program without DOM or Node types (%s)', (moduleResolution) => {
  write(
    'use.ts',
    `import { BloomFilter, type Deletable, CuckooFilter, type Key, type MembershipFilter, QuotientFilter } from 'wary/filter'
const keys: Key[] = ['a', new Uint8Array([1])]
const filters: MembershipFilter[] = [BloomFilter.create({ capacity: 10, rate: 0.1 })]
const deletable: Deletable[] = [CuckooFilter.create({ capacity: 10, rate: 0.1, seed: 1 }), QuotientFilter.create({ capacity: 10, rate: 0.1 })]
export const file: Uint8Array<ArrayBuffer>[] = filters.map((filter) => filter.toBytes())
export const maybe: boolean[] = keys.map((key) => filters.some((filter) => filter.mightContain(key)))
export const gone: boolean[] = deletable.map((filter) => filter.delete('a'))
// @ts-expect-error: a number is no key
filters[0]?.mightContain(1)
// @ts-expect-error: a Bloom filter cannot forget
BloomFilter.create({ capacity: 10, rate: 0.1 }).delete('a')
`,
  )
  const module = moduleResolution === 'Bundler' ? 'ESNext' : 'NodeNext'
  write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'ES2022',
        lib: ['ES2022'],
        types: [],
        module,
        moduleResolution,
        noEmit: true,
        skipLibCheck: false,
      },
      files: ['use.ts'],
    }),
  )
  expect(run(process.execPath, TSC, '-p', 'tsconfig.json')).toEqual({ code: 0, output: '' })
})

async function bundled(source: string): Promise<string> {
  write('entry.mjs', source)
  const built = await build({
    root: project,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2022',
      // A library's whitespace would stay: this is what a page would get.
      rolldownOptions: { input: join(project, 'entry.mjs'), preserveEntrySignatures: 'strict', output: { format: 'es' } },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((each) => ('output' in each ? each.output : []))
  return outputs.map((each) => (each.type === 'chunk' ? each.code : '')).join('\n')
}

test('who imports one filter bundles one filter', async () => {
  // Texts that only the named kinds have: messages outlive minification.
  const marks = { bloom: 'hash functions, not', cuckoo: 'number of buckets', quotient: 'a remainder has', fuse: 'at least one segment' }
  const all = await bundled(`export { BinaryFuseFilter, BloomFilter, CuckooFilter, QuotientFilter } from 'wary/filter'`)
  for (const mark of Object.values(marks)) expect(all).toContain(mark)
  const one = await bundled(`export { BloomFilter } from 'wary/filter'`)
  expect(one).toContain(marks.bloom)
  for (const mark of [marks.cuckoo, marks.quotient, marks.fuse]) expect(one).not.toContain(mark)
  expect(gzipSync(one).length).toBeLessThan(BLOOM_BUDGET)
  expect(one.length).toBeLessThan(all.length / 2)
})
