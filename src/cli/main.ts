import { readFileSync } from 'node:fs'
import { Output } from './output.ts'
import { run } from './program.ts'

/** `wary COMMAND`: the process around the commands. */
function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown'
}

async function stdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

// A reader that has seen enough (`wary ... | head`) is no failure of ours.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
  throw error
})

process.exitCode = await run(process.argv.slice(2), {
  version: packageVersion(),
  output: new Output({ stdout: (text) => process.stdout.write(text), stderr: (text) => process.stderr.write(text) }),
  clock: { now: () => Date.now() },
  random: { next: () => Math.random() },
  fetch: (url, init) => fetch(url, init),
  stdin,
  stopped: () =>
    new Promise((resolve) => {
      // A second signal ends the process at once.
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    }),
})
