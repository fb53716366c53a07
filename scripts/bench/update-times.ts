/**
 * `npm run bench:update [-- ENTRIES ...]`: what an update costs in both browsers, against a real server: from its answer to the new filter in force, for
 * a whole list and for a delta of 1 % out and 1 % in; the longest time that the worker's thread was held; the most memory that the extension's process
 * took over what it had before its first list. Into docs/measurements/update-times.json.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserName } from '../../test/support/browsers/browser-under-test.ts'
import { launchBrowser } from '../../test/support/browsers/launch.ts'
import { pause, until } from '../../test/support/until.ts'
import { World } from '../../test/support/world.ts'
import { toHex } from '../../src/bytes.ts'
import { buildExtension } from '../extension-build.ts'
import { answerWith, changedList, MADE_LIST, madeList } from './made-list.ts'
import { extensionProcesses, forgetPeak, memoryOf } from './process-memory.ts'

const OUT = 'docs/measurements/update-times.json'
const ANSWER_HEADERS = { 'content-type': 'application/x-protobuf', 'access-control-allow-origin': '*' }
const WORKER = 'service-worker-loader.js'
const TICK_MS = 5

interface Report {
  readonly started?: boolean
  /** Milliseconds since 1970. */
  readonly updatedAt?: number
  readonly longestBlockMs?: number
}

/** Notes when an update has succeeded, and for how long timers of the worker had to wait at most. */
function probe(report: string): string {
  return `
const api = globalThis.browser ?? chrome
const report = (facts) => void fetch('${report}', { method: 'POST', mode: 'no-cors', body: JSON.stringify(facts) })
let last = performance.now()
let longest = 0
setInterval(() => {
  const now = performance.now()
  longest = Math.max(longest, now - last - ${TICK_MS})
  last = now
}, ${TICK_MS})
let asked = false
api.storage.onChanged.addListener((changes) => {
  for (const { newValue, oldValue } of Object.values(changes)) {
    if (newValue?.lastSuccessAt === undefined || newValue.lastSuccessAt === oldValue?.lastSuccessAt) continue
    const updatedAt = Date.now()
    setTimeout(() => {
      report({ updatedAt, longestBlockMs: longest })
      longest = 0
      // No page of the extension is opened for it: pages share its process, and in Firefox the thread.
      if (!asked) setTimeout(() => api.alarms.create('update', { when: Date.now() + 1 }), 5000)
      asked = true
    }, 200)
  }
})
setTimeout(() => {
  report({ started: true })
  longest = 0
}, 1500)
`
}

interface Row {
  readonly browser: BrowserName
  readonly entries: number
  readonly update: 'whole' | 'delta'
  readonly bodyBytes: number
  readonly answerToForceMs: number
  readonly longestBlockMs: number
  readonly peakOverListMultiples: number
  readonly peakMB: number
}

const sizes = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'wary-update-'))
const rows: Row[] = []

async function measure(name: BrowserName, entries: number): Promise<void> {
  const world = await World.start(name)
  const reports: Report[] = []
  world.sites.route('127.0.0.1', '/report', ({ body }) => {
    reports.push(JSON.parse(body))
    return { status: 204 }
  })
  const built = await buildExtension({
    target: name === 'chromium' ? 'chrome' : 'firefox',
    outDir: join(folder, `${name}-${entries}`),
    server: world.serverUrl,
    rootKey: toHex(world.key.publicKey),
    lists: MADE_LIST,
  })
  const probed = `${built}-probed`
  cpSync(built, probed, { recursive: true })
  writeFileSync(join(probed, 'probe.js'), probe(world.sites.url('127.0.0.1', '/report')))
  writeFileSync(join(probed, WORKER), `import './probe.js'\n${readFileSync(join(probed, WORKER), 'utf8')}`)

  const first = madeList(entries, ['listed.test'])
  const second = changedList(first, 2)
  const whole = answerWith(first, world.key, 1, undefined, 0)
  const delta = answerWith(second, world.key, 2, first)
  let open: (value?: unknown) => void = () => undefined
  const opened = new Promise((resolve) => {
    open = resolve
  })
  let answeredAt = 0
  world.fault = async ({ url }) => {
    if (!new URL(url).pathname.endsWith(':batchGet')) return undefined
    await opened
    answeredAt = Date.now()
    return new Response(new URL(url).searchParams.has('version') ? delta : whole, { headers: ANSWER_HEADERS })
  }
  const browser = await launchBrowser(name, { extensionDir: probed })
  try {
    await until('the worker', () => reports.some(({ started }) => started), 30_000)
    const [pid] = extensionProcesses()
    if (pid === undefined) throw new Error('no process of the extension')
    const before = memoryOf(pid).now
    const take = async (update: Row['update'], bodyBytes: number, begin: () => void): Promise<void> => {
      reports.length = 0
      forgetPeak(pid)
      begin()
      const { updatedAt = 0, longestBlockMs = 0 } = await until(
        `${name} ${entries} ${update}`,
        () => reports.find((report) => report.updatedAt !== undefined),
        120_000,
      )
      const over = memoryOf(pid).peak - before
      const row: Row = {
        browser: name,
        entries,
        update,
        bodyBytes,
        answerToForceMs: updatedAt - answeredAt,
        longestBlockMs: Math.round(longestBlockMs),
        peakMB: Math.round(over / 1e6),
        peakOverListMultiples: Math.round((10 * over) / (8 * entries)) / 10,
      }
      rows.push(row)
      process.stderr.write(`${JSON.stringify(row)}\n`)
    }
    await take('whole', whole.length, () => open())
    await pause(3000)
    await take('delta', delta.length, () => undefined)
  } finally {
    await browser.close()
    await world.stop()
  }
}

try {
  for (const entries of sizes.length > 0 ? sizes : [141_000, 1_000_000, 5_000_000])
    for (const name of ['chromium', 'firefox'] as const) await measure(name, entries)
  const facts = {
    date: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    rows,
  }
  writeFileSync(OUT, `${JSON.stringify(facts, null, 2)}\n`)
  process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
