/** In which form a client asks for what. */
export interface RequestForm {
  readonly request: Request
  readonly query: URLSearchParams
  /** JSON instead of protobuf. */
  readonly json: boolean
  /** JSON with Wary's own fields. */
  readonly wary: boolean
  /** What chose the form beside the address: caches must keep the two apart. */
  readonly vary: 'Accept' | undefined
}

/** `alt` or `$alt` in the query decides, as in Google's APIs, else the Accept field. */
export function formOf(request: Request): RequestForm {
  const { searchParams: query } = new URL(request.url)
  const alt = query.get('alt') ?? query.get('$alt')
  const json = alt === null ? /\bapplication\/json\b/i.test(request.headers.get('accept') ?? '') : alt.startsWith('json')
  return { request, query, json, wary: query.get('wary') === '1', vary: alt === null ? 'Accept' : undefined }
}
