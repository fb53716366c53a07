import { realFileSystem } from '../publisher/file-system.ts'
import { fileError } from './failure.ts'

/** Under another name first, so that a reader never sees half a file. @throws {WaryError} `file-failed` */
export function writeOutput(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.new`
  try {
    realFileSystem.write(temporary, bytes)
    realFileSystem.rename(temporary, path)
  } catch (error) {
    realFileSystem.remove(temporary)
    throw fileError(path, error)
  }
}
