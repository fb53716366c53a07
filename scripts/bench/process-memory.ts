import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Processes that this one started, by whatever steps, and that run an extension in either browser. */
export function extensionProcesses(): readonly number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = /^PPid:\s+(\d+)$/m.exec(read(`/proc/${name}/status`))?.[1]
    if (parent !== undefined) parents.set(Number(name), Number(parent))
  }
  const ours = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) if (at === process.pid) return true
    return false
  }
  const runsExtension = (pid: number): boolean =>
    read(`/proc/${pid}/cmdline`).includes('--extension-process') || read(`/proc/${pid}/comm`).trim() === 'WebExtensions'
  return [...parents.keys()].filter((pid) => runsExtension(pid) && ours(pid))
}

/** Bytes that a process has in memory now, and has had at most since `forgetPeak`. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = read(`/proc/${pid}/status`)
  const bytes = (field: string): number => 1024 * Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0)
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') }
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Empty where the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return ''
    throw error
  }
}
