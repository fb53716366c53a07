import { readEthPhishingDetect } from '../../../src/feeds/eth-phishing-detect.ts'
import type { FeedReader } from '../../../src/feeds/feed.ts'
import { readPlain } from '../../../src/feeds/plain.ts'
import { printable } from '../../../src/feeds/printable.ts'
import { canonicalize } from '../../../src/url/canonicalize.ts'
import { promise, unlessRefused } from '../promise.ts'

const READERS: readonly FeedReader[] = [readPlain, readEthPhishingDetect]

/** Input: which format (1 byte), then the feed in UTF-8. */
export function fuzz(input: Uint8Array): void {
  const text = new TextDecoder().decode(input.subarray(1))
  const read = READERS[(input[0] ?? 0) & 1] as FeedReader
  const items = unlessRefused(['feed-format'], () => [...read(text)])
  const lines = text.split(/\r\n|[\n\r]/).length
  for (const item of items ?? []) {
    const { line } = 'entry' in item ? item.entry : item.reject
    promise(Number.isSafeInteger(line) && line >= 1 && (read !== readPlain || line <= lines), `line ${line} of ${lines}`)
    if ('reject' in item) {
      const { text: shown, reason } = item.reject
      promise(shown.length <= 200 && printable(shown) === shown && printable(reason) === reason, 'what is shown is safe to print')
      continue
    }
    const { expression } = item.entry
    promise(/^[\x21-\x7e]+$/.test(expression) && expression.length <= 2048, `${expression} can be listed`)
    const again = unlessRefused(['url-invalid'], () => canonicalize(`http://${expression}`))
    // A backslash (`%5C`), or a question mark (`%3F`) after dots, stays one in an expression, and is something else in an address.
    const other = /\\|\/\.\.?\?/.test(expression)
    promise(other || (again !== undefined && again.text === expression), `${expression} is what its own page would be looked up as`)
  }
}
