import { bytesAnswer } from './answers.ts'
import { askedRange } from './byte-range.ts'

/** An answer that is the same for everybody who asks for it at one moment: caches on the way may keep it, and parts of it may be fetched. */
export interface Cacheable {
  /** Called only where a body is needed. */
  readonly body: () => Uint8Array
  readonly type: string
  /** Strong, in quotes: another one for any other bytes. */
  readonly etag: string
  readonly cacheControl: string
  /** Names of header fields that choose between forms at one address. */
  readonly vary?: string
  /** Further header fields, also of a 304. */
  readonly headers?: Readonly<Record<string, string>>
}

/** 304, 206, 416 or 200, by what the request says (RFC 9110 section 13.2.2: If-None-Match first, then If-Range and Range). */
export function cacheableAnswer(request: Request, { body, type, etag, cacheControl, vary, headers: further }: Cacheable): Response {
  const headers = { ...further, etag, 'cache-control': cacheControl, ...(vary === undefined ? {} : { vary }) }
  if (matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  const bytes = body()
  const whole = { ...headers, 'accept-ranges': 'bytes', 'content-type': type }
  const range = askedRange(request, etag, bytes.length)
  if (range === 'whole') return bytesAnswer(bytes, whole)
  if (range === 'unsatisfiable') {
    const about = {
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'content-range': `bytes */${bytes.length}`,
      'content-length': '0',
    }
    return new Response(null, { status: 416, headers: about })
  }
  const { first, last } = range
  return bytesAnswer(bytes.subarray(first, last + 1), { ...whole, 'content-range': `bytes ${first}-${last}/${bytes.length}` }, 206)
}

/** RFC 9110 section 13.1.2: weak comparison. */
function matches(header: string | null, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
