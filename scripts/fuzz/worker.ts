import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { Engine, type FuzzTarget } from './engine.ts'
import { COUNTERS } from './instrument.ts'

/** What the main thread gives. */
export interface WorkerOrders {
  readonly file: string
  readonly counters: number
  readonly dictionary: readonly Uint8Array[]
  readonly seeds: readonly Uint8Array[]
  readonly seconds: number
  readonly seed: number
  readonly longest: number
  /** [executions, length of the input], then the input: what runs now, also when it never ends. */
  readonly current: SharedArrayBuffer
}

/** What it gets back. */
export interface WorkerReport {
  readonly executions: number
  readonly features: number
  readonly corpus: readonly Uint8Array[]
  readonly findings: readonly { readonly input: Uint8Array; readonly text: string }[]
}

const orders = workerData as WorkerOrders
const counters = new Uint32Array(orders.counters)
Object.assign(globalThis, { [COUNTERS]: counters })
const { fuzz } = (await import(pathToFileURL(orders.file).href)) as { readonly fuzz: FuzzTarget }

const state = new Int32Array(orders.current, 0, 2)
const held = new Uint8Array(orders.current, 8)
const engine = new Engine({
  ...orders,
  fuzz,
  counters,
  onInput: (input) => {
    held.set(input.subarray(0, held.length))
    state[1] = input.length
    Atomics.add(state, 0, 1)
  },
})
const end = performance.now() + orders.seconds * 1000
for (const seed of orders.seeds) engine.add(seed)
while (performance.now() < end) for (let i = 0; i < 64; i++) engine.step()
const report: WorkerReport = {
  executions: engine.executions,
  features: engine.features,
  corpus: engine.corpus,
  findings: [...engine.findings.values()].map(({ input, error }) => ({
    input,
    text: error instanceof Error ? (error.stack ?? error.message) : String(error),
  })),
}
parentPort?.postMessage(report)
