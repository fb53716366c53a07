import { defineConfig } from 'vite'
import { BUILD_TARGETS } from './scripts/build-settings.ts'
import { extensionConfig } from './scripts/extension-config.ts'

/** `vite build --mode chrome|firefox`, or WARY_TARGET. Settings: WARY_SERVER, WARY_ROOT_KEY, WARY_LISTS, WARY_SEEDS (a file a line); output: WARY_OUT_DIR. */
export default defineConfig(({ mode }) => {
  const name = process.env.WARY_TARGET ?? mode
  const target = BUILD_TARGETS.find((known) => known === name)
  if (!target) throw new Error(`vite build --mode must be one of ${BUILD_TARGETS.join(', ')}, not ${name}`)
  return extensionConfig({
    target,
    outDir: process.env.WARY_OUT_DIR,
    server: process.env.WARY_SERVER,
    rootKey: process.env.WARY_ROOT_KEY,
    lists: process.env.WARY_LISTS,
    seeds: process.env.WARY_SEEDS ? process.env.WARY_SEEDS.split('\n') : [],
  })
})
