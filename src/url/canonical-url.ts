/**
 * A URL by the rules of Safe Browsing v5 ("URLs and Hashing"): no port, credentials or fragment. ASCII only. One text, of which host,
 * path and query are parts, because every expression of the URL is a part of it too (expressions.ts).
 */
export class CanonicalUrl {
  /** Host, path, and the query with its question mark. */
  readonly text: string
  /** Where the host ends in `text`. */
  readonly hostEnd: number
  /** Where the path ends in `text`. */
  readonly pathEnd: number
  readonly isIp: boolean
  /** Not a part of `text`, and of no expression. */
  readonly scheme: 'http' | 'https'

  constructor(scheme: 'http' | 'https', text: string, hostEnd: number, pathEnd: number, isIp: boolean) {
    this.scheme = scheme
    this.text = text
    this.hostEnd = hostEnd
    this.pathEnd = pathEnd
    this.isIp = isIp
  }

  /** Lower case, no trailing dot; an IPv6 address in brackets. */
  get host(): string {
    return this.text.slice(0, this.hostEnd)
  }

  /** Begins with a slash. */
  get path(): string {
    return this.text.slice(this.hostEnd, this.pathEnd)
  }

  /** Without the question mark; undefined where the URL has none, empty where it ends in one. */
  get query(): string | undefined {
    return this.pathEnd === this.text.length ? undefined : this.text.slice(this.pathEnd + 1)
  }
}
