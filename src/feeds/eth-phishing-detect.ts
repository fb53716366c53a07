import { WaryError } from '../errors.ts'
import { type FeedItem, reject } from './feed.ts'
import { jsonFault } from './json-fault.ts'
import { listedAddress } from './listed-address.ts'

/**
 * MetaMask's eth-phishing-detect `config.json`, version 2: the names of its list `blacklist`, less those that its own `whitelist` has too. Its
 * fuzzy list is for another kind of matching and is not read.
 *
 * The line of an entry is its line in the file where every name stands on a line of its own, as in the published file; from the first name
 * on that does not, it is the entry's position in the list, counted from 1.
 */
export function* readEthPhishingDetect(text: string): Generator<FeedItem> {
  const { listed, allowed } = parse(text)
  const exceptions = new Set(allowed.flatMap((name) => (typeof name === 'string' ? expressionOf(name) : [])))
  const lines = new LineFinder(text)
  for (const [index, name] of listed.entries()) {
    const line = lines.next(name) ?? index + 1
    if (typeof name !== 'string') {
      yield reject(line, JSON.stringify(name), 'not a name')
      continue
    }
    const address = listedAddress(name)
    if ('reason' in address) yield reject(line, name, address.reason)
    else if (exceptions.has(address.expression)) yield reject(line, name, "in the feed's own allow list")
    else yield { entry: { expression: address.expression, threatType: 'SOCIAL_ENGINEERING', line } }
  }
}

function expressionOf(name: string): string[] {
  const address = listedAddress(name)
  return 'expression' in address ? [address.expression] : []
}

function parse(text: string): { readonly listed: readonly unknown[]; readonly allowed: readonly unknown[] } {
  let config: unknown
  try {
    config = JSON.parse(text)
  } catch (error) {
    // Not the parser's own message: it quotes the file.
    const { line, column } = jsonFault(text)
    throw new WaryError('feed-format', `not JSON: line ${line}, column ${column}`, { cause: error })
  }
  const fields = new Map<string, unknown>(typeof config === 'object' && config !== null ? Object.entries(config) : [])
  if (fields.get('version') !== 2) throw new WaryError('feed-format', 'not an eth-phishing-detect configuration of version 2')
  const list = (name: string): readonly unknown[] => {
    const value = fields.get(name)
    if (!Array.isArray(value)) throw new WaryError('feed-format', `not an eth-phishing-detect configuration: it has no list "${name}"`)
    return value
  }
  return { listed: list('blacklist'), allowed: list('whitelist') }
}

/** Follows the entries through the lines of a pretty-printed file. */
class LineFinder {
  readonly #lines: readonly string[]
  #at: number
  #lost: boolean

  constructor(text: string) {
    this.#lines = text.split('\n')
    const start = this.#lines.findIndex((line) => /^\s*"blacklist"\s*:\s*\[\s*$/.test(line))
    this.#lost = start < 0
    this.#at = start + 1
  }

  /** Number of the line that holds nothing but `entry`, the next of the list; undefined from the first on that has none. */
  next(entry: unknown): number | undefined {
    if (this.#lost) return undefined
    const line = this.#lines[this.#at]?.trim()
    this.#at++
    this.#lost = line === undefined || line.replace(/,$/, '') !== JSON.stringify(entry)
    return this.#lost ? undefined : this.#at
  }
}
