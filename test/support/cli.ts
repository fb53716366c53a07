import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
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

const WARY = [process.execPath, '--import', LOADER, MAIN]

/** Starts the real `wary` in a process of its own. */
export function startWary(args: readonly string[], { cwd }: { readonly cwd?: string } = {}) {
  return spawn(process.execPath, [...WARY.slice(1), ...args], cwd === undefined ? {} : { cwd })
}

/** Runs the real `wary` in a process of its own until it ends. */
export function wary(args: readonly string[], options: { readonly cwd?: string; readonly stdin?: string } = {}): Promise<CliRun> {
  return ended(startWary(args, options), options.stdin ?? '')
}

/** As `wary`, by a shell, where `script` is what a person would type: in it `"$@"` is the command. */
export function waryInShell(script: string, args: readonly string[], stdin = ''): Promise<CliRun> {
  return ended(spawn('/bin/sh', ['-c', script, 'sh', ...WARY, ...args]), stdin)
}

function ended(child: ChildProcessWithoutNullStreams, stdin: string): Promise<CliRun> {
  // A program that has ended reads no more; how it ended is what the test looks at.
  child.stdin.on('error', () => undefined)
  child.stdin.end(stdin)
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
  const decoder = new TextDecoder()
  const stdin = context.stdin ?? (async () => new Uint8Array())
  const code = await run(args, {
    version: '1.2.3',
    output,
    clock: { now: () => Date.now() },
    random: fixedRandom(),
    fetch: (url, init) => fetch(url, init),
    stdin,
    stdinChunks: async function* () {
      yield await stdin()
    },
    stdoutBytes: async (bytes) => {
      stdout += decoder.decode(bytes, { stream: true })
    },
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
