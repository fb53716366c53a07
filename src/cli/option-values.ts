import { InvalidArgumentError } from 'commander'
import { fromHex } from '../bytes.ts'
import { asWaryError } from '../errors.ts'
import { parseSubscribeLink, type SubscribeLink } from '../lists/subscribe-link.ts'
import { parsedUrl } from '../url/parsed-url.ts'

/** Parsers of option values, for commander: each throws its InvalidArgumentError, which names the option. */

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    throw new InvalidArgumentError(
      most === Number.MAX_SAFE_INTEGER
        ? `It must be a whole number from ${least} on.`
        : `It must be a whole number from ${least} to ${most}.`,
    )
  }
}

/** A number above 0. */
export function positiveNumber(most: number): (text: string) => number {
  return (text) => {
    const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (number > 0 && number <= most) return number
    throw new InvalidArgumentError(`It must be a number above 0, at most ${most}.`)
  }
}

/** A false positive rate. */
export function rate(text: string): number {
  const number = /^\d*\.?\d+(e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  if (number > 0 && number < 1) return number
  throw new InvalidArgumentError('It must lie between 0 and 1, such as 0.001 or 1e-3.')
}

/** An Ed25519 public key, 32 bytes. */
export function publicKey(text: string): Uint8Array {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return fromHex(text)
  throw new InvalidArgumentError('It must be a public key of 64 hexadecimal digits, as in the .pub file that "wary keygen" wrote.')
}

/** Where plain HTTP cannot be listened to or changed on its way. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|\[?::1\]?|localhost|.+\.localhost)$/

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

/** The address of a server, perhaps with a path; without a slash at its end. By http from this computer only, as for the extension. */
export function serverAddress(text: string): string {
  const url = parsedUrl(text)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:8750.')
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw new InvalidArgumentError('Another computer must be asked over https.')
  return text.replace(/\/+$/, '')
}

/** The address of a server, or a link that also says whose lists it must have. */
export function serverOrLink(text: string): string | SubscribeLink {
  if (!text.includes('#')) return serverAddress(text)
  try {
    return parseSubscribeLink(text)
  } catch (error) {
    throw new InvalidArgumentError(`${asWaryError(error).message}.`)
  }
}

/** An option that may be repeated. */
export function repeated(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
