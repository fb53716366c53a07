import { highHalf, lowHalf, lowHalfOf4 } from '../filter/ready-hash.ts'
import { ExpressionHashes } from '../hash/expression-hashes.ts'
import type { FullHash } from '../hash/full-hash.ts'
import { type HashPrefix, hashPrefix } from '../hash/hash-prefix.ts'
import { FilterOnlyList } from '../lists/held-list.ts'
import type { CheckedList } from '../ports.ts'
import { parseListName } from '../protocol/threat-type.ts'
import type { CanonicalUrl } from '../url/canonical-url.ts'
import { ExpressionSpans, MOST_EXPRESSIONS } from '../url/expressions.ts'
import type { Hit } from './verdict.ts'

/** An expression of the URL that lists of one source hold, with a hit for each of them. Never without a hit. */
export interface Listed {
  readonly source: string
  /** An entry for certain, of a signed list: an answer that denies it contradicts the list. */
  readonly signed: boolean
  readonly hash: FullHash
  readonly prefix: HashPrefix
  readonly hits: readonly Hit[]
}

/** `stage`: which of filter and list gave the answer. `listed` in the expressions' own order: hosts before paths. */
export interface Found {
  readonly stage: 'filter' | 'list'
  readonly listed: readonly Listed[]
}

const PASSED_BY_FILTER: Found = { stage: 'filter', listed: [] }

/**
 * Looks a URL's expressions up in filter and list. Nearly every navigation ends in the filter, so the way there makes no object and no
 * string: an expression is hashed once, where it stands in the URL, and the first bytes of its hash are the filter's key as they are.
 */
export class ListLookup {
  readonly #spans = new ExpressionSpans()
  readonly #hashes = new ExpressionHashes(MOST_EXPRESSIONS)

  find(url: CanonicalUrl, lists: readonly CheckedList[]): Found {
    const spans = this.#spans
    const hashes = this.#hashes
    spans.set(url)
    hashes.hash(url.source, spans)
    let maybe = 0
    for (let i = 0; i < lists.length; i++) maybe |= this.#maybe(lists[i] as CheckedList)
    return maybe === 0 ? PASSED_BY_FILTER : { stage: 'list', listed: this.#listed(maybe, lists) }
  }

  /** Bit i: the filter says "maybe" to expression number i. */
  #maybe({ list, filter }: CheckedList): number {
    const hashes = this.#hashes
    const short = list.entryLength === 4
    let maybe = 0
    for (let i = 0; i < hashes.count; i++) {
      const high = hashes.high(i)
      if (filter.mightContainHash(high, short ? lowHalfOf4(high) : hashes.low(i))) maybe |= 1 << i
    }
    return maybe
  }

  /** @param maybe bit i: some filter says "maybe" to expression number i. There are at most 30 */
  #listed(maybe: number, lists: readonly CheckedList[]): Listed[] {
    const listed: Listed[] = []
    for (let i = 0; i < this.#hashes.count; i++) {
      if ((maybe & (1 << i)) === 0) continue
      listed.push(...listedBy(lists, this.#spans.expression(i), this.#hashes.fullHash(i)))
    }
    return listed
  }
}

/** One for each source whose lists hold the expression, in the order of the lists. */
function listedBy(lists: readonly CheckedList[], expression: string, hash: FullHash): Listed[] {
  const bySource = new Map<string, { signed: boolean; hits: Hit[] }>()
  for (const { source, list, filter, state } of lists) {
    const { name, entryLength } = list
    // Of several lists, one filter's "maybe" is no other's.
    if (!filter.mightContainHash(highHalf(hash), lowHalf(hash, entryLength)) || !list.has(hash)) continue
    const threatType = parseListName(name)?.threatType
    // A list of another kind, such as one of likely safe pages, accuses nobody.
    if (threatType === undefined) continue
    const found = bySource.get(source) ?? { signed: false, hits: [] }
    bySource.set(source, found)
    found.signed ||= state !== undefined && !(list instanceof FilterOnlyList)
    found.hits.push({ expression, list: name, source, threatType, entryLength })
  }
  return [...bySource].map(([source, { signed, hits }]) => ({ source, signed, hash, prefix: hashPrefix(hash), hits }))
}
