/** `npm start [-- --firefox] [-- --tour] [-- --json]`: makes the clone ready, then runs scripts/start.ts. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bootstrap } from './bootstrap.mjs'

const args = process.argv.slice(2)
await bootstrap({ browsers: args.includes('--help') ? [] : [args.includes('--firefox') ? 'firefox' : 'chromium'] })

const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('start.ts', import.meta.url)), ...args], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
})
process.on('SIGINT', () => {
  // A terminal sends Ctrl-C to the child as well, which ends what it started; this process only waits for it.
})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.once('close', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
})
