import { readFileSync } from 'node:fs'
import { concatBytes } from '../bytes.ts'
import { failureLine, fileError } from './failure.ts'
import { Output } from './output.ts'
import { run } from './program.ts'

/** `wary COMMAND`: the process around the commands. */
function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown'
}

async function* stdinChunks(): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of process.stdin) yield Buffer.from(chunk)
  } catch (error) {
    throw fileError('standard input', error)
  }
}

async function stdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stdinChunks()) chunks.push(chunk)
  return concatBytes(chunks)
}

/** A failed write is also an `error` event, and ends the process below. */
function stdoutBytes(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(bytes, (error) => {
      if (!error) resolve()
    })
  })
}

// A reader that has seen enough (`wary ... | head`) is no failure of ours.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
  process.stderr.write(`${failureLine(fileError('standard output', error))}\n`)
  process.exit(1)
})

process.exitCode = await run(process.argv.slice(2), {
  version: packageVersion(),
  output: new Output({ stdout: (text) => process.stdout.write(text), stderr: (text) => process.stderr.write(text) }),
  clock: { now: () => Date.now() },
  random: { next: () => Math.random() },
  fetch: (url, init) => fetch(url, init),
  stdin,
  stdinChunks,
  stdoutBytes,
  stopped: () =>
    new Promise((resolve) => {
      // A second signal ends the process at once.
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    }),
})
