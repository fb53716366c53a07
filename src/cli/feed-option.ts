import { createRequire } from 'node:module'
import { InvalidArgumentError } from 'commander'
import { WaryError } from '../errors.ts'
import type { FeedItem } from '../feeds/feed.ts'
import { FEED_FORMATS } from '../feeds/feed-formats.ts'
import { LIST_STEMS } from '../protocol/threat-type.ts'
import { usageError } from './failure.ts'
import { readInput, textOf } from './input-file.ts'

export const FORMATS = [...FEED_FORMATS.keys()]
export const STEMS = Object.keys(LIST_STEMS)

/** The npm package that a format's `npm` stands for. */
const PACKAGE_FILES: Readonly<Record<string, string>> = { 'eth-phishing-detect': 'eth-phishing-detect/src/config.json' }

/** A feed as the command line names it, `FORMAT:PATH`. */
export interface NamedFeed {
  readonly name: string
  readonly format: string
  readonly path: string
}

export interface PlannedList {
  readonly stem: string
  readonly feeds: NamedFeed[]
}

/**
 * Follows `--list` and `--feed` through the command line. One list, or none (`se`), is for all feeds; of several, each is for the feeds that
 * follow it.
 */
export class FeedPlan {
  readonly #lists: PlannedList[] = []
  /** Named before the first list. */
  readonly #early: NamedFeed[] = []

  readonly list = (stem: string): string => {
    if (!STEMS.includes(stem)) throw new InvalidArgumentError(`It must be one of ${STEMS.join(', ')}.`)
    if (this.#lists.some((list) => list.stem === stem)) throw new InvalidArgumentError('It is there twice.')
    this.#lists.push({ stem, feeds: [] })
    return stem
  }

  readonly feed = (text: string): string => {
    const colon = text.indexOf(':')
    const format = text.slice(0, Math.max(colon, 0))
    const path = text.slice(colon + 1)
    if (!FORMATS.includes(format) || path === '')
      throw new InvalidArgumentError(`It must be FORMAT:PATH, where FORMAT is one of ${FORMATS.join(', ')}.`)
    const feeds = this.#lists.at(-1)?.feeds ?? this.#early
    feeds.push({ name: text, format, path })
    return text
  }

  /** Whether neither a list nor a feed was named. */
  get empty(): boolean {
    return this.#lists.length === 0 && this.#early.length === 0
  }

  /** @throws {WaryError} `usage` where it is not clear what goes where */
  lists(): readonly PlannedList[] {
    const [only, ...others] = this.#lists
    if (others.length === 0) {
      const feeds = [...this.#early, ...(only?.feeds ?? [])]
      if (feeds.length === 0) throw usageError('name a feed, such as --feed plain:FILE')
      return [{ stem: only?.stem ?? 'se', feeds }]
    }
    if (this.#early.length > 0) throw usageError('with several lists, each feed must follow the list that it goes into')
    const empty = this.#lists.find(({ feeds }) => feeds.length === 0)
    if (empty !== undefined) throw usageError(`no feed follows --list ${empty.stem}`)
    return this.#lists
  }
}

/**
 * Reads a whole feed.
 * @throws {WaryError} `file-failed`, or `feed-format` when it is not of its format or no line of it can be used: an empty file where a
 *   feed should be is far likelier a failed download than a world without malice, and would take the list's protection away
 */
export function readFeed({ name, format, path }: NamedFeed): readonly FeedItem[] {
  const reader = FEED_FORMATS.get(format)
  if (reader === undefined) throw new WaryError('internal', `no reader for ${format}`)
  const text = textOf(readInput(path === 'npm' ? packageFile(format) : path))
  let items: readonly FeedItem[]
  try {
    items = [...reader(text)]
  } catch (error) {
    if (error instanceof WaryError) throw new WaryError(error.code, `${name}: ${error.message}; nothing was published`, { cause: error })
    throw error
  }
  if (!items.some((item) => 'entry' in item)) throw new WaryError('feed-format', `${name}: ${unusable(items)}; nothing was published`)
  return items
}

function unusable([first]: readonly FeedItem[]): string {
  if (first === undefined || !('reject' in first)) return 'there is no entry in it'
  return `no line of it can be used, the first is line ${first.reject.line}: ${first.reject.reason}`
}

function packageFile(format: string): string {
  const file = PACKAGE_FILES[format]
  if (file === undefined) return 'npm'
  try {
    return createRequire(import.meta.url).resolve(file)
  } catch (error) {
    throw new WaryError('file-failed', `the npm package of ${format} is not installed; run "npm install --no-save ${format}"`, {
      cause: error,
    })
  }
}
