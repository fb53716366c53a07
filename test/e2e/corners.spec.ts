import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BROWSER_NAMES, type BrowserUnderTest, type TabUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { scriptedPage } from '../support/sites.ts'
import { pause, until } from '../support/until.ts'
import { World } from '../support/world.ts'

const WARNING = /\/extension\/warning\/index\.html/
const LISTED = ['early.test', 'two.test', 'www.two.test', 'redir.test', 'damaged.test', 'late.test', 'paths.test/listed/page.html']

describe.each(BROWSER_NAMES)('corners: %s', (name) => {
  let world: World
  let browser: BrowserUnderTest
  let extension: Extension

  beforeAll(async () => {
    world = await World.start(name, { serving: false })
    for (const host of ['good.test', 'other.test']) world.sites.route(host, '/', scriptedPage(host))
    for (const host of [...LISTED.slice(0, -1), 'new.test']) world.sites.route(host, '/', scriptedPage(host), { latencyMs: 20 })
    await world.publish(LISTED)
    browser = await launchBrowser(name, { extensionDir: world.extensionDir })
    extension = new Extension(browser)
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })
  beforeEach(() => world.clearLogs())

  async function tabAtGood(): Promise<TabUnderTest> {
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('good.test'))
    return tab
  }

  async function openOnce(tab: TabUnderTest): Promise<void> {
    await tab.waitForSelector('body[data-kind="threat"]')
    await tab.click('#details summary')
    await tab.click('#proceed')
  }

  test('a listed page that was open before the first list came gets the warning when it comes', async () => {
    const tab = await tabAtGood()
    await tab.goto(world.sites.url('early.test'))
    expect(await tab.text('h1')).toBe('early.test')
    await world.up()
    await extension.update()
    await tab.waitForUrl(WARNING)
    await tab.close()
  })

  test('a page with two listed expressions opens after both were allowed', async () => {
    const tab = await tabAtGood()
    await tab.goto(world.sites.url('www.two.test'))
    const first = await tab.waitForUrl(WARNING)
    await openOnce(tab)
    const second = await tab.waitForUrl((url) => WARNING.test(url) && url !== first)
    expect(second).not.toBe(first)
    await openOnce(tab)
    await tab.waitForUrl(world.sites.url('www.two.test'))
    await tab.goto(world.sites.url('good.test'))
    await tab.goto(world.sites.url('www.two.test'))
    await tab.waitForUrl(WARNING)
    await tab.close()
  })

  test('opening once through a redirect leaves the block of the host standing', async () => {
    world.sites.route('www.redir.test', '/', () => ({ status: 302, headers: { location: world.sites.url('redir.test') } }))
    const tab = await tabAtGood()
    await tab.goto(world.sites.url('www.redir.test'))
    await tab.waitForUrl(WARNING)
    await extension.untilStanding('redir.test')
    await openOnce(tab)
    await until('the page', async () => (await tab.text('h1')) === 'redir.test')
    await extension.untilStanding('redir.test')
    await tab.goto(world.sites.url('good.test'))
    world.clearLogs()
    await tab.goto(world.sites.url('redir.test'))
    await tab.waitForUrl(WARNING)
    expect(world.sites.sentTo('redir.test')).toEqual([])
    await tab.close()
  })

  test('a verdict that comes late does not mark the page that the tab shows by then', async () => {
    world.fault = async (request) => {
      if (request.url.includes('/v5/hashes:search')) await pause(1500)
      return undefined
    }
    const tab = await tabAtGood()
    const asked = until('the question', () => world.requests.some(({ path }) => path.startsWith('/v5/hashes')))
    const visit = tab.goto(world.sites.url('late.test'))
    await asked
    const other = tab.goto(world.sites.url('other.test'))
    await Promise.all([visit, other])
    await pause(2000)
    world.fault = undefined
    expect(await tab.url()).toBe(world.sites.url('other.test'))
    expect(await extension.verdictOf(world.sites.url('other.test'))).toMatchObject({ kind: 'safe' })
    expect(await extension.verdictOf(world.sites.url('late.test'))).toBeUndefined()
    await tab.close()
  })

  test('a visit that is overtaken leaves no block behind', async () => {
    world.sites.route('paths.test', '/listed/page.html', scriptedPage('Listed'), { latencyMs: 20 })
    world.sites.route('paths.test', '/ok', scriptedPage('Ok'))
    for (const delay of [0, 5, 10, 20, 40]) {
      const tab = await tabAtGood()
      await tab.evaluate(
        (listed: string, ok: string, ms: number) => {
          location.href = listed
          setTimeout(() => {
            location.href = ok
          }, ms)
        },
        world.sites.url('paths.test', '/listed/page.html'),
        world.sites.url('paths.test', '/ok'),
        delay,
      )
      await pause(600)
      await tab.goto(world.sites.url('good.test'))
      await tab.goto(world.sites.url('paths.test', '/ok'))
      expect(await tab.text('h1'), `after ${delay} ms`).toBe('Ok')
      await tab.close()
    }
  })

  test('with a damaged database the popup says so, and what was confirmed in Chromium stays blocked', async () => {
    const tab = await tabAtGood()
    await tab.goto(world.sites.url('damaged.test'))
    await tab.waitForUrl(WARNING)
    await extension.untilStanding('damaged.test')
    await tab.goto(world.sites.url('good.test'))
    await world.down()
    await extension.damage()
    await until('the damage is noticed', async () => (await extension.protection()).state === 'damaged')
    world.clearLogs()
    if (name === 'chromium') {
      await tab.goto(world.sites.url('damaged.test'))
      await tab.waitForUrl(WARNING)
      expect(world.sites.sentTo('damaged.test')).toEqual([])
      await extension.untilStanding('damaged.test')
    }
    await tab.goto(world.sites.url('other.test'))
    expect(await extension.verdictOf(world.sites.url('other.test'))).toMatchObject({ kind: 'unchecked', reason: 'damaged' })
    await world.up()
    await extension.update()
    expect(await extension.protection()).toEqual({ state: 'protected' })
    await tab.close()
  })
})
