import { asWaryError, type ErrorCode, WaryError } from '../errors.ts'

/** What a person can do, where the message itself cannot know it. */
const NEXT: Readonly<Partial<Record<ErrorCode, string>>> = {
  'http-network': 'start a server with "wary serve", or look at the address',
  'http-timeout': 'look whether the server is well at its /healthz',
  'http-type': 'is this the address of a Wary server?',
  'state-key-unknown': 'give the public key of who publishes this list, which "wary keygen" printed',
  'state-expired': 'run "wary publish" again',
  'filter-format': 'give a LIST.filter file, or one that "wary filter build" made',
  'list-format': 'give a LIST.hashlist file of a published version',
  'publish-damaged': 'put the file back from a copy, or run "wary publish" again (with a higher --epoch if it refuses)',
}

/** The line that a failed command ends with: `wary: CODE: message; what to do next`. */
export function failureLine(failure: WaryError): string {
  const next = NEXT[failure.code]
  return `wary: ${failure.code}: ${failure.message.replace(/\s*[\r\n]+\s*/g, ' ')}${next === undefined ? '' : `; ${next}`}`
}

/** A wrong command line. */
export function usageError(message: string): WaryError {
  return new WaryError('usage', message)
}

/** The failure of reading or writing a file that somebody named. */
export function fileError(path: string, error: unknown): WaryError {
  if (error instanceof WaryError) return error
  const system = error instanceof Error ? error.message.replace(/^[A-Z]+: /, '').replace(/, \w+( '.*')?$/, '') : ''
  return new WaryError('file-failed', `${path}: ${system || asWaryError(error).message}`, { cause: error })
}
