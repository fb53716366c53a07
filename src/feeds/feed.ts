import type { ThreatType } from '../protocol/threat-type.ts'
import { printable } from './printable.ts'

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
  /** As it stands in the feed, cut to 200 characters, safe to print (printable.ts). */
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
  return { reject: { line, text: printable(text.slice(0, LONGEST_SHOWN)), reason } }
}
