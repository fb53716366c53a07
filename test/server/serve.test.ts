import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { toBase64 } from '../../src/bytes.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { decodeSearchAnswer } from '../../src/protocol/search-message.ts'
import { type App, createApp } from '../../src/server/app.ts'
import { DEFAULT_LIMITS, type ServerLimits } from '../../src/server/limits.ts'
import { serve, serverUrl } from '../../src/server/serve.ts'
import { dataFolder } from '../support/publisher.ts'
import { until } from '../support/until.ts'

async function running(options: { app?: App; limits?: ServerLimits; host?: string } = {}) {
  const data = dataFolder()
  await data.put(['evil.test'])
  const app = options.app ?? createApp(data)
  const server = await serve({ ...data, ...options, app, port: 0 })
  let closed: Promise<void> | undefined
  const close = () => (closed ??= server.close())
  onTestFinished(close)
  return { ...data, url: server.url, port: Number(new URL(server.url).port), close }
}

/** What comes back for raw bytes, until the server ends the connection. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}

test('serves over HTTP, with lengths, and follows what is published', async () => {
  const { url, put } = await running()
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const prefix = encodeURIComponent(toBase64(fullHash('evil.test/').subarray(0, 4)))
  const answer = await fetch(`${url}/v5/hashes:search?hashPrefixes=${prefix}`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  expect(decodeSearchAnswer(bytes).fullHashes).toHaveLength(1)
  const head = await fetch(`${url}/v5/hashList/se-4b`, { method: 'HEAD' })
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100)
  const filter = await fetch(`${url}/v1/filters/se-4b`)
  const again = await fetch(`${url}/v1/filters/se-4b`, { headers: { 'if-none-match': filter.headers.get('etag') ?? '' } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  await put(['evil.test', 'new.test'])
  await until('the new version is served', async () => (await (await fetch(`${url}/healthz`)).text()).includes('"sequence":2'), 5000)
})

test('takes a request of 1,000 prefixes, and says what it does not take', async () => {
  const { url, port } = await running()
  const query = Array.from({ length: 1000 }, (_, i) => `hashPrefixes=${encodeURIComponent(toBase64(fullHash(`${i}`).subarray(0, 4)))}`)
  expect((await fetch(`${url}/v5/hashes:search?${query.join('&')}`)).status).toBe(200)
  const long = await fetch(`${url}/v5/hashes:search?${'x'.repeat(DEFAULT_LIMITS.urlLength)}`)
  expect([long.status, await long.json()]).toMatchObject([414, { error: { status: 'INVALID_ARGUMENT' } }])
  expect(await raw(port, `GET /?${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
})

test('is not moved by malformed requests', async () => {
  const { url, port } = await running()
  expect(await raw(port, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  expect(await raw(port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  expect(await raw(port, 'GET / HTTP/1.1\r\nHost: a b/c?d\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  expect(await raw(port, 'GET http:// HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  expect(await raw(port, 'TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 (400|405|501) /)
  expect(await raw(port, 'POST /v5/hashes:search HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello')).toMatch(
    /^HTTP\/1\.1 405 /,
  )
  expect(await raw(port, 'GET /v5/hashList/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 40[04] /)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

test('serves test pages by the name in the Host header', async () => {
  const { port } = await running()
  const html = await new Promise<string>((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: '/', headers: { host: `phishing.wary.test:${port}` } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks).toString()))
    })
    request.on('error', reject)
    request.end()
  })
  expect(html).toContain('Test page: phishing')
})

test('a request that does not arrive in time is ended', async () => {
  const { port } = await running({ limits: { ...DEFAULT_LIMITS, requestMs: 200 } })
  const began = Date.now()
  expect(await raw(port, 'GET / HTTP/1.1\r\nHost: a\r\n')).toMatch(/^HTTP\/1\.1 408 /)
  expect(Date.now() - began).toBeLessThan(3000)
})

test('stops in order: a request under way is answered, an idle connection closed, nothing new taken', async () => {
  let release: () => void = () => undefined
  let arrived: () => void = () => undefined
  const under = new Promise<void>((resolve) => (arrived = resolve))
  const app: App = {
    fetch: async () => {
      arrived()
      await new Promise<void>((resolve) => (release = resolve))
      return new Response('done')
    },
  }
  const { url, port, close } = await running({ app })
  const idle = connect(port, '127.0.0.1')
  await new Promise((resolve) => idle.once('connect', resolve))
  const idleEnded = new Promise((resolve) => idle.once('close', resolve))
  const answer = fetch(`${url}/`)
  await under
  const closed = close()
  await expect(fetch(`${url}/`)).rejects.toThrow()
  release()
  expect(await (await answer).text()).toBe('done')
  await closed
  await idleEnded
})

test('and does not wait for ever for one that does not end', async () => {
  let arrived: () => void = () => undefined
  const under = new Promise<void>((resolve) => (arrived = resolve))
  const app: App = {
    fetch: () => {
      arrived()
      return new Promise<Response>(() => undefined)
    },
  }
  const { url, close } = await running({ app, limits: { ...DEFAULT_LIMITS, stopMs: 100 } })
  const answer = fetch(`${url}/`)
  await under
  const began = Date.now()
  await Promise.all([close(), expect(answer).rejects.toThrow()])
  expect(Date.now() - began).toBeLessThan(2000)
})

test('says why it cannot listen', async () => {
  const { port, store, logger, app } = { ...(await running()), app: { fetch: () => new Response() } }
  await expect(serve({ app, store, logger, port })).rejects.toThrow(
    expect.objectContaining({
      code: 'serve-failed',
      message: `port ${port} of 127.0.0.1 is taken: end what uses it, or choose another port`,
    }),
  )
  await expect(serve({ app, store, logger, host: '192.0.2.1', port: 0 })).rejects.toThrow(
    expect.objectContaining({ code: 'serve-failed', message: expect.stringMatching(/cannot listen on port 0 of 192\.0\.2\.1/) }),
  )
})

test('an IPv6 address stands in brackets', () => {
  expect(serverUrl('::1', 8750)).toBe('http://[::1]:8750')
  expect(serverUrl('127.0.0.1', 8750)).toBe('http://127.0.0.1:8750')
})
