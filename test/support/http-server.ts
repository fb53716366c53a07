import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface SeenRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

/** A real HTTP server on loopback that answers every request by `answer` and remembers what it saw. */
export class HttpServer {
  answer: Answer
  readonly seen: SeenRequest[] = []
  readonly #server: Server
  #origin = ''

  private constructor(answer: Answer) {
    this.answer = answer
    this.#server = createServer((request, response) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      this.seen.push({ method: request.method ?? '', target: request.url ?? '', headers })
      this.answer(request, response)
    })
  }

  static async start(answer: Answer): Promise<HttpServer> {
    const server = new HttpServer(answer)
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    const address = server.#server.address()
    if (typeof address === 'object' && address) server.#origin = `http://127.0.0.1:${address.port}`
    return server
  }

  get origin(): string {
    return this.#origin
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

export function protobuf(body: Uint8Array): Answer {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-protobuf', 'content-length': body.length })
    response.end(body)
  }
}

export function html(): Answer {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end('<!doctype html><title>Sign in to this network</title>')
  }
}

export function status(code: number, body: unknown): Answer {
  return (_, response) => {
    response.writeHead(code, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(body))
  }
}

/** Says a length, sends less, and drops the connection. */
export function truncated(body: Uint8Array, sentBytes: number): Answer {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-protobuf', 'content-length': body.length })
    response.write(body.subarray(0, sentBytes), () => setTimeout(() => response.destroy(), 20))
  }
}

/** Headers with this Content-Length and a few bytes of body that never ends. */
export function announcing(length: number): Answer {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-protobuf', 'content-length': length })
    response.write(new Uint8Array(16))
  }
}

/** Chunks without Content-Length, as long as the client takes them. */
export function endless(chunkBytes: number): Answer {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-protobuf' })
    const more = (): void => {
      if (!response.destroyed) response.write(new Uint8Array(chunkBytes), more)
    }
    more()
  }
}

/** Headers at once, then nothing. */
export function silent(): Answer {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-protobuf' })
    response.flushHeaders()
  }
}
