import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One main-frame navigation as the worker met it. Milliseconds since 1970; those of `performance` since the worker began. */
export interface ProbedNavigation {
  readonly url: string
  /** When the browser made the event. */
  readonly event: number
  readonly workerStarted: number
  readonly handler: number
  readonly decision: number
  /** In the worker's fine clock. */
  readonly handlerAt: number
  readonly decisionAt: number
  /** The call that showed the decision. */
  readonly by: string
}

const WORKER = 'service-worker-loader.js'

/**
 * Notes when events come and when the worker acts, by standing before the browser's own functions; the extension's scripts are as they are built. A
 * debugger would keep the worker alive and slow its start, and the extension itself measures nothing.
 */
function probe(report: string, decidesAtOnce: boolean): string {
  return `
const workerStarted = Date.now()
const report = (facts) => void fetch('${report}', { method: 'POST', mode: 'no-cors', keepalive: true, body: JSON.stringify(facts) })
let current
const decided = (by) => {
  if (current === undefined) return
  const facts = { ...current, decision: Date.now(), decisionAt: performance.now(), by }
  current = undefined
  setTimeout(() => report(facts), 20)
}
const before = (object, name, note) => {
  const real = object[name].bind(object)
  object[name] = (...rest) => {
    note(...rest)
    return real(...rest)
  }
}
before(chrome.webNavigation.onBeforeNavigate, 'addListener', () => undefined)
const add = chrome.webNavigation.onBeforeNavigate.addListener
chrome.webNavigation.onBeforeNavigate.addListener = (listener, ...rest) =>
  add((details) => {
    if (details.frameId === 0 && details.url.startsWith('http'))
      current = { url: details.url, event: details.timeStamp, workerStarted, handler: Date.now(), handlerAt: performance.now() }
    ${decidesAtOnce ? "decided('handler')" : 'listener(details)'}
  }, ...rest)
if (chrome.tabs) before(chrome.tabs, 'update', () => decided('tabs.update'))
if (chrome.storage) {
  before(chrome.storage.session, 'set', (items) => {
    if (items.verdicts?.some(([, verdict]) => verdict.url === current?.url)) decided('verdict')
  })
  before(chrome.storage.local, 'set', (items) => {
    if (Object.values(items).some((value) => value?.lastSuccessAt !== undefined)) report({ updated: true })
  })
}
`
}

/** A copy of a built extension with the probe in front of its worker. `report`: where it POSTs to. */
export function probedExtension(built: string, folder: string, report: string): string {
  cpSync(built, folder, { recursive: true })
  writeFileSync(join(folder, 'probe.js'), probe(report, false))
  writeFileSync(join(folder, WORKER), `import './probe.js'\n${readFileSync(join(folder, WORKER), 'utf8')}`)
  return folder
}

/** What an extension costs that does nothing at all: a worker with one listener, and the same probe. */
export function emptyExtension(folder: string, report: string): string {
  mkdirSync(folder, { recursive: true })
  const manifest = {
    manifest_version: 3,
    name: 'Empty',
    version: '1',
    permissions: ['webNavigation'],
    background: { service_worker: WORKER, type: 'module' },
  }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'probe.js'), probe(report, true))
  writeFileSync(join(folder, WORKER), "import './probe.js'\nchrome.webNavigation.onBeforeNavigate.addListener(() => undefined)\n")
  return folder
}
