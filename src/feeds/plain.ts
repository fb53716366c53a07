import { type FeedItem, reject } from './feed.ts'
import { listedAddress } from './listed-address.ts'

/** Hosts files begin their lines with the address that the names are to get. */
const HOSTS_LINE = /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?)\s+/
/** Far above any address; what is longer is not looked into. */
const LONGEST_LINE = 16_384

/**
 * A domain, URL or hosts-file line (one or more names) a line. Empty lines, comment lines (`#`, `!`) and a comment behind a space are passed
 * over; a `#` inside of a URL would be its fragment, so only ` #` counts.
 */
export function* readPlain(text: string): Generator<FeedItem> {
  let number = 0
  for (const raw of text.replace(/^\ufeff/, '').split(/\r\n|[\n\r]/)) {
    number++
    if (raw.length > LONGEST_LINE) {
      yield reject(number, raw, `a line longer than ${LONGEST_LINE} characters`)
      continue
    }
    const comment = raw.search(/\s#/)
    const line = (comment < 0 ? raw : raw.slice(0, comment)).trim()
    if (line === '' || line.startsWith('#') || line.startsWith('!')) continue
    const names = line.replace(HOSTS_LINE, '')
    if (names === line && /\s/.test(line)) {
      yield reject(number, raw, 'more than one address in a line')
      continue
    }
    for (const name of names.split(/\s+/)) {
      const listed = listedAddress(name)
      if ('reason' in listed) yield reject(number, raw, listed.reason)
      else yield { entry: { expression: listed.expression, threatType: undefined, line: number } }
    }
  }
}
