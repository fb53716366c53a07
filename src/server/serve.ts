import { serve as listen } from '@hono/node-server'
import type { Logger } from '../ports.ts'
import type { App } from './app.ts'
import type { PublishedStore } from './published-store.ts'

/** How often the published folder is looked at. */
const POLL_MS = 1000

export interface RunningServer {
  /** Such as `http://127.0.0.1:8750`. */
  readonly url: string
  /** Ends connections and the watching of the folder. */
  close(): Promise<void>
}

export interface ServeOptions {
  readonly app: App
  readonly store: PublishedStore
  readonly logger: Logger
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 8750; 0 takes a free one. */
  readonly port?: number
}

/** Serves the app over HTTP and follows what is published. Rejects when the port cannot be had. */
export async function serve({ app, store, logger, host = '127.0.0.1', port = 8750 }: ServeOptions): Promise<RunningServer> {
  store.reload()
  const server = listen({ fetch: (request) => app.fetch(request), hostname: host, port })
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', reject)
  })
  const watch = setInterval(() => store.reload(), POLL_MS)
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`
  logger.info('serving', { url })
  return {
    url,
    close: async () => {
      clearInterval(watch)
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise<void>((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())))
    },
  }
}
