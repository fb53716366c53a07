import type { CanonicalUrl } from './canonicalize.ts'
import { registrableDomain } from './public-suffix.ts'

/** v5, "Host-suffix path-prefix expressions": the exact host, and up to four made from the registrable domain by adding labels. */
const MOST_SUFFIXES = 4
/** The exact path with and without query, and up to four directories from the root on. */
const MOST_DIRECTORIES = 4

/**
 * The host-suffix path-prefix expressions of a URL, at most 30, without repeats. Ordered for searching: every host with the path `/`
 * first, shortest host first, then longer paths, so that the first question gives the least away.
 */
export function expressions(url: CanonicalUrl): string[] {
  const hosts = hostSuffixes(url)
  const all: string[] = []
  for (const path of pathPrefixes(url)) for (const host of hosts) all.push(host + path)
  return all
}

function hostSuffixes({ host, isIp }: CanonicalUrl): string[] {
  if (isIp) return [host]
  const domain = registrableDomain(host)
  if (domain === null || domain === host || !host.endsWith(`.${domain}`)) return [host]
  const labels = host.slice(0, -domain.length - 1).split('.')
  const suffixes = [domain]
  let suffix = domain
  while (suffixes.length < MOST_SUFFIXES && labels.length > 0) {
    suffix = `${labels.pop()}.${suffix}`
    suffixes.push(suffix)
  }
  if (suffix !== host) suffixes.push(host)
  return suffixes
}

function pathPrefixes({ path, query }: CanonicalUrl): string[] {
  const prefixes: string[] = []
  let end = 0
  while (prefixes.length < MOST_DIRECTORIES) {
    end = path.indexOf('/', end) + 1
    if (end === 0) break
    prefixes.push(path.slice(0, end))
  }
  if (!prefixes.includes(path)) prefixes.push(path)
  // An empty query is none (vectors: `http://a.b/?`).
  if (query) prefixes.push(`${path}?${query}`)
  return prefixes
}
