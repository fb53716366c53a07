import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildSettings } from './build-settings.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Builds the extension for one browser into `outDir`/`target` and answers that folder; rejects with what the build printed. It runs in a process of its
 * own, as `npm run build` does, so that a test runner's environment does not leak into the build.
 */
export async function buildExtension(settings: BuildSettings & { readonly outDir: string }): Promise<string> {
  const outDir = resolve(settings.outDir)
  const vite = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--mode', settings.target, '--logLevel', 'warn'],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        WARY_TARGET: settings.target,
        WARY_OUT_DIR: outDir,
        WARY_SERVER: settings.server ?? '',
        WARY_ROOT_KEY: settings.rootKey ?? '',
        WARY_LISTS: settings.lists ?? '',
        WARY_SEEDS: (settings.seeds ?? []).join('\n'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk.toString('utf8')
  }
  vite.stdout.on('data', keep)
  vite.stderr.on('data', keep)
  const code = await new Promise<number | null>((done, fail) => {
    vite.once('error', fail)
    vite.once('close', done)
  })
  if (code !== 0) throw new Error(`The build for ${settings.target} failed:\n${output}`)
  return join(outDir, settings.target)
}
