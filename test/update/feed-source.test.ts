import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readPlain } from '../../src/feeds/plain.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { FeedSource } from '../../src/update/feed-source.ts'
import { type Acquisition, BLANK_MEMORY } from '../../src/update/source.ts'
import { FakeClock } from '../support/fakes.ts'
import { HttpServer } from '../support/http-server.ts'

let server: HttpServer
let text: string
let type: string
let pauses: number

beforeEach(async () => {
  text = '# a feed\n0.0.0.0 evil.test\n||ads.test^\nhttp://page.test/a?b\nworse.test\n'
  type = 'text/plain'
  pauses = 0
  server = await HttpServer.start((request, response) => {
    const etag = `"${text.length}"`
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
    response.writeHead(200, { 'content-type': type, etag, 'cache-control': 'max-age=7200' }).end(text)
  })
})
afterEach(() => server.stop())

const make = () =>
  new FeedSource({
    id: `${server.origin}/feed.txt`,
    url: `${server.origin}/feed.txt`,
    threatType: 'SOCIAL_ENGINEERING',
    read: readPlain,
    fetch,
    clock: new FakeClock(),
    pause: async () => void pauses++,
  })
const acquisition = (held: Acquisition['held'] = []): Acquisition => ({
  held,
  memory: BLANK_MEMORY,
  signal: new AbortController().signal,
  onProgress: () => undefined,
})

describe('a feed as it stands on the web', () => {
  it('becomes full hashes: verdicts with no server', async () => {
    const { lists, minimumWaitsMs, remarks } = await make().acquire(acquisition())
    const [{ stored, change } = { stored: undefined, change: undefined }] = lists
    expect(change).toBe('entries')
    expect(stored).toMatchObject({
      source: `${server.origin}/feed.txt`,
      state: undefined,
      list: { name: 'se-32b', entryLength: 32, count: 4 },
    })
    for (const expression of ['evil.test/', 'ads.test/', 'page.test/a?b', 'worse.test/'])
      expect(stored?.list.has(fullHash(expression)), expression).toBe(true)
    expect(minimumWaitsMs).toEqual([7_200_000])
    expect(remarks).toEqual([])
  })

  it('is asked whether it has changed, and not read again when it has not', async () => {
    const source = make()
    const [first] = (await source.acquire(acquisition())).lists
    if (first === undefined) throw new Error('no list')
    const again = await source.acquire(acquisition([first.stored]))
    expect(again.lists).toEqual([{ stored: first.stored, change: 'none' }])
    expect(again.minimumWaitsMs).toEqual([3_600_000])
    text += 'more.test\n'
    const later = await source.acquire(acquisition([first.stored]))
    expect(later.lists[0]?.stored.list.count).toBe(5)
  })

  it('says which lines list nothing', async () => {
    text = 'evil.test\nnot a name\n@@||good.test^\n||pixel.test^$third-party\n'
    const { remarks } = await make().acquire(acquisition())
    expect(remarks).toHaveLength(1)
    expect(remarks?.[0]).toMatch(
      /^3 lines of the feed list nothing \(line 2: .*line 3: an exception.*line 4: a rule about parts of pages\)$/,
    )
  })

  it.each([
    ['a web page', '<!doctype html><h1>Sign in</h1>', 'feed-format'],
    ['nothing that could be listed', '# empty\n', 'feed-format'],
  ])('%s is refused', async (_, answer, code) => {
    text = answer
    type = 'text/html'
    await expect(make().acquire(acquisition())).rejects.toMatchObject({ code })
  })

  it('is sorted and without repeats, in slices that let navigations through', async () => {
    text = Array.from({ length: 3000 }, (_, i) => `evil${i % 1500}.test`).join('\n')
    const { lists } = await make().acquire(acquisition())
    expect(lists[0]?.stored.list.count).toBe(1500)
    expect(pauses).toBeGreaterThan(255)
  })
})
