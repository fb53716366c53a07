/** `npm run check:size`: what each part of the builds in dist loads, gzipped, against its budget. Exit code 1 if one is over. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { findImports } from './import-check.ts'

/** Bytes. The Public Suffix List is no part of the worker's script (scripts/suffix-plugin.ts). */
const WORKER_BUDGET = 60_000
const PAGE_BUDGET = 30_000

const dist = fileURLToPath(new URL('../dist', import.meta.url))

/** The script and everything that it imports, as paths from the extension's root. */
function withImports(folder: string, entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen
  seen.add(entry)
  const source = readFileSync(join(folder, entry), 'utf8')
  for (const { specifier } of findImports(entry, source)) withImports(folder, posix.join(dirname(entry), specifier), seen)
  return seen
}

function filesOfPage(folder: string, page: string): Set<string> {
  const html = readFileSync(join(folder, page), 'utf8')
  const files = new Set<string>()
  for (const [, path = ''] of html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)) {
    if (path.endsWith('.css')) files.add(path)
    else withImports(folder, path, files)
  }
  return files
}

const gzipped = (folder: string, files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0)

const rows: { part: string; bytes: number; budget: number }[] = []
for (const target of ['chrome', 'firefox']) {
  const folder = join(dist, target)
  if (!existsSync(folder)) throw new Error(`${folder} is missing: npm run build`)
  rows.push({ part: `${target} worker`, bytes: gzipped(folder, withImports(folder, 'service-worker-loader.js')), budget: WORKER_BUDGET })
  for (const page of readdirSync(join(folder, 'extension')).sort()) {
    const files = filesOfPage(folder, `extension/${page}/index.html`)
    rows.push({ part: `${target} ${page}`, bytes: gzipped(folder, files), budget: PAGE_BUDGET })
  }
}

const kB = (bytes: number) => (bytes / 1000).toFixed(1).padStart(6)
console.log(`${'gzipped, kB'.padEnd(20)}   size budget`)
for (const { part, bytes, budget } of rows) console.log(`${part.padEnd(20)} ${kB(bytes)} ${kB(budget)}${bytes > budget ? '  OVER' : ''}`)
process.exitCode = rows.some(({ bytes, budget }) => bytes > budget) ? 1 : 0
