import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const temporary = new Set<string>()
// A program that ends before it could close its browser (a signal while the browser starts) leaves no folder either.
process.once('exit', () => {
  for (const dir of temporary) rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
})

/** A browser's profile folder: a given one is kept, a temporary one is removed at the end. */
export class Profile {
  readonly dir: string
  readonly #temporary: boolean

  constructor(dir: string | undefined) {
    this.#temporary = dir === undefined
    this.dir = dir ?? mkdtempSync(join(tmpdir(), 'wary-profile-'))
    mkdirSync(this.dir, { recursive: true })
    if (this.#temporary) temporary.add(this.dir)
  }

  remove(): void {
    if (!this.#temporary) return
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    temporary.delete(this.dir)
  }
}

/**
 * Notes a browser's process for scripts/test.mjs, which ends what is left when a test run was killed from outside (the folder is in
 * WARY_PROCESS_DIR). The browser leads its own process group.
 */
export function noteProcess(pid: number | undefined): void {
  const path = notePath(pid)
  if (path !== undefined) writeFileSync(path, '')
}

/** For a browser that has ended: its number may soon be another process. */
export function forgetProcess(pid: number | undefined): void {
  const path = notePath(pid)
  if (path !== undefined) rmSync(path, { force: true })
}

function notePath(pid: number | undefined): string | undefined {
  const dir = process.env.WARY_PROCESS_DIR
  return dir === undefined || pid === undefined ? undefined : join(dir, String(pid))
}

/** Ends the process group of a browser that did not end by itself. */
export function endProcess(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch (error) {
    // ESRCH: it is gone, which is what was wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
