import { type FeedItem, reject } from './feed.ts'
import { listedAddress } from './listed-address.ts'

/** Hosts files begin their lines with the address that the names are to get. */
const HOSTS_LINE = /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?)\s+/
/** A rule of the kind that ad blockers read: a host with all below it, or a page. Its options may narrow it to parts of other pages. */
const BLOCK_RULE = /^\|\|([^\s^$|*]+)\^?(?:\$(.*))?$/
/** Options that leave a rule about whole pages. */
const WHOLE_PAGES = /^(?:all|doc|document|important)(?:,(?:all|doc|document|important))*$/
/** Far above any address; what is longer is not looked into. */
const LONGEST_LINE = 16_384

/**
 * A domain, URL, hosts-file line (one or more names) or `||host^` a line. Empty lines, comment lines (`#`, `!`) and a comment behind a space are passed
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
    if (line === '' || line.startsWith('#') || line.startsWith('!') || /^\[[^\]]*\]$/.test(line)) continue
    const rule = ruleOf(line)
    if (rule !== undefined) {
      yield* 'reason' in rule ? [reject(number, raw, rule.reason)] : itemOf(rule.address, number, raw)
      continue
    }
    const names = line.replace(HOSTS_LINE, '')
    if (names === line && /\s/.test(line)) {
      yield reject(number, raw, 'more than one address in a line')
      continue
    }
    for (const name of names.split(/\s+/)) {
      yield* itemOf(name, number, raw)
    }
  }
}

function itemOf(address: string, line: number, raw: string): readonly FeedItem[] {
  const listed = listedAddress(address)
  if ('reason' in listed) return [reject(line, raw, listed.reason)]
  return [{ entry: { expression: listed.expression, threatType: undefined, line } }]
}

/** Undefined for a line that is no rule of an ad blocker. */
function ruleOf(line: string): { readonly address: string } | { readonly reason: string } | undefined {
  if (line.startsWith('@@')) return { reason: 'an exception, which a list of threats has no place for' }
  if (!line.startsWith('||')) return undefined
  const [, address, options] = BLOCK_RULE.exec(line) ?? []
  if (address === undefined) return { reason: 'a rule with a pattern' }
  if (options !== undefined && !WHOLE_PAGES.test(options)) return { reason: 'a rule about parts of pages' }
  return { address }
}
