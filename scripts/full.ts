import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `npm run test:full`: what takes too long for `npm test`, then every bench; figures, ratios, date and commit go to docs/measurements/full.json. Exit code 1
 * where a test failed or a bench broke off. A ratio over its limit is written down, and fails nothing (scripts/bench/run.ts).
 */
const OUT = 'docs/measurements/full.json'
const folder = mkdtempSync(join(tmpdir(), 'wary-full-'))
const figures = join(folder, 'figures.jsonl')
const tests = join(folder, 'tests.json')
const rows = join(folder, 'bench.json')

function run(args: readonly string[]): number {
  const { status } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, WARY_FIGURES: figures },
  })
  return status ?? 1
}

function read(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

const failed = run([
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project',
  'full',
  '--reporter=verbose',
  '--reporter=json',
  `--outputFile.json=${tests}`,
])
const benches = run(['node_modules/tsx/dist/cli.mjs', 'scripts/bench/run.ts', '--write', '--json', rows])

const report = read(tests)
const count = (name: string): unknown => (typeof report === 'object' && report !== null ? Reflect.get(report, name) : undefined)
const lines = existsSync(figures) ? readFileSync(figures, 'utf8').trim().split('\n') : []
mkdirSync('docs/measurements', { recursive: true })
const full = {
  date: new Date().toISOString(),
  commit: spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], { encoding: 'utf8' }).stdout.trim(),
  node: process.version,
  tests: { passed: count('numPassedTests'), failed: count('numFailedTests'), skipped: count('numPendingTests') },
  figures: lines.map((line): unknown => JSON.parse(line)),
  bench: read(rows),
}
writeFileSync(OUT, `${JSON.stringify(full, null, 2)}\n`)
process.stderr.write(`wrote ${OUT}\n`)
rmSync(folder, { recursive: true, force: true })
process.exit(failed === 0 && benches === 0 ? 0 : 1)
