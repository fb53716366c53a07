import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { findImports } from './import-check.ts'

const WORKER = 'service-worker-loader.js'

/**
 * Makes the worker one file. The build for the pages shares modules with it in files of their own, so that a starting worker would fetch three
 * files one after the other before anything of it runs; pages start seldom, the worker on every second click.
 */
export function singleWorker({ outDir, target }: { readonly outDir: string; readonly target: string }): Plugin {
  return {
    name: 'wary:single-worker',
    apply: 'build',
    enforce: 'post',
    async closeBundle() {
      const worker = join(outDir, WORKER)
      const made = join(outDir, '.worker')
      const own = findImports(WORKER, readFileSync(worker, 'utf8')).map(({ specifier }) => specifier)
      await build({
        configFile: false,
        root: outDir,
        publicDir: false,
        logLevel: 'warn',
        build: {
          outDir: made,
          emptyOutDir: true,
          target,
          modulePreload: false,
          reportCompressedSize: false,
          rolldownOptions: { input: worker, output: { format: 'es', entryFileNames: WORKER, codeSplitting: false } },
        },
      })
      renameSync(join(made, WORKER), worker)
      rmSync(made, { recursive: true })
      // The worker's own part: what it shares with pages, they go on loading.
      for (const specifier of own) rmSync(join(outDir, specifier))
    },
  }
}
