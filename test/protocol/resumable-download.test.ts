import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Parts, PartStore } from '../../src/protocol/part-store.ts'
import { downloadResumably } from '../../src/protocol/resumable-download.ts'
import { FakeClock, RecordingLogger } from '../support/fakes.ts'
import { HttpServer } from '../support/http-server.ts'

const BODY = Uint8Array.from({ length: 1_000_000 }, (_, i) => (i * 7) % 251)

class MemoryParts implements PartStore {
  kept: (Parts & { readonly key: string }) | undefined
  fail: Error | undefined
  appended = 0

  async load(key: string): Promise<Parts | undefined> {
    if (this.fail) throw this.fail
    return this.kept?.key === key ? this.kept : undefined
  }
  async begin(key: string, head: Omit<Parts, 'bytes'>): Promise<void> {
    if (this.fail) throw this.fail
    this.kept = { key, ...head, bytes: new Uint8Array(0) }
  }
  async append(bytes: Uint8Array): Promise<void> {
    if (this.fail || !this.kept) throw this.fail ?? new Error('nothing begun')
    this.appended++
    this.kept = { ...this.kept, bytes: Buffer.concat([this.kept.bytes, bytes]) }
  }
  async clear(): Promise<void> {
    this.kept = undefined
  }
}

let server: HttpServer
let parts: MemoryParts
let clock: FakeClock
let logger: RecordingLogger
/** Bytes after which the connection is cut; none by default. */
let cutAfter: number | undefined
let etag: string
let ranges: boolean

beforeEach(async () => {
  parts = new MemoryParts()
  clock = new FakeClock()
  logger = new RecordingLogger()
  cutAfter = undefined
  etag = '"one"'
  ranges = true
  server = await HttpServer.start((request, response) => {
    const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')
    const from = ranges && range && request.headers['if-range'] === etag ? Number(range[1]) : 0
    const body = BODY.subarray(from)
    response.writeHead(from > 0 ? 206 : 200, {
      'content-type': 'application/x-protobuf',
      'content-length': body.length,
      etag,
      ...(from > 0 ? { 'content-range': `bytes ${from}-${BODY.length - 1}/${BODY.length}` } : {}),
    })
    if (cutAfter === undefined) response.end(body)
    else response.write(body.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 50))
  })
})
afterEach(() => server.stop())

function fetched(onProgress: (received: number, total: number | undefined) => void = () => undefined) {
  const options = { fetch, parts, clock, logger, limitBytes: 2_000_000, timeoutMs: 5000, onProgress }
  return downloadResumably(`${server.origin}/list`, options)
}

describe('a download that was cut', () => {
  it('goes on where it stopped, and is the same body', async () => {
    cutAfter = 700_000
    await expect(fetched()).rejects.toMatchObject({ code: 'http-truncated' })
    expect(parts.kept?.bytes.length).toBeGreaterThanOrEqual(512 * 1024)
    const before = parts.kept?.bytes.length ?? 0
    cutAfter = undefined
    const progress: (number | undefined)[][] = []
    const { bytes, status } = await fetched((...step) => progress.push(step))
    expect(Buffer.from(bytes).equals(Buffer.from(BODY))).toBe(true)
    expect(status).toBe(200)
    expect(server.seen.at(-1)?.headers).toMatchObject({ range: `bytes=${before}-`, 'if-range': '"one"' })
    expect(progress[0]).toEqual([before, BODY.length])
    expect(progress.at(-1)).toEqual([BODY.length, BODY.length])
  })

  it('is asked for nothing any more once it was whole', async () => {
    await fetched()
    const { bytes } = await fetched()
    expect(bytes.length).toBe(BODY.length)
    expect(server.seen.length).toBe(1)
  })

  it.each([
    [
      'another body came meanwhile',
      () => {
        etag = '"two"'
      },
    ],
    [
      'the server knows no ranges',
      () => {
        ranges = false
      },
    ],
    ['it is over an hour old', () => clock.advance(61 * 60_000)],
  ])('begins anew where %s', async (_, change) => {
    cutAfter = 700_000
    await expect(fetched()).rejects.toMatchObject({ code: 'http-truncated' })
    cutAfter = undefined
    change()
    const { bytes } = await fetched()
    expect(Buffer.from(bytes).equals(Buffer.from(BODY))).toBe(true)
    expect(parts.kept).toMatchObject({ etag, totalBytes: BODY.length })
  })
})

it('keeps nothing of a weak ETag', async () => {
  etag = 'W/"weak"'
  await fetched()
  expect(parts.kept).toBeUndefined()
})

it('costs nothing but the resumption when parts cannot be kept', async () => {
  parts.fail = new Error('no room')
  const { bytes } = await fetched()
  expect(bytes.length).toBe(BODY.length)
  expect(logger.events()).toContain('download-not-kept')
})
