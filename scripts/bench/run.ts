import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'vite'
import type { Bench, Row } from './bench.ts'
import { printTable } from './bench-table.ts'
import { writeFilterFigures } from './filter-figures.ts'
import type { KindFigures, SpaceCurve } from './filter-kind.ts'
import { kindsText } from './kinds-table.ts'

/**
 * `npm run bench [-- NAME...] [--json FILE] [--write]`: every *.bench.ts under test/ whose path holds one of the names, bundled as the extension is (a module
 * loader between the parts would be measured with them), each in a process of its own. Prints one table; says how many ratios are over their
 * limit, and is no test: a machine that is busy must not fail one. `--write` also brings the page about filters up to date (filter-figures.ts).
 */
const OUT = 'node_modules/.wary-bench'

const args = process.argv.slice(2)
const jsonAt = args.indexOf('--json')
const jsonFile = jsonAt < 0 ? undefined : args.splice(jsonAt, 2)[1]
if (jsonAt >= 0 && jsonFile === undefined) throw new Error('--json needs a file: npm run bench -- --json FILE')

const names = args.filter((arg) => arg !== '--write')
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => `test/${file}`)
  .sort()
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
const write = args.includes('--write')
if (files.length === 0) throw new Error(`no bench of that name: ${args.join(' ')}`)
mkdirSync(OUT, { recursive: true })

const rows: Row[] = []
const kinds: KindFigures[] = []
const curves: SpaceCurve[] = []
for (const file of files) {
  const suite = basename(file, '.bench.ts')
  process.stderr.write(`${suite} ...\n`)
  const found = await measured(file, suite)
  rows.push(...found.rows)
  kinds.push(...found.kinds)
  curves.push(...found.curves)
}
printTable(rows)
if (kinds.length > 0) process.stdout.write(`\n${kindsText(kinds)}`)
if (write && kinds.length > 0)
  writeFilterFigures({ date: new Date().toISOString(), commit: commit(), node: process.version, kinds, curves })
if (jsonFile) {
  writeFileSync(
    jsonFile,
    `${JSON.stringify({ date: new Date().toISOString(), commit: commit(), node: process.version, rows, kinds, curves }, null, 2)}\n`,
  )
  process.stderr.write(`wrote ${jsonFile}\n`)
}

type Measured = Pick<Bench, 'rows' | 'kinds' | 'curves'>

async function measured(file: string, suite: string): Promise<Measured> {
  const entry = join(OUT, `${suite}.entry.ts`)
  const rowsFile = join(OUT, `${suite}.json`)
  writeFileSync(
    entry,
    `import { writeFileSync } from 'node:fs'\nimport { Bench } from '../../scripts/bench/bench.ts'\nimport measure from '../../${file}'\n` +
      `const bench = new Bench('${suite}')\nawait measure(bench)\nwriteFileSync('${rowsFile}', JSON.stringify(bench))\n`,
  )
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: entry,
      outDir: OUT,
      emptyOutDir: false,
      target: 'esnext',
      rolldownOptions: { output: { entryFileNames: `${suite}.mjs` } },
    },
  })
  rmSync(rowsFile, { force: true })
  const { status } = spawnSync(process.execPath, ['--expose-gc', join(OUT, `${suite}.mjs`)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    // A peer's hash would need a compiler at installation otherwise.
    env: { ...process.env, NODE_BACKEND: 'js' },
  })
  if (status !== 0) {
    process.stderr.write(`${file} ended with ${status}: nothing of it is in the table\n`)
    process.exitCode = 1
    return { rows: [], kinds: [], curves: [] }
  }
  return JSON.parse(readFileSync(rowsFile, 'utf8'))
}

function commit(): string {
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], { encoding: 'utf8' })
  return stdout.trim()
}
