import { spawnSync } from 'node:child_process'
import type { Bench } from '../../scripts/bench/bench.ts'
import { generatedUrls } from '../support/generated-urls.ts'

/** Two-level hosts, so that the loop's simple splitting makes the same expressions as the Public Suffix List. */
const urls = generatedUrls(200_000)
const input = `${urls.join('\n')}\n`

/** As whole processes, the start of Node and of the TypeScript loader in both. */
export default function measure(bench: Bench): void {
  const run = (args: readonly string[]) => () => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', ...args], { input, stdio: ['pipe', 'ignore', 'pipe'] })
    if (status !== 0) throw new Error(stderr.toString('utf8'))
  }
  const figures = bench.compare(
    [
      { name: 'wary expressions', run: run(['src/cli/main.ts', 'expressions']) },
      { name: 'a loop: lines, new URL, the same hashes by @noble/hashes', run: run(['test/cli/plain-loop.mjs']) },
    ],
    { things: urls.length, rounds: 5 },
  )
  bench.time('wary expressions, a URL', figures, 'wary expressions', 'a loop: lines, new URL, the same hashes by @noble/hashes', {
    most: 1.5,
  })
}
