import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGE_PATHS } from '../../extension/messaging/messages.ts'
import { fromHex } from '../../src/bytes.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { encodeBatch } from '../../src/protocol/hash-list-message.ts'
import { encodeSearchAnswer } from '../../src/protocol/search-message.ts'
import { BROWSER_NAMES, type BrowserUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { HttpServer, status } from '../support/http-server.ts'
import { fullUpdate, TestPublisher } from '../support/signed-list.ts'
import { scriptedPage } from '../support/sites.ts'
import { until } from '../support/until.ts'
import { World } from '../support/world.ts'

const WARNING = /\/extension\/warning\/index\.html/
const KEY = 'AIzaSyTest-key_of-nobody-0123456789abc'
/** v5's number of SOCIAL_ENGINEERING (test/vectors/sb_v5_protocol.json). */
const SOCIAL_ENGINEERING = 2
/** On the list by its first bytes; Google knows no full hash of it any more. */
const LISTED = ['evil.test', 'collides.test', 'gone.test']

/* A stand-in that speaks the protocol's own text over HTTP: no signed state, an API key in the query, hashes:search. */
describe.each(BROWSER_NAMES)('Google Safe Browsing with a key of one’s own: %s', (name) => {
  let world: World
  let google: HttpServer
  let browser: BrowserUnderTest
  let extension: Extension
  let refuses = false

  beforeAll(async () => {
    world = await World.start(name)
    await world.publish(['other.test'])
    for (const host of [...LISTED, 'good.test']) world.sites.route(host, '/', scriptedPage(host), { latencyMs: 20 })
    const expressions = LISTED.map((host) => `${host}/`)
    const list = { ...fullUpdate(new TestPublisher(), { name: 'se-4b', expressions, testEntries: false }), signed: undefined }
    google = await HttpServer.start((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', google.origin)
      response.setHeader('access-control-allow-origin', '*')
      if (refuses || searchParams.get('key') !== KEY) {
        status(403, { error: { code: 403, message: 'API key not valid', status: 'PERMISSION_DENIED' } })(request, response)
        return
      }
      const body = pathname === '/v5/hashLists:batchGet' ? encodeBatch([list]) : searchAnswer(searchParams.get('hashPrefixes') ?? '')
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(body)
    })
    browser = await launchBrowser(name, { extensionDir: world.extensionDir })
    extension = new Extension(browser)
    await extension.untilProtected()
    await extension.ask('settings:save', {
      settings: { sources: [{ kind: 'google', apiKey: KEY, lists: ['se-4b'], server: google.origin }] },
    })
    await until('Google’s list', async () =>
      (await extension.status()).sources.some(({ id, lists }) => id === 'google' && lists.length > 0),
    )
  })
  afterAll(async () => {
    await browser?.close()
    await google?.stop()
    await world?.stop()
  })

  /** Of evil.test its own hash; of collides.test another with the same first bytes; of gone.test nothing. */
  function searchAnswer(asked: string): Uint8Array {
    const prefix = Buffer.from(asked, 'base64url').toString('hex')
    const hashes = LISTED.map((host) => Buffer.from(fullHash(`${host}/`)).toString('hex')).filter((hash) => hash.startsWith(prefix))
    const fullHashes = hashes.flatMap((hash, i) => {
      const host = LISTED[LISTED.findIndex((each) => Buffer.from(fullHash(`${each}/`)).toString('hex') === hash)]
      if (host === 'gone.test' || i > 0) return []
      const known = host === 'evil.test' ? hash : hash.slice(0, 8) + '0'.repeat(56)
      return [{ hash: fromHex(known), details: [{ threatType: SOCIAL_ENGINEERING, attributes: [] }] }]
    })
    return encodeSearchAnswer({ cacheDurationMs: 300_000, fullHashes })
  }

  test('a listed page gets the warning, with the notice that Google’s terms ask for', async () => {
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('good.test'))
    await tab.goto(world.sites.url('evil.test'))
    await tab.waitForUrl(WARNING)
    await tab.waitForSelector('body[data-kind="threat"]')
    expect(await tab.text('#advisory')).toContain('Advisory provided by Google')
    expect(world.sites.ranOn('evil.test')).toEqual([])
    expect(google.seen.map(({ target }) => new URL(target, google.origin).pathname)).toContain('/v5/hashes:search')
    // Nothing of it goes to the other source.
    expect(world.requests.filter(({ path }) => path.startsWith('/v5/hashes'))).toEqual([])
    await tab.close()
  })

  test('a collision opens, and so does a page of which Google knows nothing any more: the protocol says that it is safe', async () => {
    const tab = await browser.newPage()
    for (const host of ['collides.test', 'gone.test']) {
      await tab.goto(world.sites.url(host))
      await tab.waitForUrl(world.sites.url(host))
      await until(`the page of ${host}`, async () => (await tab.text('h1')) === host)
      expect(await extension.verdictOf(world.sites.url(host))).toMatchObject({ kind: 'safe' })
    }
    await tab.close()
  })

  test('the warning of another source says nothing of Google', async () => {
    world.sites.route('other.test', '/', scriptedPage('other.test'), { latencyMs: 20 })
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('good.test'))
    await tab.goto(world.sites.url('other.test'))
    await tab.waitForUrl(WARNING)
    await tab.waitForSelector('body[data-kind="threat"]')
    expect(await tab.text()).not.toContain('Google')
    await tab.close()
  })

  test('a key that is refused is named in the popup; the list stays', async () => {
    refuses = true
    await extension.ask('settings:save', { settings: { sources: [] } })
    await extension.ask('settings:save', {
      settings: { sources: [{ kind: 'google', apiKey: KEY, lists: ['se-4b'], server: google.origin }] },
    })
    await until('the refusal', async () => {
      const source = (await extension.status()).sources.find(({ id }) => id === 'google')
      return source?.update.lastError?.message.includes('API key not valid')
    })
    const popup = await browser.openExtensionPage(PAGE_PATHS.popup)
    await until('the reason in the popup', async () => (await popup.text()).includes('http-status'))
    await popup.close()
  })
})
