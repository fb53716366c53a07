import type { CanonicalUrl } from './canonical-url.ts'
import { registrableDomain } from './public-suffix.ts'

/** v5, "Host-suffix path-prefix expressions": the exact host, and up to four made from the registrable domain by adding labels. */
const MOST_SUFFIXES = 4
/** The exact path with and without query, and up to four directories from the root on. */
const MOST_DIRECTORIES = 4
const DOT = 0x2e
const SLASH = 0x2f
/** 5 hosts x 6 paths. */
export const MOST_EXPRESSIONS = 30

/**
 * The expressions of a URL as parts of its source: from each of the starts to each of the ends. No two are equal. Both are ordered for
 * searching, the shortest host and the shortest path first, so that the first question gives the least away. Made once and set for one URL
 * after the other: on the way of every navigation nothing is left to collect.
 */
export class ExpressionSpans {
  readonly starts = new Int32Array(MOST_SUFFIXES + 1)
  readonly ends = new Int32Array(MOST_DIRECTORIES + 2)
  startCount = 0
  endCount = 0
  #source = ''
  #host = ''
  /** Where in the host each of its suffixes begins. */
  readonly #suffixes = new Int32Array(MOST_SUFFIXES + 1)

  get count(): number {
    return this.startCount * this.endCount
  }

  /** Expression number `index`: every host with the path `/` first, then longer paths. */
  expression(index: number): string {
    return this.#source.slice(this.starts[index % this.startCount], this.ends[Math.floor(index / this.startCount)])
  }

  set(url: CanonicalUrl): void {
    this.#source = url.source
    this.#setStarts(url)
    this.#setEnds(url)
  }

  // By loops over a few characters: each call of a search method costs as much as a dozen of them.

  #setStarts({ host, start, isIp }: CanonicalUrl): void {
    // People follow links within a site: the next URL has the same host more often than not.
    if (host !== this.#host) {
      this.#setSuffixes(host, isIp ? null : registrableDomain(host))
      this.#host = host
    }
    for (let i = 0; i < this.startCount; i++) this.starts[i] = start + (this.#suffixes[i] as number)
  }

  #setSuffixes(host: string, domain: string | null): void {
    let count = 0
    // Else it is an address, a single label, a public suffix, or a name that the library spells otherwise than the URL does.
    if (domain !== null && domain.length < host.length && host.endsWith(domain)) {
      let at = host.length - domain.length
      while (at > 0 && count < MOST_SUFFIXES) {
        this.#suffixes[count++] = at
        at--
        while (at > 0 && host.charCodeAt(at - 1) !== DOT) at--
      }
    }
    this.#suffixes[count++] = 0
    this.startCount = count
  }

  #setEnds({ source, hostEnd, pathEnd, end }: CanonicalUrl): void {
    let count = 0
    let last = hostEnd
    for (let at = hostEnd; at < pathEnd && count < MOST_DIRECTORIES; at++) {
      if (source.charCodeAt(at) !== SLASH) continue
      last = at + 1
      this.ends[count++] = last
    }
    if (last !== pathEnd) this.ends[count++] = pathEnd
    // A question mark alone is no query (vectors: `http://a.b/?`).
    if (end > pathEnd + 1) this.ends[count++] = end
    this.endCount = count
  }
}

/** The expressions themselves, at most 30, in the order of `ExpressionSpans`. */
export function expressions(url: CanonicalUrl): string[] {
  const spans = new ExpressionSpans()
  spans.set(url)
  return Array.from({ length: spans.count }, (_, i) => spans.expression(i))
}
