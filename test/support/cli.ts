import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { CliContext } from '../../src/cli/context.ts'
import { Output } from '../../src/cli/output.ts'
import { run } from '../../src/cli/program.ts'
import { fixedRandom } from './fakes.ts'

export interface CliRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const LOADER = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/** Starts the real `wary` in a process of its own. */
export function startWary(args: readonly string[], { cwd }: { readonly cwd?: string } = {}) {
  return spawn(process.execPath, ['--import', LOADER, MAIN, ...args], cwd === undefined ? {} : { cwd })
}

/** Runs the real `wary` in a process of its own until it ends. */
export function wary(args: readonly string[], options: { readonly cwd?: string; readonly stdin?: string } = {}): Promise<CliRun> {
  const child = startWary(args, options)
  child.stdin.end(options.stdin ?? '')
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** The commands in this process, with another world around them where `context` says so. */
export async function waryHere(args: readonly string[], context: Partial<CliContext> = {}): Promise<CliRun> {
  let stdout = ''
  let stderr = ''
  const output = new Output({
    stdout: (text) => {
      stdout += text
    },
    stderr: (text) => {
      stderr += text
    },
  })
  const code = await run(args, {
    version: '1.2.3',
    output,
    clock: { now: () => Date.now() },
    random: fixedRandom(),
    fetch: (url, init) => fetch(url, init),
    stdin: async () => new Uint8Array(),
    stopped: async () => undefined,
    ...context,
  })
  return { code, stdout, stderr }
}

/** The one line of JSON that a command printed. */
export function jsonOf({ stdout }: CliRun): Record<string, unknown> {
  if (!/^\{.*\}\n$/.test(stdout)) throw new Error(`not one line of JSON: ${stdout}`)
  return JSON.parse(stdout)
}
