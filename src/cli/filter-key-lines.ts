import { createReadStream } from 'node:fs'
import { WaryError } from '../errors.ts'
import type { CliContext } from './context.ts'
import { fileError } from './failure.ts'
import { LONGEST_LINE_BYTES, lineBatches } from './input-lines.ts'

const CHUNK_BYTES = 256 * 1024

/**
 * The lines of a file of keys or of standard input, as they come, in batches of some thousands; empty ones are among them.
 * @param file `-` or undefined is standard input
 * @throws {WaryError} `file-failed`, `feed-format` for a line that is too long, with its number
 */
export async function* keyLines(file: string | undefined, { stdinChunks }: CliContext): AsyncGenerator<readonly string[]> {
  const fromStdin = file === undefined || file === '-'
  const name = fromStdin ? 'standard input' : file
  let before = 0
  try {
    const chunks = fromStdin ? stdinChunks() : createReadStream(file, { highWaterMark: CHUNK_BYTES })
    for await (const lines of lineBatches(chunks)) {
      yield lines.map((line, i) => (typeof line === 'string' ? line : refuse(name, before + i + 1)))
      before += lines.length
    }
  } catch (error) {
    throw fileError(name, error)
  }
}

function refuse(name: string, line: number): never {
  throw new WaryError('feed-format', `${name}: line ${line} has more than ${LONGEST_LINE_BYTES / 1024 / 1024} MiB`)
}
