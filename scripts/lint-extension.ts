/**
 * `npm run lint:ext`: Mozilla's linter over both builds in dist. Errors, warnings and notices all fail, but for those of the Chrome build that
 * scripts/lint/chrome-findings.json explains; an explanation without a finding fails as well, so that the file stays true.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Finding {
  readonly code: string
  readonly message: string
  readonly file?: string
}

const root = fileURLToPath(new URL('..', import.meta.url))
const LEVELS = ['errors', 'warnings', 'notices'] as const

function findings(folder: string): Finding[] {
  const webExt = join(root, 'node_modules/web-ext/bin/web-ext.js')
  const args = ['lint', '--source-dir', folder, '--self-hosted=false', '--output', 'json', '--no-config-discovery', '--boring']
  const { stdout, stderr } = spawnSync(process.execPath, [webExt, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
  const start = stdout.indexOf('{')
  if (start < 0) throw new Error(`web-ext said nothing about ${folder}: ${stderr}`)
  const report: Record<string, Finding[] | undefined> = JSON.parse(stdout.slice(start))
  return LEVELS.flatMap((level) => {
    const list = report[level]
    if (!Array.isArray(list)) throw new Error(`web-ext's report has no ${level}`)
    return list
  })
}

const explained: Record<string, string> = JSON.parse(readFileSync(new URL('lint/chrome-findings.json', import.meta.url), 'utf8'))
let failed = false
for (const target of ['chrome', 'firefox']) {
  const found = findings(join(root, 'dist', target))
  const known = target === 'chrome' ? explained : {}
  const unexplained = found.filter(({ code }) => !(code in known))
  const vanished = Object.keys(known).filter((code) => !found.some((finding) => finding.code === code))
  for (const { code, message, file } of unexplained) console.error(`${target}: ${code} ${file ?? ''}: ${message}`)
  for (const code of vanished) console.error(`${target}: ${code} is explained in scripts/lint/chrome-findings.json but no longer found`)
  console.log(`${target}: ${unexplained.length} findings, ${found.length - unexplained.length} explained`)
  failed ||= unexplained.length + vanished.length > 0
}
process.exitCode = failed ? 1 : 0
