/**
 * `npm run bench:cold-start [-- BATCHES]`: what waking the worker costs in Chromium, with no debugger attached and no process of the extension alive, against
 * a worker that does nothing, in the same run: from the browser's event to the verdict, for lists of a million and ten million entries, for a listed page
 * and for one that is not; and from event to verdict with the worker awake. Every browser idles until its worker has been stopped by Chromium itself; a
 * navigation that found it awake is no cold start, and is counted apart. Into docs/measurements/cold-start.json.
 */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause, until } from '../../test/support/until.ts'
import { World } from '../../test/support/world.ts'
import { toHex } from '../../src/bytes.ts'
import { buildExtension } from '../extension-build.ts'
import { browserExecutable } from '../find-browsers.mjs'
import { answerWith, MADE_LIST, madeList } from './made-list.ts'
import { emptyExtension, type ProbedNavigation, probedExtension } from './probed-extension.ts'

const SIZES = [1_000_000, 10_000_000] as const
/** Chrome stops an idle worker after 30 s. */
const ASLEEP_MS = 45_000
const AWAKE_MS = 8000
const WARM_STEPS = 25
/** Between two starts of browsers, so that none is disturbed by another while it is measured. */
const STAGGER_MS = 4000
const ANSWER_HEADERS = { 'content-type': 'application/x-protobuf', 'access-control-allow-origin': '*' }
const OUT = 'docs/measurements/cold-start.json'

type Kind = 'empty' | 'listed' | 'safe' | 'warm'
interface Plan {
  readonly kind: Kind
  readonly entries: number
  readonly round: string
}

const batches = Number(process.argv[2] ?? 3)
const world = await World.start('chromium')
const folder = mkdtempSync(join(tmpdir(), 'wary-cold-'))
const reports: (Partial<ProbedNavigation> & { readonly updated?: boolean })[] = []
world.sites.route('127.0.0.1', '/report', ({ body }) => {
  reports.push(JSON.parse(body))
  return { status: 204 }
})
const reportUrl = world.sites.url('127.0.0.1', '/report')
const running = new Set<number>()

function start(extension: string, profile: string): { readonly pid: number; ended: Promise<void> } {
  const browser = spawn(
    browserExecutable('chromium'),
    [
      '--headless=new',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-features=DisableLoadExtensionCommandLineSwitch,HttpsUpgrades',
      `--user-data-dir=${profile}`,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--load-extension=${extension}`,
      '--host-resolver-rules=MAP *.test 127.0.0.1',
      '--remote-debugging-port=0',
    ],
    { stdio: 'ignore', detached: true },
  )
  const { pid } = browser
  if (pid === undefined) throw new Error('Chromium did not start')
  running.add(pid)
  const ended = new Promise<void>((resolve) => browser.once('exit', () => resolve()))
  return { pid, ended: ended.then(() => void running.delete(pid)) }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  if (running.has(pid)) process.kill(-pid, signal)
}

/** A profile whose extension holds a list of `count` entries; a browser has fetched it. */
async function preparedProfile(count: number, hosts: readonly string[], extension: string): Promise<string> {
  const profile = join(folder, `profile-${count}`)
  const body = count === 0 ? undefined : answerWith(madeList(count, hosts), world.key, 1)
  world.fault = ({ url }) =>
    body !== undefined && new URL(url).pathname.endsWith(':batchGet') ? new Response(body, { headers: ANSWER_HEADERS }) : undefined
  reports.length = 0
  const browser = start(extension, profile)
  if (count > 0) await until(`a list of ${count}`, () => reports.some(({ updated }) => updated), 100_000)
  await pause(3000)
  process.kill(browser.pid, 'SIGTERM')
  await browser.ended
  for (const name of ['SingletonLock', 'SingletonCookie', 'SingletonSocket', 'DevToolsActivePort'])
    rmSync(join(profile, name), { force: true })
  process.stderr.write(`profile with ${count} entries\n`)
  return profile
}

async function measure(
  { kind, entries, round }: Plan,
  extension: string,
  prepared: string | undefined,
): Promise<readonly ProbedNavigation[]> {
  const warm = kind === 'warm'
  const targets = Array.from({ length: warm ? WARM_STEPS : 1 }, (_, i) => world.sites.url(hostOf(kind, round, i)))
  const pageOf = (waitMs: number, target: string): string =>
    `<!doctype html><link rel="icon" href="data:,"><title>page</title><script>setTimeout(() => { location.href = '${target}' }, ${waitMs})</script>`
  world.sites.route('start.test', `/${round}`, pageOf(warm ? AWAKE_MS : ASLEEP_MS, targets[0] ?? ''))
  for (const [i, target] of targets.entries())
    world.sites.route(new URL(target).hostname, '/', pageOf(250, targets[i + 1] ?? 'about:blank'), { latencyMs: 20 })
  const profile = join(folder, round)
  if (prepared !== undefined) cpSync(prepared, profile, { recursive: true })
  const browser = start(extension, profile)
  try {
    await open(profile, world.sites.url('start.test', `/${round}`))
    const met = () =>
      reports.filter((report): report is ProbedNavigation => targets.includes(report.url ?? '') && report.decision !== undefined)
    await until(`${kind} ${entries} ${round}`, () => met().length >= targets.length, ASLEEP_MS + 60_000).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
    })
    return met()
  } finally {
    kill(browser.pid, 'SIGKILL')
    await browser.ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

/** Chromium, started without a driver, often opens no page at all: its own port opens one, and attaches to nothing by that. */
async function open(profile: string, page: string): Promise<void> {
  const portFile = join(profile, 'DevToolsActivePort')
  const port = await until('the port', () => existsSync(portFile) && readFileSync(portFile, 'utf8').split('\n')[0], 20_000)
  await until(
    'the page',
    async () => (await fetch(`http://127.0.0.1:${port}/json/new?${page}`, { method: 'PUT' }).catch(() => undefined))?.ok,
    20_000,
  )
}

function hostOf(kind: Kind, round: string, step: number): string {
  return kind === 'listed' ? `listed-${round}.test` : `www${step}.good-${round}.test`
}

/** Of an even number of values, the middle between the two in the middle. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}
const rounded = (value: number): number => Math.round(value * 1000) / 1000

try {
  const built = await buildExtension({
    target: 'chrome',
    outDir: join(folder, 'dist'),
    server: world.serverUrl,
    rootKey: toHex(world.key.publicKey),
    lists: MADE_LIST,
  })
  mkdirSync(join(folder, 'probed'))
  const probed = probedExtension(built, join(folder, 'probed', 'wary'), reportUrl)
  const empty = emptyExtension(join(folder, 'probed', 'empty'), reportUrl)
  const plans: Plan[] = Array.from({ length: batches }, (_, batch): Plan[] => {
    const kinds: readonly [Kind, number][] = [
      ['empty', 0],
      ...SIZES.flatMap((entries): [Kind, number][] => [
        ['listed', entries],
        ['safe', entries],
      ]),
      ['empty', 0],
      ...SIZES.flatMap((entries): [Kind, number][] => [
        ['safe', entries],
        ['listed', entries],
      ]),
    ]
    return kinds.map(([kind, entries], i) => ({ kind, entries, round: `r${batch}x${i}` }))
  }).flat()
  const warm = SIZES.map((entries, i): Plan => ({ kind: 'warm', entries, round: `w${i}` }))
  const hosts = plans.filter(({ kind }) => kind === 'listed').map(({ kind, round }) => hostOf(kind, round, 0))
  const profiles = new Map<number, string>()
  // The empty worker's profile has been used before, too.
  for (const entries of [0, ...SIZES]) profiles.set(entries, await preparedProfile(entries, hosts, entries === 0 ? empty : probed))

  const outcomes: { readonly plan: Plan; readonly navigations: readonly ProbedNavigation[] }[] = []
  const measured = async (plan: Plan): Promise<void> => {
    const navigations = await measure(plan, plan.kind === 'empty' ? empty : probed, profiles.get(plan.entries))
    outcomes.push({ plan, navigations })
    for (const { event, handler, decision, workerStarted, by } of navigations.slice(0, 1))
      process.stderr.write(
        `${plan.kind} ${plan.entries}: worker ${Math.round(workerStarted - event)} ms, handler ${Math.round(handler - event)} ms, decision ${Math.round(decision - event)} ms by ${by}${workerStarted < event ? ', AWAKE' : ''}\n`,
      )
  }
  for (const plan of warm) await measured(plan)
  // Some at a time: each copies its profile while others sleep, and they leave one after the other.
  const perBatch = plans.length / batches
  for (let batch = 0; batch < batches; batch++) {
    const browsers: Promise<void>[] = []
    for (const plan of plans.slice(batch * perBatch, (batch + 1) * perBatch)) {
      browsers.push(measured(plan))
      await pause(STAGGER_MS)
    }
    await Promise.all(browsers)
  }

  const cold = (kind: Kind, entries: number): readonly ProbedNavigation[] =>
    outcomes
      .filter(({ plan }) => plan.kind === kind && plan.entries === entries)
      .flatMap(({ navigations }) => navigations.filter(({ workerStarted, event }) => workerStarted >= event))
  const floor = cold('empty', 0).map(({ handler, event }) => handler - event)
  const row = (kind: Kind, entries: number): object => {
    const navigations = cold(kind, entries)
    const toHandler = navigations.map(({ handler, event }) => Math.round(handler - event))
    const toVerdict = navigations.map(({ decision, event }) => Math.round(decision - event))
    return {
      page: kind,
      entries,
      eventToHandlerMs: toHandler,
      eventToVerdictMs: toVerdict,
      eventToWorkerMs: navigations.map(({ workerStarted, event }) => Math.round(workerStarted - event)),
      medianHandlerMs: median(toHandler),
      medianVerdictMs: median(toVerdict),
      ratioToEmptyHandler: rounded(median(toVerdict) / median(floor)),
    }
  }
  const warmRow = (entries: number): object => {
    const navigations = outcomes.filter(({ plan }) => plan.kind === 'warm' && plan.entries === entries).flatMap((each) => each.navigations)
    return {
      entries,
      navigations: navigations.length,
      handlerToVerdictMedianMs: rounded(median(navigations.map(({ handlerAt, decisionAt }) => decisionAt - handlerAt))),
      eventToHandlerMedianMs: rounded(median(navigations.map(({ handler, event }) => handler - event))),
      eventToVerdictMedianMs: rounded(median(navigations.map(({ decision, event }) => decision - event))),
    }
  }
  const facts = {
    date: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    browser: execFileSync(browserExecutable('chromium'), ['--version'], { encoding: 'utf8' }).trim(),
    emptyWorker: { eventToHandlerMs: floor.map(Math.round), medianMs: Math.round(median(floor)) },
    cold: SIZES.flatMap((entries) => [row('listed', entries), row('safe', entries)]),
    metAwake: outcomes.filter(
      ({ plan, navigations }) => plan.kind !== 'warm' && navigations.some(({ workerStarted, event }) => workerStarted < event),
    ).length,
    noReport: outcomes.filter(({ navigations }) => navigations.length === 0).length,
    warm: SIZES.map(warmRow),
  }
  writeFileSync(OUT, `${JSON.stringify(facts, null, 2)}\n`)
  process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`)
} finally {
  for (const pid of running) kill(pid, 'SIGKILL')
  await world.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
