import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { asWaryError, WaryError } from '../errors.ts'
import type { Logger } from '../ports.ts'
import { fileFault } from '../publisher/file-fault.ts'
import type { App } from './app.ts'
import { DEFAULT_LIMITS, type ServerLimits } from './limits.ts'
import type { PublishedStore } from './published-store.ts'

/** How often the published folder is looked at. */
const POLL_MS = 1000
/** Node looks for requests that take too long at this interval at most. */
const LONGEST_CHECK_MS = 5000
/** Beside the address: a browser's own header fields. */
const OTHER_HEADER_BYTES = 16 * 1024

export const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_PORT = 8750

export interface RunningServer {
  /** Such as `http://127.0.0.1:8750`. */
  readonly url: string
  /** Takes no more requests, lets those under way end (2 s at most), and stops watching the folder. */
  close(): Promise<void>
}

export interface ServeOptions {
  readonly app: App
  readonly store: PublishedStore
  readonly logger: Logger
  readonly limits?: ServerLimits
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 8750; 0 takes a free one. */
  readonly port?: number
}

/**
 * Serves the app over HTTP and follows what is published.
 * @throws {WaryError} `serve-failed` when it cannot listen
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { app, store, logger, limits = DEFAULT_LIMITS, host = DEFAULT_HOST, port = DEFAULT_PORT } = options
  store.reload()
  const server = createServer(
    {
      requestTimeout: limits.requestMs,
      headersTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(limits.requestMs, LONGEST_CHECK_MS),
      maxHeaderSize: limits.urlLength + OTHER_HEADER_BYTES,
    },
    getRequestListener((request) => app.fetch(request), { hostname: host }),
  )
  server.setTimeout(limits.idleMs)
  const url = await listening(server, host, port)
  const poll = setInterval(() => store.reload(), POLL_MS)
  logger.info('serving', { url })
  return {
    url,
    close: () => {
      clearInterval(poll)
      return closed(server, limits.stopMs)
    },
  }
}

async function listening(server: Server, host: string, port: number): Promise<string> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  } catch (error) {
    const reason =
      fileFault(error) === 'EADDRINUSE'
        ? `port ${port} of ${host} is taken: end what uses it, or choose another port`
        : `cannot listen on port ${port} of ${host}: ${asWaryError(error).message}`
    throw new WaryError('serve-failed', reason, { cause: error })
  }
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return serverUrl(host, bound)
}

/** An IPv6 address stands in brackets. */
export function serverUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function closed(server: Server, stopMs: number): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())))
  server.closeIdleConnections()
  const force = setTimeout(() => server.closeAllConnections(), stopMs)
  try {
    await ended
  } finally {
    clearTimeout(force)
  }
}
