/** Of a body of `length` bytes, those from `first` to `last`, both inclusive (RFC 9110 section 14). */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

export type AskedRange = ByteRange | 'whole' | 'unsatisfiable'

/**
 * What part of a body a request asks for. `whole` also for what may be passed over by the RFC: another unit, several ranges, what is no
 * range, methods other than GET, and an `If-Range` that names another representation. A date in `If-Range` never fits: no answer here
 * has one.
 *
 * @param etag of the representation, strong
 */
export function askedRange(request: Request, etag: string, length: number): AskedRange {
  const range = request.headers.get('range')
  if (range === null || request.method !== 'GET') return 'whole'
  const condition = request.headers.get('if-range')
  if (condition !== null && condition.trim() !== etag) return 'whole'
  const match = /^bytes=\s*(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))\s*$/i.exec(range)
  if (match === null) return 'whole'
  const [, start, end, suffix] = match
  if (suffix !== undefined) {
    const wanted = Math.min(Number(suffix), length)
    return wanted === 0 ? 'unsatisfiable' : { first: length - wanted, last: length - 1 }
  }
  const first = Number(start)
  const last = end === undefined ? length - 1 : Math.min(Number(end), length - 1)
  if (end !== undefined && Number(end) < first) return 'whole'
  return first >= length ? 'unsatisfiable' : { first, last }
}
