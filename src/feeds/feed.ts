import type { ThreatType } from '../protocol/threat-type.ts'

/** One listed expression of a feed. */
export interface FeedEntry {
  readonly expression: string
  /** Undefined: what the list that it goes into is about. */
  readonly threatType: ThreatType | undefined
  readonly line: number
}

/** A line that no entry can be made of. */
export interface FeedReject {
  /** Counted from 1. */
  readonly line: number
  /** As it stands in the feed, cut, without control characters: safe to print. */
  readonly text: string
  readonly reason: string
}

export type FeedItem = { readonly entry: FeedEntry } | { readonly reject: FeedReject }

/**
 * Reads a whole feed. Bad lines are items of their own.
 * @throws {WaryError} `feed-format` where the file as a whole is not of the format
 */
export type FeedReader = (text: string) => Iterable<FeedItem>

const LONGEST_SHOWN = 200

export function reject(line: number, text: string, reason: string): FeedItem {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a feed must not write to the terminal of who reads about it
  const shown = text.slice(0, LONGEST_SHOWN).replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, '\ufffd')
  return { reject: { line, text: shown.toWellFormed(), reason } }
}
