import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pause } from './until.ts'

/** One HTTP request as it arrived. The sites' log is the witness of what a browser has sent. */
export interface SiteRequest {
  /** Without the port. */
  readonly host: string
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Of the request: its line, headers and body. */
  readonly bytes: number
  readonly body: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface SiteAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
}

export interface RouteOptions {
  /** Time from the whole request to the first byte of the answer. */
  readonly latencyMs?: number
}

type Route = RouteOptions & { readonly answer: (request: SiteRequest) => SiteAnswer | Promise<SiteAnswer> }

/** Where a page of `scriptedPage` reports that its script runs. */
const RAN = '/ran'

/**
 * A page whose script reports itself: "script ran" is then a line in the log (`ranOn`). `keepalive` lets the report out even when the page is
 * replaced at the same moment.
 */
export function scriptedPage(title: string, body = ''): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head>
<body><h1>${title}</h1>${body}<script>fetch('${RAN}?' + encodeURIComponent(location.pathname), { method: 'POST', keepalive: true })</script></body>
</html>
`
}

/** Real HTTP on loopback: many hosts on one port. The browsers of launch.ts resolve every *.test name to it. */
export class Sites {
  readonly log: SiteRequest[] = []
  readonly #routes = new Map<string, Route>()
  #server: Server | undefined
  #port = 0

  /** `port` 0 takes a free one. */
  async start(port = 0): Promise<void> {
    const server = createServer((incoming, response) => {
      this.#serve(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    this.#server = server
    const address = server.address() as AddressInfo
    this.#port = address.port
  }

  get port(): number {
    return this.#port
  }

  /** `http://HOST:PORT/path`. */
  url(host: string, path = '/'): string {
    return `http://${host}:${this.#port}${path}`
  }

  /**
   * What `host` answers at `path` (without a query; every query gets it): HTML text, or a function. Anything else gets a 404, which is logged as
   * well.
   */
  route(
    host: string,
    path: string,
    answer: string | ((request: SiteRequest) => SiteAnswer | Promise<SiteAnswer>),
    options: RouteOptions = {},
  ): void {
    this.#routes.set(`${host}${path}`, { ...options, answer: typeof answer === 'string' ? () => ({ body: answer }) : answer })
  }

  /** Requests that reached `host`, at `path` only if given. Icons count too: they are bytes on the wire. */
  sentTo(host: string, path?: string): SiteRequest[] {
    return this.log.filter((request) => request.host === host && (path === undefined || request.path.split('?')[0] === path))
  }

  /** Reports of pages of `scriptedPage`: paths whose script ran on `host`. */
  ranOn(host: string): string[] {
    return this.sentTo(host, RAN).map((request) => decodeURIComponent(request.path.slice(RAN.length + 1)))
  }

  clear(): void {
    this.log.length = 0
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming)
    this.log.push(request)
    const path = request.path.split('?')[0] ?? '/'
    const route = this.#routes.get(request.host + path)
    const answer: SiteAnswer = route ? await route.answer(request) : { status: path === RAN || path === '/favicon.ico' ? 204 : 404 }
    if (route?.latencyMs !== undefined) await pause(route.latencyMs)
    response.statusCode = answer.status ?? 200
    response.setHeader('content-type', 'text/html; charset=utf-8')
    // A cached page would hide that the browser wanted it again.
    response.setHeader('cache-control', 'no-store')
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
    response.end(answer.body)
  }
}

async function readRequest(incoming: IncomingMessage): Promise<SiteRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  const body = Buffer.concat(chunks)
  const method = incoming.method ?? 'GET'
  const path = incoming.url ?? '/'
  const lines = [`${method} ${path} HTTP/${incoming.httpVersion}`]
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    lines.push(`${incoming.rawHeaders[index]}: ${incoming.rawHeaders[index + 1]}`)
  }
  return {
    host: (incoming.headers.host ?? '').replace(/:\d+$/, '').toLowerCase(),
    method,
    path,
    headers: incoming.headers,
    bytes: Buffer.byteLength(lines.join('\r\n')) + 4 + body.length,
    body: body.toString('utf8'),
    at: Date.now(),
  }
}
