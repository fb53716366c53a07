import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { asWaryError, WaryError } from '../errors.ts'
import { fileFault } from './file-fault.ts'

/** Locks of this very process: a container gives the next run the same process id. */
const mine = new Set<string>()

/**
 * Runs `work` while no other publish runs in `folder`; the lock is the file `.publish-lock` there, which holds the id of its process. A
 * lock whose process is gone is taken over. Process ids mean something on one computer only: a folder that several share needs
 * a lock of its own.
 *
 * @throws {WaryError} `publish-locked` when another publish runs, `publish-failed` when the lock cannot be written
 */
export async function withPublishLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const path = join(resolve(folder), '.publish-lock')
  try {
    mkdirSync(folder, { recursive: true })
    take(path)
  } catch (error) {
    if (error instanceof WaryError) throw error
    throw new WaryError('publish-failed', `${path} cannot be written: ${asWaryError(error).message}`, { cause: error })
  }
  mine.add(path)
  try {
    return await work()
  } finally {
    mine.delete(path)
    rmSync(path, { force: true })
  }
}

function take(path: string): void {
  // Linked into its place with its content: a lock without a process id in it is never seen.
  const own = `${path}-${process.pid}`
  writeFileSync(own, `${process.pid}\n`)
  try {
    if (linked(own, path)) return
    const holder = holderOf(path)
    if (holder !== undefined && isAlive(holder, path)) throw locked(path, holder)
    removeStale(path, holder)
    if (!linked(own, path)) throw locked(path, holderOf(path))
  } finally {
    rmSync(own, { force: true })
  }
}

function linked(own: string, path: string): boolean {
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if (fileFault(error) === 'EEXIST') return false
    throw error
  }
}

/** Process id in the lock; undefined where there is none. */
function holderOf(path: string): number | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    // Not 0, which means this process's own group to the system.
    return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
  } catch (error) {
    if (fileFault(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Two may find the same stale lock: whoever moves away the other's new one puts it back. */
function removeStale(path: string, holder: number | undefined): void {
  const aside = `${path}-stale-${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (fileFault(error) === 'ENOENT') return
    throw error
  }
  const moved = holderOf(aside)
  if (moved !== holder) linked(aside, path)
  rmSync(aside, { force: true })
}

function locked(path: string, holder: number | undefined): WaryError {
  const by = holder === undefined ? '' : ` (process ${holder})`
  return new WaryError('publish-locked', `another publish runs in this folder${by}: wait for it; if there is none, remove ${path}`)
}

function isAlive(pid: number, path: string): boolean {
  if (pid === process.pid) return mine.has(path)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: somebody else's process, and alive.
    return fileFault(error) === 'EPERM'
  }
}
