import { readEthPhishingDetect } from './eth-phishing-detect.ts'
import type { FeedReader } from './feed.ts'
import { readPlain } from './plain.ts'

/** Readers by the format's name, as `wary publish --feed FORMAT:PATH` has it. */
export const FEED_FORMATS: ReadonlyMap<string, FeedReader> = new Map([
  ['plain', readPlain],
  ['eth-phishing-detect', readEthPhishingDetect],
])
