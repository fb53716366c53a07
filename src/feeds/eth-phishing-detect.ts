import { WaryError } from '../errors.ts'
import { type FeedItem, reject } from './feed.ts'
import { listedAddress } from './listed-address.ts'

/**
 * MetaMask's eth-phishing-detect `config.json`, version 2: names of the list `blacklist`, less those that its `whitelist` has. Its fuzzy list
 * is for another kind of matching and is not read. Line numbers are those of the file where a name stands on a line of its own, as it
 * does in the published file; else the position in the list.
 */
export function* readEthPhishingDetect(text: string): Generator<FeedItem> {
  const config = parse(text)
  const exceptions = new Set(config.whitelist)
  const lines = lineNumbers(text)
  for (const [index, name] of config.blacklist.entries()) {
    if (typeof name !== 'string') {
      yield reject(index + 1, JSON.stringify(name) ?? '', 'not a name')
      continue
    }
    const line = lines.get(name) ?? index + 1
    const listed = listedAddress(name)
    if ('reason' in listed) yield reject(line, name, listed.reason)
    else if (exceptions.has(name)) yield reject(line, name, 'in the feed’s own list of exceptions')
    else yield { entry: { expression: listed.expression, threatType: 'SOCIAL_ENGINEERING', line } }
  }
}

function parse(text: string): { readonly blacklist: readonly unknown[]; readonly whitelist: readonly unknown[] } {
  let config: unknown
  try {
    config = JSON.parse(text)
  } catch (error) {
    throw new WaryError('feed-format', `not JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  if (typeof config !== 'object' || config === null)
    throw new WaryError('feed-format', 'not an eth-phishing-detect configuration: no object')
  if (!('version' in config) || config.version !== 2)
    throw new WaryError('feed-format', 'not an eth-phishing-detect configuration of version 2')
  const list = (name: string): readonly unknown[] => {
    const value: unknown = Object.entries(config).find(([key]) => key === name)?.[1]
    if (!Array.isArray(value)) throw new WaryError('feed-format', `not an eth-phishing-detect configuration: no list ${name}`)
    return value
  }
  return { blacklist: list('blacklist'), whitelist: list('whitelist') }
}

/** The last line on which each name stands alone: the list of exceptions comes first in the file. */
function lineNumbers(text: string): Map<string, number> {
  const lines = new Map<string, number>()
  let number = 0
  for (const line of text.split('\n')) {
    number++
    const name = /^\s*"([^"\\]+)",?\s*$/.exec(line)?.[1]
    if (name !== undefined) lines.set(name, number)
  }
  return lines
}
