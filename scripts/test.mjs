/**
 * `npm test [-- unit | e2e] [FILE-FILTER ...] [-t NAME]`: makes the clone ready, then runs the unit and in-process tests, then both browsers. The last line
 * is `N passed, N failed` over everything. Nothing passes by being skipped. WARY_TEST_LIMIT_S is the time limit, default 900.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bootstrap } from './bootstrap.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** A second more than a browser takes to close in order. */
const GRACE_MS = 3000
const PROJECTS = ['unit', 'e2e']
const limitMs = Number(process.env.WARY_TEST_LIMIT_S ?? 900) * 1000
const [first, ...rest] = process.argv.slice(2)
const projects = PROJECTS.includes(first) ? [first] : PROJECTS
const filters = PROJECTS.includes(first) || first === undefined ? rest : [first, ...rest]
const byName = filters.includes('-t')

await bootstrap({ browsers: projects.includes('e2e') ? ['chromium', 'firefox'] : [] })

/** Everything that a run leaves lies in here, so that it can go in one piece even when a test was ended half-way. */
const folder = mkdtempSync(join(tmpdir(), 'wary-test-'))
const temporary = join(folder, 'tmp')
/** Each browser that a test starts leaves a file here, named after its process (test/support/browsers/profile.ts). */
const processes = join(folder, 'processes')
mkdirSync(processes)
mkdirSync(temporary)
const deadline = Date.now() + limitMs
let running
let interrupted = false

function signalGroup(pid, signal) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error // ESRCH: it has ended by itself
  }
}

/** First the tests' own process, which ends the browsers that it is just starting; then whatever is left. */
async function endProcesses() {
  if (running) {
    const { pid } = running
    signalGroup(pid, 'SIGTERM')
    await Promise.race([once(running, 'close'), setTimeout(GRACE_MS)])
    signalGroup(pid, 'SIGKILL')
  }
  for (const pid of readdirSync(processes)) signalGroup(Number(pid), 'SIGKILL')
}

async function clean() {
  await endProcesses()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

/** Runs one vitest project in a process group of its own. */
async function runProject(project, report) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, '--reporter=default', '--reporter=json']
  running = spawn(process.execPath, [...args, `--outputFile.json=${report}`, ...filters], {
    cwd: root,
    stdio: 'inherit',
    detached: process.platform !== 'win32',
    env: { ...process.env, WARY_PROCESS_DIR: processes, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
  })
  const limit = new AbortController()
  setTimeout(Math.max(0, deadline - Date.now()), undefined, { signal: limit.signal })
    .then(() => {
      console.error(`The tests took longer than ${limitMs / 1000} s and were ended.`)
      return endProcesses()
    })
    .catch((error) => {
      if (error.name !== 'AbortError') throw error // aborted: they were in time
    })
  const [code] = await once(running, 'close')
  limit.abort()
  running = undefined
  return code
}

/** Counts of one vitest JSON report. A file that did not even load, a missing report or an error outside of a test is one failure. */
function countReport(project, report, code) {
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 }
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  )
  for (const { name, message } of unloaded) console.error(`${project}: ${name} failed outside of its tests: ${message}`)
  const failed = numFailedTests + unloaded.length
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped: numPendingTests + numTodoTests }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, async () => {
    interrupted = true
    await clean()
    process.exit(130)
  })
}

const total = { passed: 0, failed: 0, skipped: 0 }
try {
  for (const project of projects) {
    if (interrupted) break
    console.log(`\n== ${project} tests`)
    const report = join(folder, `${project}.json`)
    const code = await runProject(project, report)
    const counts = countReport(project, report, code)
    for (const key of Object.keys(total)) total[key] += counts[key]
  }
} finally {
  await clean()
}

const skipCounts = total.skipped > 0 && !byName
if (skipCounts) console.error(`${total.skipped} tests were skipped, which is not allowed.`)
if (total.passed + total.failed === 0) console.error('No test ran.')
process.exitCode = total.failed > 0 || total.passed === 0 || skipCounts ? 1 : 0
console.log(`${total.passed} passed, ${total.failed} failed`)
