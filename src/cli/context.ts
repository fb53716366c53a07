import type { Clock, Fetch, Random } from '../ports.ts'
import type { Output } from './output.ts'

/** What a command needs from the process that it runs in; main.ts has the real ones. */
export interface CliContext {
  /** Of Wary. */
  readonly version: string
  readonly output: Output
  readonly clock: Clock
  readonly random: Random
  readonly fetch: Fetch
  /** Everything on standard input. */
  stdin(): Promise<Uint8Array>
  /** Standard input as it comes. */
  stdinChunks(): AsyncIterable<Uint8Array>
  /**
   * Hands bytes to standard output as they are: text from outside must have gone through OutputLines. Resolves when they are written, so
   * that whoever waits is never ahead of who reads.
   */
  stdoutBytes(bytes: Uint8Array): Promise<void>
  /** Resolves when somebody ends the program (Ctrl-C, SIGTERM). Until it is asked for, that ends the process at once. */
  stopped(): Promise<void>
}

/** Sets the exit code of a command that has run and whose answer is not simply "done". */
export type Finish = (exitCode: ExitCode) => void

/** 0 safe or done, 1 threat or failed, 2 usage. */
export type ExitCode = 0 | 1 | 2
