import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGE_PATHS } from '../../extension/messaging/messages.ts'
import { toHex } from '../../src/bytes.ts'
import { keySetFingerprint, singleKey } from '../../src/lists/key-set.ts'
import { BROWSER_NAMES, type BrowserUnderTest, type TabUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { HttpServer, status } from '../support/http-server.ts'
import { scriptedPage } from '../support/sites.ts'
import { until } from '../support/until.ts'
import { World } from '../support/world.ts'

const WARNING = /\/extension\/warning\/index\.html/

/* Lists from several places at once, added and removed as a person does it: on the settings page. */
describe.each(BROWSER_NAMES)('more sources: %s', (name) => {
  let world: World
  let feed: HttpServer
  let browser: BrowserUnderTest
  let extension: Extension

  beforeAll(async () => {
    world = await World.start(name)
    for (const host of ['listed.test', 'feed.test', 'good.test']) world.sites.route(host, '/', scriptedPage(host), { latencyMs: 20 })
    await world.publish(['listed.test'])
    // As web space that lets other origins read, so that no permission needs to be asked for.
    feed = await HttpServer.start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'access-control-allow-origin': '*' }).end('||feed.test^\n')
    })
    browser = await launchBrowser(name, { extensionDir: world.extensionDir })
    extension = new Extension(browser)
    await extension.untilProtected()
  })
  afterAll(async () => {
    await browser?.close()
    await feed?.stop()
    await world?.stop()
  })

  async function options(): Promise<TabUnderTest> {
    const page = await browser.openExtensionPage(PAGE_PATHS.options)
    await page.waitForSelector('body[data-state="shown"]')
    return page
  }

  async function choose(page: TabUnderTest, kind: string, text: string): Promise<void> {
    await page.click(`#source-form input[value="${kind}"]`)
    await page.fill('#source-text', text)
    await page.click('#source-check')
  }

  async function shows(host: string): Promise<boolean> {
    const tab = await browser.newPage()
    await tab.goto(world.sites.url(host))
    const warned = await until('the page or the warning', async () => {
      const url = await tab.url()
      return WARNING.test(url) ? 'warning' : url.includes(host) && (await tab.text('h1')) === host ? 'page' : undefined
    })
    await tab.close()
    return warned === 'warning'
  }

  test('a subscribe link is confirmed with server, fingerprint and what its publisher can do; a wrong one is refused', async () => {
    const fingerprint = toHex(keySetFingerprint(singleKey(world.key.publicKey)))
    const page = await options()
    await choose(page, 'filter', 'http://lists.example/#wary=12')
    await page.waitForSelector('#source-problem')
    expect(await page.text('#source-problem')).toContain('setting-invalid')
    // The same server under its other name: as another publisher's would be.
    const address = world.serverUrl.replace('127.0.0.1', 'localhost')
    await choose(page, 'filter', `${address}/#wary=${fingerprint}`)
    await page.waitForSelector('#source-confirm')
    const question = await page.text('#source-confirm')
    expect(question).toContain(address)
    expect(question.replaceAll(/\s/g, '')).toContain(fingerprint)
    expect(question).toContain('can block pages')
    expect((await extension.status()).sources).toHaveLength(1)
    await page.click('#source-add')
    await page.waitForSelector(`#sources li[data-source="filter ${address}"]`)
    const held = await until('its filter', async () => {
      const source = (await extension.status()).sources.find(({ kind }) => kind === 'filter')
      return source?.lists.length === 1 ? source : undefined
    })
    expect(held.lists[0]).toMatchObject({ name: 'se-4b', filterOnly: true })
    await page.close()
  })

  test('a page that two sources list stays blocked when one of them is removed', async () => {
    expect(await shows('listed.test')).toBe(true)
    const page = await options()
    await page.click('#sources li[data-source^="filter"] button')
    await until('the removal', async () => (await extension.status()).sources.length === 1)
    expect(await page.text('#sources-status')).toContain('removed')
    await page.click('#source-undo')
    await until('the return', async () => (await extension.status()).sources.length === 2)
    await page.click('#sources li[data-source^="filter"] button')
    await until('the removal', async () => (await extension.status()).sources.length === 1)
    await page.close()
    expect(await shows('listed.test')).toBe(true)
  })

  test('a feed is fetched by the browser itself and blocks without any server', async () => {
    expect(await shows('feed.test')).toBe(false)
    await extension.ask('settings:save', {
      settings: { sources: [{ kind: 'feed', url: `${feed.origin}/feed.txt`, threatType: 'MALWARE' }] },
    })
    await until('its list', async () => {
      const source = (await extension.status()).sources.find(({ kind }) => kind === 'feed')
      return source?.lists[0]?.entries === 1
    })
    world.clearLogs()
    expect(await shows('feed.test')).toBe(true)
    expect(world.requests).toEqual([])
    const page = await options()
    await until('the feed on the page', async () => (await page.text('#sources')).includes('/feed.txt'))
    await page.close()
    const popup = await browser.openExtensionPage(PAGE_PATHS.popup)
    await popup.waitForSelector('[data-testid="list-mw-32b"]')
    expect(await popup.text('#lists')).toContain('unsigned')
    await popup.close()
  })

  test('every source is in force again after a restart, a feed also while its server is out of order', async () => {
    feed.answer = status(500, {})
    await browser.restart()
    await extension.untilProtected()
    expect((await extension.status()).sources.map(({ kind, lists }) => [kind, lists.length])).toEqual([
      ['wary', 1],
      ['feed', 1],
    ])
    expect(await shows('feed.test')).toBe(true)
    expect(await shows('listed.test')).toBe(true)
    expect(await shows('good.test')).toBe(false)
  })
})
