import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { WaryError } from '../errors.ts'

/** Runs `work` while no other publish runs in `folder`. A lock of a process that is gone is taken over. */
export async function withPublishLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, '.publish-lock')
  take(path)
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

function take(path: string, again = true): void {
  try {
    const file = openSync(path, 'wx')
    writeSync(file, String(process.pid))
    closeSync(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      throw new WaryError('publish-failed', `cannot write ${path}: ${String(error)}`, { cause: error })
    }
    const holder = Number(readFileSync(path, 'utf8'))
    if (!again || isAlive(holder))
      throw new WaryError('publish-failed', `another publish runs (process ${holder}): wait for it, or remove ${path}`)
    rmSync(path, { force: true })
    take(path, false)
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
