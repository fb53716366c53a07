import { fromHex, toHex } from '../bytes.ts'
import { WaryError } from '../errors.ts'

/** What somebody pastes to subscribe to a publisher's lists: where they are, and whose they must be. */
export interface SubscribeLink {
  /** Origin of the server, such as `https://lists.example`. */
  readonly server: string
  /** SHA-256 of a key set of the publisher (key-set.ts), 32 bytes. */
  readonly fingerprint: Uint8Array
}

const FRAGMENT = '#wary='
const FINGERPRINT_BYTES = 32
/** Where plain HTTP cannot be listened to or changed on its way; the names that the extension's settings take. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1'])

/**
 * Reads `https://lists.example/#wary=` and 64 hexadecimal digits, as a person pasted it. The part after `#` is never sent to a server.
 * @throws {WaryError} `setting-invalid` that says what is wrong
 */
export function parseSubscribeLink(text: string): SubscribeLink {
  const url = addressOf(text.trim())
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('it must begin with https://')
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname))
    throw refused('a server on another computer must be asked over https, or anybody on the way could read and hold back what it sends')
  if (url.username !== '' || url.password !== '') throw refused('it must not hold a user name or a password')
  if (url.pathname !== '/' || url.search !== '') throw refused('nothing may stand between the name of the server and "#wary="')
  if (url.hash === '') throw refused('the part from "#wary=" on is missing: it says whose lists these must be')
  if (!url.hash.startsWith(FRAGMENT)) throw refused('after the name of the server it must go on with "#wary="')
  const digits = url.hash.slice(FRAGMENT.length)
  if (/[^0-9a-fA-F]/.test(digits)) throw refused('after "#wary=" it may have hexadecimal digits only, 0 to 9 and a to f')
  if (digits.length !== 2 * FINGERPRINT_BYTES)
    throw refused(`after "#wary=" it must have ${2 * FINGERPRINT_BYTES} hexadecimal digits, not ${digits.length}: was all of it copied?`)
  return { server: url.origin, fingerprint: fromHex(digits) }
}

/**
 * The link by which others subscribe; `server` as somebody typed it, with or without a slash at its end.
 * @throws {WaryError} `setting-invalid` for a server that `parseSubscribeLink` would refuse
 */
export function formatSubscribeLink({ server, fingerprint }: SubscribeLink): string {
  if (fingerprint.length !== FINGERPRINT_BYTES) throw new RangeError(`a fingerprint has ${FINGERPRINT_BYTES} bytes`)
  const link = parseSubscribeLink(`${server.replace(/\/+$/, '')}/${FRAGMENT}${toHex(fingerprint)}`)
  return `${link.server}/${FRAGMENT}${toHex(link.fingerprint)}`
}

function addressOf(text: string): URL {
  if (text === '') throw refused('it is empty')
  try {
    return new URL(text)
  } catch (error) {
    throw refused('it must be an address such as https://lists.example/#wary=...', error)
  }
}

function refused(reason: string, cause?: unknown): WaryError {
  return new WaryError('setting-invalid', `this is no subscribe link: ${reason}`, { cause })
}
