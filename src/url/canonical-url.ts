/** Where the parts of a canonical URL lie in its source. */
export interface UrlPlaces {
  readonly start: number
  readonly hostEnd: number
  readonly pathEnd: number
  readonly end: number
}

/**
 * A URL by the rules of Safe Browsing v5 ("URLs and Hashing"): no port, credentials or fragment. ASCII only. It is one piece of a text, of which
 * host, path and query are pieces, because every expression of the URL is one too (expressions.ts); the text is the browser's own address where the
 * rules change nothing of it, so that nothing is copied.
 */
export class CanonicalUrl implements UrlPlaces {
  readonly source: string
  readonly start: number
  readonly hostEnd: number
  readonly pathEnd: number
  readonly end: number
  readonly isIp: boolean
  /** Of no expression. */
  readonly scheme: 'http' | 'https'

  constructor(scheme: 'http' | 'https', source: string, places: UrlPlaces, isIp: boolean) {
    this.scheme = scheme
    this.source = source
    this.start = places.start
    this.hostEnd = places.hostEnd
    this.pathEnd = places.pathEnd
    this.end = places.end
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
