import { type FeedItem, reject } from './feed.ts'
import { listedAddress } from './listed-address.ts'

/** Hosts files begin their lines with the address that the name is to get. */
const HOSTS_LINE = /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?)\s+/

/**
 * A domain, URL or hosts-file line a line. Empty lines, comments (`#`, `!`) and a comment behind a space are passed over; a trailing comment
 * of a URL would be its fragment, so only ` #` counts.
 */
export function* readPlain(text: string): Generator<FeedItem> {
  let number = 0
  for (const raw of text.split(/\r\n|[\n\r]/)) {
    number++
    const line = raw.replace(/\s#.*$/, '').trim()
    if (line === '' || line.startsWith('#') || line.startsWith('!')) continue
    const address = line.replace(HOSTS_LINE, '')
    if (/\s/.test(address)) {
      yield reject(number, raw, 'more than one address in a line')
      continue
    }
    const listed = listedAddress(address)
    if ('reason' in listed) yield reject(number, raw, listed.reason)
    else yield { entry: { expression: listed.expression, threatType: undefined, line: number } }
  }
}
