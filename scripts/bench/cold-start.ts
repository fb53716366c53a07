/**
 * `npm run bench:cold-start [-- ROUNDS]`: what waking the worker costs in Chromium, with no debugger attached (one would keep the worker
 * alive and make its start slower). The witness is the verification server: from the moment at which a page sets out for a listed one to
 * the arrival of the question, worker awake and worker asleep in turn, each in a browser of its own.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause, until } from '../../test/support/until.ts'
import { World } from '../../test/support/world.ts'
import { browserExecutable } from '../find-browsers.mjs'

/** Chrome stops an idle worker after 30 s. */
const ASLEEP_MS = 45_000
const AWAKE_MS = 12_000

/** Chromium, started without a driver, sometimes opens no page at all: such a start measures nothing and is made again. */
async function measure(world: World, round: string, waitMs: number): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const ms = await attemptMeasure(world, round, waitMs)
    if (ms !== undefined) return ms
    if (attempt === 3) throw new Error('Chromium opened no page in three starts')
    process.stderr.write(`${round}: Chromium opened no page, once more\n`)
  }
}

async function attemptMeasure(world: World, round: string, waitMs: number): Promise<number | undefined> {
  const host = `${round}.test`
  const setOut = `/set-out-${round}`
  const leave = `setTimeout(async () => { await fetch('${setOut}'); location.href = '${world.sites.url(host)}' }, ${waitMs})`
  world.sites.route('start.test', `/${round}`, `<!doctype html><title>start</title><script>${leave}</script>`)
  world.sites.route('start.test', setOut, '')
  world.sites.route(host, '/', 'listed', { latencyMs: 100 })
  const profile = mkdtempSync(join(tmpdir(), 'wary-cold-'))
  const browser = spawn(
    browserExecutable('chromium'),
    [
      '--headless=new',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-features=DisableLoadExtensionCommandLineSwitch,HttpsUpgrades',
      `--user-data-dir=${profile}`,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--load-extension=${world.extensionDir}`,
      '--host-resolver-rules=MAP *.test 127.0.0.1',
      world.sites.url('start.test', `/${round}`),
    ],
    { stdio: 'ignore', detached: true },
  )
  try {
    const opened = () => world.sites.log.some(({ host, path }) => host === 'start.test' && path === `/${round}`)
    if (!(await until('the first page', opened, 8000).catch(() => false))) return undefined
    world.requests.length = 0
    const question = await until('the question', () => world.requests.find(({ path }) => path.startsWith('/v5/hashes')), waitMs + 30_000)
    const left = world.sites.log.find(({ path }) => path === setOut)
    if (left === undefined) throw new Error('the page never set out')
    return question.at - left.at
  } finally {
    if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL')
    await pause(300)
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

const rounds = Number(process.argv[2] ?? 5)
const world = await World.start('chromium')
const names = Array.from({ length: rounds }, (_, i) => [`awake${i}`, `asleep${i}`]).flat()
try {
  await world.publish(names.map((name) => `${name}.test`))
  const awake: number[] = []
  const asleep: number[] = []
  for (let i = 0; i < rounds; i++) {
    awake.push(await measure(world, `awake${i}`, AWAKE_MS))
    asleep.push(await measure(world, `asleep${i}`, ASLEEP_MS))
    process.stderr.write(`round ${i + 1}: awake ${awake[i]} ms, asleep ${asleep[i]} ms\n`)
  }
  const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
  const facts = {
    entries: 20_000 + names.length,
    awakeMs: awake,
    asleepMs: asleep,
    awakeMedianMs: median(awake),
    asleepMedianMs: median(asleep),
    ratio: median(asleep) / median(awake),
  }
  process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`)
} finally {
  await world.stop()
}
