import type { CanonicalUrl } from './canonical-url.ts'
import { registrableDomain } from './public-suffix.ts'

/** v5, "Host-suffix path-prefix expressions": the exact host, and up to four made from the registrable domain by adding labels. */
const MOST_SUFFIXES = 4
/** The exact path with and without query, and up to four directories from the root on. */
const MOST_DIRECTORIES = 4
/** 5 hosts x 6 paths. */
export const MOST_EXPRESSIONS = 30

/**
 * The expressions of a URL as parts of its canonical text: from each of the starts to each of the ends. No two are equal. Both are ordered for
 * searching, the shortest host and the shortest path first, so that the first question gives the least away. Made once and set for one URL
 * after the other: on the way of every navigation nothing is left to collect.
 */
export class ExpressionSpans {
  readonly starts = new Int32Array(MOST_SUFFIXES + 1)
  readonly ends = new Int32Array(MOST_DIRECTORIES + 2)
  startCount = 0
  endCount = 0
  #text = ''

  get count(): number {
    return this.startCount * this.endCount
  }

  /** Expression number `index`: every host with the path `/` first, then longer paths. */
  expression(index: number): string {
    return this.#text.slice(this.starts[index % this.startCount], this.ends[Math.floor(index / this.startCount)])
  }

  set(url: CanonicalUrl): void {
    this.#text = url.text
    this.startCount = 0
    this.endCount = 0
    this.#setStarts(url)
    this.#setEnds(url)
  }

  #setStarts({ host, hostEnd, isIp, text }: CanonicalUrl): void {
    const domain = isIp ? null : registrableDomain(host)
    let start = 0
    // Else it is an address, a single label, a public suffix, or a name that the library spells otherwise than the URL does.
    if (domain !== null && host.endsWith(domain)) {
      start = hostEnd - domain.length
      while (start > 0 && this.startCount < MOST_SUFFIXES) {
        this.starts[this.startCount++] = start
        start = text.lastIndexOf('.', start - 2) + 1
      }
    }
    this.starts[this.startCount++] = 0
  }

  #setEnds({ text, hostEnd, pathEnd }: CanonicalUrl): void {
    let end = hostEnd
    while (this.endCount < MOST_DIRECTORIES) {
      end = text.indexOf('/', end) + 1
      if (end === 0 || end > pathEnd) break
      this.ends[this.endCount++] = end
    }
    if (this.ends[this.endCount - 1] !== pathEnd) this.ends[this.endCount++] = pathEnd
    // A question mark alone is no query (vectors: `http://a.b/?`).
    if (text.length > pathEnd + 1) this.ends[this.endCount++] = text.length
  }
}

/** The expressions themselves, at most 30, in the order of `ExpressionSpans`. */
export function expressions(url: CanonicalUrl): string[] {
  const spans = new ExpressionSpans()
  spans.set(url)
  return Array.from({ length: spans.count }, (_, i) => spans.expression(i))
}
