import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

/**
 * `npm run build [-- --seed FILE ...]`: the extension for both browsers. A seed is a published LIST.hashlist that the build carries, so that the
 * first minute after the installation is protected, also without a network. Settings come from WARY_SERVER, WARY_ROOT_KEY and WARY_LISTS.
 */
const { values } = parseArgs({ options: { seed: { type: 'string', multiple: true } } })
const env = { ...process.env, ...(values.seed ? { WARY_SEEDS: values.seed.join('\n') } : {}) }
for (const mode of ['chrome', 'firefox']) {
  const { status } = spawnSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--mode', mode], { stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}
