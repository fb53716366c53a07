import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WaryError } from '../../src/errors.ts'
import { type DownloadOptions, download } from '../../src/protocol/download.ts'
import { announcing, endless, HttpServer, html, protobuf, silent, status, truncated } from '../support/http-server.ts'

let server: HttpServer
beforeEach(async () => {
  server = await HttpServer.start(protobuf(new Uint8Array([1, 2, 3])))
})
afterEach(() => server.stop())

function get(options: Partial<DownloadOptions> = {}) {
  return download(`${server.origin}/thing?secret=YWJjZA`, { fetch, limitBytes: 1000, timeoutMs: 2000, ...options })
}

async function failure(options: Partial<DownloadOptions> = {}): Promise<WaryError> {
  const error: unknown = await get(options).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof WaryError)) throw new Error(`not a WaryError: ${String(error)}`)
  expect(error.message).not.toContain('YWJjZA')
  return error
}

describe('download', () => {
  it('gets the body and reports progress', async () => {
    const progress: [number, number | undefined][] = []
    const { bytes, short } = await get({ onProgress: (received, total) => progress.push([received, total]) })
    expect([...bytes]).toEqual([1, 2, 3])
    expect(short).toBe(false)
    expect(progress).toEqual([
      [0, 3],
      [3, 3],
    ])
  })

  it('accepts parameters of the content type', async () => {
    server.answer = (_, response) => response.writeHead(200, { 'content-type': 'Application/X-Protobuf; charset=utf-8' }).end()
    expect((await get()).bytes.length).toBe(0)
  })

  it('sends the same headers every time, and nothing that identifies', async () => {
    await get()
    await get()
    const [first, second] = server.seen
    expect(first).toEqual(second)
    expect(first?.method).toBe('GET')
    expect(first?.headers['accept']).toBe('application/x-protobuf')
    expect(Object.keys(first?.headers ?? {})).not.toContain('cookie')
    expect(Object.keys(first?.headers ?? {})).not.toContain('referer')
  })

  it('hands the privacy settings to fetch', async () => {
    const inits: RequestInit[] = []
    await get({
      fetch: (url, init) => {
        inits.push(init)
        return fetch(url, init)
      },
    })
    const { signal: _, ...init } = inits[0] ?? {}
    expect(init).toEqual({
      method: 'GET',
      headers: { accept: 'application/x-protobuf' },
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      redirect: 'error',
      mode: 'cors',
    })
  })

  it('names a server that cannot be reached', async () => {
    await server.stop()
    expect(await failure()).toMatchObject({ code: 'http-network', message: 'the server cannot be reached (ECONNREFUSED)' })
  })

  it('follows no redirect', async () => {
    server.answer = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()
    expect((await failure()).code).toBe('http-network')
    expect(server.seen.length).toBe(1)
  })

  it("names the status with the message of Google's error shape", async () => {
    server.answer = status(503, { error: { code: 503, message: 'The service is currently unavailable.', status: 'UNAVAILABLE' } })
    expect(await failure()).toMatchObject({
      code: 'http-status',
      message: 'the server answered 503: The service is currently unavailable.',
    })
  })

  it.each([[null], [[]], [{ error: 'x' }], [{ error: { message: 7 } }], ['x'.repeat(100_000)]])(
    'names the status alone for other bodies',
    async (body) => {
      server.answer = status(500, body)
      expect(await failure()).toMatchObject({ code: 'http-status', message: 'the server answered 500' })
    },
  )

  it('names the status alone for an error page', async () => {
    server.answer = (_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>')
    expect(await failure()).toMatchObject({ code: 'http-status', message: 'the server answered 404' })
  })

  it('refuses HTML', async () => {
    server.answer = html()
    expect(await failure()).toMatchObject({ code: 'http-type' })
  })

  it('refuses a body without a type', async () => {
    server.answer = (_, response) => response.writeHead(200).end()
    expect(await failure()).toMatchObject({ code: 'http-type', message: 'expected application/x-protobuf, the server sent no type' })
  })

  it('refuses a Content-Length of 2 GB before the body', async () => {
    server.answer = announcing(2 * 1024 ** 3)
    expect((await failure()).code).toBe('http-too-large')
  })

  it('stops an endless body at the limit', async () => {
    server.answer = endless(64 * 1024)
    expect((await failure({ limitBytes: 1024 * 1024 })).code).toBe('http-too-large')
  })

  it('names a body that ends early', async () => {
    server.answer = truncated(new Uint8Array(800), 100)
    expect((await failure()).code).toBe('http-truncated')
  })

  it('tells when fewer bytes came than were announced', async () => {
    const response = new Response(new Uint8Array(3), { headers: { 'content-type': 'application/x-protobuf', 'content-length': '10' } })
    expect((await get({ fetch: async () => response })).short).toBe(true)
  })

  it('stops announcing a total that has been exceeded', async () => {
    const totals: (number | undefined)[] = []
    const response = new Response(new Uint8Array(30), { headers: { 'content-type': 'application/x-protobuf', 'content-length': '10' } })
    await get({ fetch: async () => response, onProgress: (_, total) => totals.push(total) })
    expect(totals).toEqual([10, undefined])
  })

  it('ends a silent server by the total timeout', async () => {
    server.answer = () => undefined
    expect(await failure({ timeoutMs: 60 })).toMatchObject({ code: 'http-timeout', message: 'no complete answer within 60 ms' })
  })

  it('counts the body into the total timeout', async () => {
    server.answer = silent()
    expect(await failure({ timeoutMs: 60 })).toMatchObject({ code: 'http-timeout', message: 'no complete answer within 60 ms' })
  })

  it('ends a stuck body by the idle timeout', async () => {
    server.answer = announcing(900)
    expect(await failure({ idleTimeoutMs: 60 })).toMatchObject({ code: 'http-timeout', message: 'nothing received for 60 ms' })
  })

  it('restarts the idle timeout with every chunk', async () => {
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-protobuf' })
      let chunks = 0
      const timer = setInterval(() => {
        response.write(new Uint8Array(1))
        if (++chunks < 5) return
        clearInterval(timer)
        response.end()
      }, 60)
    }
    expect((await get({ idleTimeoutMs: 200 })).bytes.length).toBe(5)
  })

  it('holds its timeout with a fetch that ignores the signal', async () => {
    expect((await failure({ timeoutMs: 30, fetch: () => new Promise(() => undefined) })).code).toBe('http-timeout')
  })

  it("rejects with the caller's reason when aborted", async () => {
    server.answer = silent()
    const controller = new AbortController()
    const reason = new Error('enough')
    const going = get({ signal: controller.signal })
    setTimeout(() => controller.abort(reason), 30)
    await expect(going).rejects.toBe(reason)
    await expect(get({ signal: controller.signal })).rejects.toBe(reason)
  })

  it('closes the connection of a refused body', async () => {
    const closed = new Promise<void>((resolve) => {
      server.answer = (request, response) => {
        response.on('close', resolve)
        announcing(2 * 1024 ** 3)(request, response)
      }
    })
    await failure({ timeoutMs: 60_000 })
    await closed
  })
})
