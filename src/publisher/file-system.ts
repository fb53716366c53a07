import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/** What a publish changes on the disk, step by step, so that a test can let each step fail. */
export interface FileSystem {
  /** With everything above it; may be there already. */
  makeFolder(path: string): void
  /** Writes a whole file and waits until the disk has it. */
  write(path: string, bytes: Uint8Array): void
  rename(from: string, to: string): void
  /** Waits until the disk has the names in a folder: a rename alone may not survive a power cut. */
  syncFolder(path: string): void
  /** A file, or a folder with everything in it; may be absent. */
  remove(path: string): void
}

export const realFileSystem: FileSystem = {
  makeFolder: (path) => {
    mkdirSync(path, { recursive: true })
  },
  write: (path, bytes) => {
    const file = openSync(path, 'w')
    try {
      let at = 0
      while (at < bytes.length) at += writeSync(file, bytes, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  },
  rename: renameSync,
  syncFolder: (path) => {
    // Windows cannot open folders, and orders such changes by itself.
    if (process.platform === 'win32') return
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  },
  remove: (path) => {
    if (existsSync(path)) rmSync(path, { recursive: true, force: true })
  },
}
