import { WaryError } from '../../src/errors.ts'
import { parseListName } from '../../src/protocol/threat-type.ts'

/** As src/check/decoys.ts has it: more would cost the server and hide little more. */
export const MOST_DECOYS = 8
/** Lists that one source may name: more is a mistake. */
const MOST_LISTS = 16

/**
 * The origin of a server address, `https:` or, on loopback, `http:`; an empty string stays empty.
 * @throws {WaryError} `setting-invalid`
 */
export function parseServer(value: unknown): string {
  if (typeof value !== 'string') throw new WaryError('setting-invalid', 'the server address must be text')
  const text = value.trim()
  if (text === '') return ''
  let url: URL
  try {
    url = new URL(text)
  } catch (error) {
    throw new WaryError('setting-invalid', 'the server address must look like https://lists.example', { cause: error })
  }
  const loopback = url.hostname === 'localhost' || url.hostname === '127.0.0.1'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    throw new WaryError('setting-invalid', 'the server address must begin with https:// (http:// only for 127.0.0.1 and localhost)')
  }
  if (url.username !== '' || url.password !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new WaryError('setting-invalid', 'the server address must be a scheme, a host and a port, nothing more')
  }
  return url.origin
}

/** @throws {WaryError} `setting-invalid` */
export function parseRootKey(value: unknown): string {
  if (typeof value !== 'string') throw new WaryError('setting-invalid', 'the root key must be text')
  const text = value.trim().toLowerCase()
  if (text !== '' && !/^[0-9a-f]{64}$/.test(text)) throw new WaryError('setting-invalid', 'the root key must have 64 hexadecimal digits')
  return text
}

/** @throws {WaryError} `setting-invalid` */
export function parseLists(value: unknown): readonly string[] {
  const names = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value
  if (!Array.isArray(names)) throw new WaryError('setting-invalid', 'the lists must be names separated by commas')
  const kept: string[] = []
  for (const name of names) {
    if (name === '') continue
    if (typeof name !== 'string' || parseListName(name) === undefined) {
      throw new WaryError('setting-invalid', `no list has such a name: ${String(name).slice(0, 40)} (names look like se-4b)`)
    }
    if (!kept.includes(name)) kept.push(name)
  }
  if (kept.length === 0) throw new WaryError('setting-invalid', 'name at least one list, such as se-4b')
  if (kept.length > MOST_LISTS) throw new WaryError('setting-invalid', `at most ${MOST_LISTS} lists`)
  return kept
}

/** @throws {WaryError} `setting-invalid` */
export function parseDecoys(value: unknown): number {
  const number = typeof value === 'string' && /^\s*\d{1,2}\s*$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > MOST_DECOYS) {
    throw new WaryError('setting-invalid', `the number of decoys must be a whole number from 0 to ${MOST_DECOYS}`)
  }
  return number
}

/** @throws {WaryError} `setting-invalid` */
export function parseFlag(name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new WaryError('setting-invalid', `${name} must be true or false`)
  return value
}
