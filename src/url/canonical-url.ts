/**
 * A URL by the rules of Safe Browsing v5 ("URLs and Hashing"): no port, credentials or fragment. ASCII only. It is one piece of a text, of which
 * host, path and query are pieces, because every expression of the URL is one too (expressions.ts); the text is the browser's own address where the
 * rules change nothing of it, so that nothing is copied.
 */
export class CanonicalUrl {
  readonly source: string
  readonly start: number
  readonly hostEnd: number
  readonly pathEnd: number
  readonly end: number
  readonly isIp: boolean
  /** Of no expression. */
  readonly scheme: 'http' | 'https'

  /** The places are in `source`. One by one, not in an object: every navigation makes one of these. */
  constructor(scheme: 'http' | 'https', source: string, start: number, hostEnd: number, pathEnd: number, end: number, isIp: boolean) {
    this.scheme = scheme
    this.source = source
    this.start = start
    this.hostEnd = hostEnd
    this.pathEnd = pathEnd
    this.end = end
    this.isIp = isIp
  }

  /** Host, path, and the query with its question mark. */
  get text(): string {
    return this.source.slice(this.start, this.end)
  }

  /** Lower case, no trailing dot; an IPv6 address in brackets. */
  get host(): string {
    return this.source.slice(this.start, this.hostEnd)
  }

  /** Begins with a slash. */
  get path(): string {
    return this.source.slice(this.hostEnd, this.pathEnd)
  }

  /** Without the question mark; undefined where the URL has none, empty where it ends in one. */
  get query(): string | undefined {
    return this.pathEnd === this.end ? undefined : this.source.slice(this.pathEnd + 1, this.end)
  }
}
