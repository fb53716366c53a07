import { highHalf, lowHalf, lowHalfOf4 } from '../filter/ready-hash.ts'
import { ExpressionHashes } from '../hash/expression-hashes.ts'
import type { FullHash } from '../hash/full-hash.ts'
import { type HashPrefix, hashPrefix } from '../hash/hash-prefix.ts'
import type { StoredList } from '../ports.ts'
import { parseListName } from '../protocol/threat-type.ts'
import type { CanonicalUrl } from '../url/canonical-url.ts'
import { ExpressionSpans, MOST_EXPRESSIONS } from '../url/expressions.ts'
import type { Hit } from './verdict.ts'

/** An expression of the URL that lists in force hold, with a hit for each of them. Never without a hit. */
export interface Listed {
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

  /** @param source name of the lists' source, for hits */
  find(url: CanonicalUrl, lists: readonly StoredList[], source: string): Found {
    const spans = this.#spans
    const hashes = this.#hashes
    spans.set(url)
    hashes.hash(url.source, spans)
    let maybe = 0
    for (let i = 0; i < lists.length; i++) maybe |= this.#maybe(lists[i] as StoredList)
    return maybe === 0 ? PASSED_BY_FILTER : { stage: 'list', listed: this.#listed(maybe, lists, source) }
  }

  /** Bit i: the filter says "maybe" to expression number i. */
  #maybe({ list, filter }: StoredList): number {
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
  #listed(maybe: number, lists: readonly StoredList[], source: string): Listed[] {
    const listed: Listed[] = []
    for (let i = 0; i < this.#hashes.count; i++) {
      if ((maybe & (1 << i)) === 0) continue
      const hash = this.#hashes.fullHash(i)
      const hits = hitsOf(this.#spans.expression(i), hash, lists, source)
      if (hits.length > 0) listed.push({ hash, prefix: hashPrefix(hash), hits })
    }
    return listed
  }
}

function hitsOf(expression: string, hash: FullHash, lists: readonly StoredList[], source: string): Hit[] {
  const hits: Hit[] = []
  for (const { list, filter } of lists) {
    const { name, entryLength } = list
    // Of several lists, one filter's "maybe" is no other's.
    if (!filter.mightContainHash(highHalf(hash), lowHalf(hash, entryLength)) || !list.has(hash)) continue
    const threatType = parseListName(name)?.threatType
    // A list of another kind, such as one of likely safe pages, accuses nobody.
    if (threatType !== undefined) hits.push({ expression, list: name, source, threatType, entryLength })
  }
  return hits
}
