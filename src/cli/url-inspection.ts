import { CheckCounters } from '../check/check-counters.ts'
import { FullHashCache } from '../check/full-hash-cache.ts'
import { SearchClients } from '../check/search-clients.ts'
import { UrlChecker } from '../check/url-checker.ts'
import type { Stage, Verdict } from '../check/verdict.ts'
import { WaryError } from '../errors.ts'
import { highHalf, lowHalf } from '../filter/ready-hash.ts'
import { fullHash } from '../hash/full-hash.ts'
import { hashPrefix, prefixHex } from '../hash/hash-prefix.ts'
import type { StoredList } from '../ports.ts'
import { verifiesEd25519 } from '../publisher/ed25519.ts'
import { fetchListNames } from '../update/list-names.ts'
import { Updater } from '../update/updater.ts'
import { WarySource } from '../update/wary-source.ts'
import { canonicalize } from '../url/canonicalize.ts'
import { expressions } from '../url/expressions.ts'
import type { CliContext } from './context.ts'
import type { CheckSource } from './list-source.ts'
import { MemoryAnswerStore, MemoryListStore, MemoryRecordStore } from './memory-stores.ts'
import { silentLogger } from './silent-logger.ts'

/** One expression of the URL: which stage of the cascade answers for it, and the lists that hold it. */
export interface InspectedExpression {
  readonly expression: string
  /** First four bytes of its SHA-256, in hexadecimal: all that a question to the server would carry. */
  readonly prefix: string
  /** `filter` or `list`: not listed. `full-hash`: listed on the device for certain. `search`: the server is asked. */
  readonly stage: Stage
  readonly lists: readonly string[]
}

export interface UrlInspection {
  readonly lists: readonly StoredList[]
  /** None for an address that is not of the web. */
  readonly expressions: readonly InspectedExpression[]
  readonly verdict: Verdict
  /** Questions to the server (hashes:search), and the bytes of their targets. */
  readonly asked: number
  readonly askedBytes: number
}

/**
 * Checks one URL as the extension does, with the same parts, over lists that are fetched for it and kept in memory.
 *
 * @param url as a browser spells it
 * @param names of the lists to check against; by default all that the server offers
 * @throws {WaryError} what the update failed by
 */
export async function inspectUrl(
  url: string,
  names: readonly string[] | undefined,
  source: CheckSource,
  context: CliContext,
): Promise<UrlInspection> {
  const { clock, random } = context
  const { server, keys, fetch } = source
  const wanted = names ?? (await fetchListNames(server, fetch))
  if (wanted.length === 0) throw new WaryError('list-missing', 'the server offers no list')
  const lists = new WarySource({
    id: source.name,
    server,
    trust: { keys },
    lists: wanted,
    fetch,
    clock,
    logger: silentLogger,
    verify: async (publicKey, message, signature) => verifiesEd25519(publicKey, message, signature),
  })
  const updater = new Updater({
    clock,
    random,
    logger: silentLogger,
    store: new MemoryListStore(),
    record: new MemoryRecordStore(),
    source: () => lists,
    onSwap: () => undefined,
  })
  await updater.update()
  const { lastError } = updater.status()
  if (lastError !== undefined) throw new WaryError(lastError.code, lastError.message)

  const counters = new CheckCounters()
  const checker = new UrlChecker({
    lists: () => ({ kind: 'lists', lists: updater.lists }),
    allowances: { allows: () => false },
    cache: new FullHashCache({ store: new MemoryAnswerStore(), clock, counters, logger: silentLogger }),
    search: new SearchClients({ fetch, clock, counters, logger: silentLogger, endpoint: () => ({ server }) }),
    clock,
    counters,
    onContradiction: () => undefined,
  })
  const verdict = await checker.check(url, { tabId: 0, frame: false, persist: false })
  const { asked, askedBytes } = counters.snapshot()
  return { lists: updater.lists, expressions: inspected(url, updater.lists), verdict, asked, askedBytes }
}

function inspected(url: string, lists: readonly StoredList[]): InspectedExpression[] {
  if (!/^https?:/i.test(url)) return []
  return expressions(canonicalize(url)).map((expression) => {
    const hash = fullHash(expression)
    const maybe = lists.filter(({ list, filter }) => filter.mightContainHash(highHalf(hash), lowHalf(hash, list.entryLength)))
    const holding = maybe.filter(({ list }) => list.has(hash)).map(({ list }) => list)
    const certain = holding.some(({ entryLength }) => entryLength === 32)
    const stage = maybe.length === 0 ? 'filter' : holding.length === 0 ? 'list' : certain ? 'full-hash' : 'search'
    return { expression, prefix: prefixHex(hashPrefix(hash)), stage, lists: holding.map(({ name }) => name) }
  })
}
