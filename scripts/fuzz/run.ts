/**
 * `npm run fuzz -- [TARGET ...] [--seconds N]`: fuzzes each target (all by default) for N seconds (60 by default), guided by which blocks of src/
 * an input reaches. What it finds goes into test/fuzz-corpus/TARGET/, where `npm test` replays it, and the exit code is 1.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { bundle } from './bundle.ts'
import { committedFolder, grownFolder, readInputs, TARGETS, writeInput } from './corpus.ts'
import type { WorkerOrders, WorkerReport } from './worker.ts'

const LONGEST_INPUT = 4096
/** No input of this length may take longer. */
const HANG_MS = 10_000

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: '' } },
  allowPositionals: true,
})
const seconds = Number(values.seconds)
const unknown = positionals.filter((name) => !TARGETS.includes(name))
if (unknown.length > 0 || !(seconds > 0)) {
  console.error(`usage: npm run fuzz -- [${TARGETS.join(' | ')}] [--seconds N] [--seed N]`)
  process.exit(2)
}

/** Ends with the worker's report, or with the input on which it hangs. */
function watched(file: string, orders: WorkerOrders): Promise<WorkerReport | { readonly hangs: Uint8Array }> {
  const worker = new Worker(file, { workerData: orders, execArgv: [] })
  const state = new Int32Array(orders.current, 0, 2)
  return new Promise((resolve, reject) => {
    let former = -1
    let since = Date.now()
    const watch = setInterval(() => {
      const now = Atomics.load(state, 0)
      if (now !== former || now === 0) {
        former = now
        since = Date.now()
      } else if (Date.now() - since > HANG_MS) {
        clearInterval(watch)
        const hangs = new Uint8Array(orders.current).slice(8, 8 + Atomics.load(state, 1))
        worker.terminate().then(() => resolve({ hangs }), reject)
      }
    }, 500)
    worker.once('message', (report: WorkerReport) => {
      clearInterval(watch)
      resolve(report)
    })
    worker.once('error', (error) => {
      clearInterval(watch)
      reject(error)
    })
  })
}

async function fuzzed(target: string, folder: string): Promise<number> {
  const { file, worker, counters, dictionary } = await bundle(target, folder)
  const seeds = [committedFolder(target), grownFolder(target)].flatMap((from) => readInputs(from).map(({ input }) => input))
  const seed = values.seed === '' ? Date.now() % 2 ** 31 : Number(values.seed)
  const current = new SharedArrayBuffer(8 + LONGEST_INPUT)
  const report = await watched(worker, { file, counters, dictionary, seeds, seconds, seed, longest: LONGEST_INPUT, current })
  if ('hangs' in report) {
    console.log(`${target}: an input takes longer than ${HANG_MS / 1000} s: ${writeInput(committedFolder(target), report.hangs, 'hang-')}`)
    return 1
  }
  for (const input of report.corpus) writeInput(grownFolder(target), input)
  const { executions, features, corpus, findings } = report
  const speed = Math.round(executions / seconds)
  console.log(
    `${target}: ${executions} executions in ${seconds} s (${speed}/s), ${corpus.length} inputs, ${features} features of ${counters} blocks, ` +
      `${findings.length} findings (seed ${seed})`,
  )
  for (const { input, text } of findings) console.log(`\n${writeInput(committedFolder(target), input, 'finding-')}\n${text}`)
  return findings.length
}

const folder = mkdtempSync(join(tmpdir(), 'wary-fuzz-'))
let found = 0
try {
  for (const target of positionals.length > 0 ? positionals : TARGETS) found += await fuzzed(target, folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = found > 0 ? 1 : 0
