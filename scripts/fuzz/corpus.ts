import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Targets by name: scripts/fuzz/targets/NAME.ts. */
export const TARGETS: readonly string[] = readdirSync(new URL('targets', import.meta.url))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
  .sort()

/** Inputs that are committed: a few small seeds, and everything that ever failed. `npm test` replays them all. */
export function committedFolder(target: string): string {
  return join(root, 'test/fuzz-corpus', target)
}

/** What runs on this machine have found worth keeping; the next run goes on from it. */
export function grownFolder(target: string): string {
  return join(root, 'node_modules/.cache/wary-fuzz', target)
}

export function readInputs(folder: string): { readonly name: string; readonly input: Uint8Array }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, input: new Uint8Array(readFileSync(join(folder, name))) }))
}

/** Writes `input` under a name made of its content; the file's path. */
export function writeInput(folder: string, input: Uint8Array, prefix = ''): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${prefix}${createHash('sha256').update(input).digest('hex').slice(0, 12)}`)
  writeFileSync(file, input)
  return file
}
