import { toHex } from '../bytes.ts'
import type { SearchAnswer } from '../protocol/search-message.ts'
import { type ThreatType, threatTypeNumber } from '../protocol/threat-type.ts'
import type { Edition } from './edition.ts'

/** How long a client may keep an answer, positive or negative. Milliseconds. */
export const CACHE_MS = 300_000

/** Every full hash of any list that begins with one of the prefixes, once, with the threat types of all lists. */
export function searchAnswer(edition: Edition, prefixes: readonly Uint8Array[]): SearchAnswer {
  const byHash = new Map<string, { readonly hash: Uint8Array; readonly types: Set<ThreatType> }>()
  for (const prefix of new Map(prefixes.map((each) => [toHex(each), each])).values()) {
    for (const list of edition.lists.values()) {
      for (const { hash, threatTypes } of list.fullHashes.withPrefix(prefix)) {
        const found = byHash.get(toHex(hash)) ?? { hash, types: new Set<ThreatType>() }
        for (const type of threatTypes) found.types.add(type)
        byHash.set(toHex(hash), found)
      }
    }
  }
  const fullHashes = [...byHash.values()].map(({ hash, types }) => ({
    hash,
    details: [...types].map((type) => ({ threatType: threatTypeNumber(type), attributes: [] })),
  }))
  return { cacheDurationMs: CACHE_MS, fullHashes }
}
