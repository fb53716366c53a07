import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fullHash } from '../../src/hash/full-hash.ts'
import { encodeBatch } from '../../src/protocol/hash-list-message.ts'
import { GoogleSource } from '../../src/update/google-source.ts'
import { type Acquisition, BLANK_MEMORY } from '../../src/update/source.ts'
import { FakeClock, RecordingLogger } from '../support/fakes.ts'
import { HttpServer, protobuf, status } from '../support/http-server.ts'
import { fullUpdate, TestPublisher } from '../support/signed-list.ts'

/* A stand-in that speaks the protocol's own text (hashLists.batchGet): no signed state, a key in the query. */

const KEY = 'AIzaSyTest-key_of-nobody-0123456789abc'
const publisher = new TestPublisher()
const update = (name: string, expressions: readonly string[], sequence = 1) => ({
  ...fullUpdate(publisher, { name, expressions, sequence, testEntries: false, minimumWaitMs: 1_800_000 }),
  signed: undefined,
})

let server: HttpServer
let logger: RecordingLogger

beforeEach(async () => {
  logger = new RecordingLogger()
  server = await HttpServer.start(protobuf(encodeBatch([update('se-4b', ['evil.test/']), update('mw-4b', ['worse.test/'])])))
})
afterEach(() => server.stop())

const make = () =>
  new GoogleSource({ server: server.origin, apiKey: KEY, lists: ['se-4b', 'mw-4b'], fetch, clock: new FakeClock(), logger })
const acquisition = (held: Acquisition['held'] = []): Acquisition => ({
  held,
  memory: BLANK_MEMORY,
  signal: new AbortController().signal,
  onProgress: () => undefined,
})

describe('Google Safe Browsing with a key of one’s own', () => {
  it('takes lists that nobody signed, and names the key in the address only', async () => {
    const { lists, minimumWaitsMs } = await make().acquire(acquisition())
    expect(lists.map(({ stored }) => [stored.source, stored.list.name, stored.state])).toEqual([
      ['google', 'se-4b', undefined],
      ['google', 'mw-4b', undefined],
    ])
    expect(lists[0]?.stored.list.has(fullHash('evil.test/'))).toBe(true)
    expect(minimumWaitsMs).toEqual([1_800_000, 1_800_000])
    expect(server.seen[0]?.target).toBe(`/v5/hashLists:batchGet?names=se-4b&names=mw-4b&key=${KEY}`)
    expect(JSON.stringify(logger.lines)).not.toContain(KEY)
  })

  it('asks for a list anew whose delta does not fit, and for that alone', async () => {
    const source = make()
    const held = (await source.acquire(acquisition())).lists.map(({ stored }) => stored)
    const next = update('se-4b', ['evil.test/', 'more.test/'], 2)
    server.answer = (request, response) => {
      const versions = new URL(request.url ?? '', server.origin).searchParams.getAll('version')
      const wrong = { ...next, partial: true, additions: undefined, removals: new Uint32Array([0]) }
      const same = { ...update('mw-4b', ['worse.test/']), partial: true, additions: undefined, checksum: new Uint8Array(0) }
      protobuf(encodeBatch([versions[0] ? wrong : next, same]))(request, response)
    }
    const { lists } = await source.acquire(acquisition(held))
    expect(lists.map(({ change }) => change)).toEqual(['entries', 'none'])
    expect(lists[0]?.stored.list.count).toBe(2)
    expect(server.seen.length).toBe(3)
    expect(logger.events()).toEqual(['update-again'])
  })

  it('a key that is refused is named by Google’s own words', async () => {
    server.answer = status(403, { error: { code: 403, message: 'API key not valid', status: 'PERMISSION_DENIED' } })
    await expect(make().acquire(acquisition())).rejects.toMatchObject({
      code: 'http-status',
      message: 'the server answered 403: API key not valid',
    })
  })
})
