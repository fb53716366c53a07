import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BROWSER_NAMES, type BrowserUnderTest, type TabUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { scriptedPage } from '../support/sites.ts'
import { pause, until } from '../support/until.ts'
import { World } from '../support/world.ts'

/** Latency of the listed sites: what a near server on the Internet takes at least (design section 2). */
const NEAR_MS = 20
const WARNING = /\/extension\/warning\/index\.html/
const LISTED = [
  'listed.test',
  'again.test',
  'asleep.test',
  'back.test',
  'cold.test',
  'once.test',
  'down.test',
  'restart.test',
  'leaves.test',
  'cookie.test',
]

describe.each(BROWSER_NAMES)('a browser protected by Wary: %s', (name) => {
  let world: World
  let browser: BrowserUnderTest
  let extension: Extension

  beforeAll(async () => {
    world = await World.start(name)
    const { sites } = world
    sites.route('good.test', '/', scriptedPage('Good'))
    sites.route('other.test', '/', scriptedPage('Other'))
    for (const host of [...LISTED, 'new.test', 'deep.sub.listed.test']) sites.route(host, '/', scriptedPage(host), { latencyMs: NEAR_MS })
    await world.publish([...LISTED, 'paths.test/listed/page.html'])
    browser = await launchBrowser(name, { extensionDir: world.extensionDir })
    extension = new Extension(browser)
    await extension.untilProtected()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })
  beforeEach(() => world.clearLogs())

  /** A tab with a page before the one that matters, so that there is something to go back to. */
  async function tabAtGood(): Promise<TabUnderTest> {
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('good.test'))
    expect(await tab.text('h1')).toBe('Good')
    // A person was here: Chromium's Back passes over pages that nobody has touched.
    await tab.click('h1')
    return tab
  }

  async function expectWarning(tab: TabUnderTest, host: string, kind: 'threat' | 'unverified' = 'threat'): Promise<void> {
    await tab.waitForUrl(WARNING)
    await tab.waitForSelector('#warning-title')
    await until('the warning names the page', async () => (await tab.text('#address')).includes(host))
    await tab.waitForSelector(`body[data-kind="${kind}"]`)
  }

  async function expectBackToGood(tab: TabUnderTest): Promise<void> {
    await tab.back()
    await tab.waitForUrl(world.sites.url('good.test'))
    // Nothing pushes the tab forward again.
    await pause(700)
    expect(await tab.url()).toBe(world.sites.url('good.test'))
  }

  test('an unlisted page loads and nothing is sent to the verification server', async () => {
    const tab = await tabAtGood()
    await until('its script', () => world.sites.ranOn('good.test').length > 0)
    expect(world.requests).toEqual([])
    expect((await extension.verdictOf(world.sites.url('good.test')))?.kind).toBe('safe')
    await tab.close()
  })

  test('a listed page gets the warning; one prefix a request and no address; Back leads to the page before', async () => {
    const tab = await tabAtGood()
    await tab.goto(world.sites.url('listed.test', '/?secret=1'))
    await expectWarning(tab, 'listed.test')
    expect(world.sites.ranOn('listed.test')).toEqual([])
    if (name === 'firefox') expect(world.sites.sentTo('listed.test')).toEqual([])
    const searches = world.requests.filter(({ path }) => path.startsWith('/v5/hashes'))
    expect(searches.length).toBeGreaterThan(0)
    for (const { path, headers } of searches) {
      expect(path).toMatch(/^\/v5\/hashes:search\?hashPrefixes=[A-Za-z0-9_-]{6}(%3D%3D|==)$/)
      expect(headers.cookie).toBeUndefined()
      expect(headers.referer).toBeUndefined()
      expect(JSON.stringify(headers)).not.toContain('listed.test')
    }
    expect(await extension.verdictOf(world.sites.url('listed.test', '/?secret=1'))).toMatchObject({ kind: 'threat', stage: 'search' })
    await expectBackToGood(tab)
    await tab.close()
  })

  test('a subdomain of a listed host is listed', async () => {
    const tab = await tabAtGood()
    await tab.goto(world.sites.url('deep.sub.listed.test'))
    await expectWarning(tab, 'deep.sub.listed.test')
    expect(world.sites.ranOn('deep.sub.listed.test')).toEqual([])
    await tab.close()
  })

  test('on the repeat visit the site sees nothing, and Back leads to the page before', async () => {
    const tab = await tabAtGood()
    await tab.goto(world.sites.url('again.test'))
    await expectWarning(tab, 'again.test')
    await tab.close()
    await extension.untilStanding('again.test')
    world.clearLogs()
    for (const round of [1, 2]) {
      const again = await tabAtGood()
      await again.goto(world.sites.url('again.test', `/?${round}`))
      await expectWarning(again, 'again.test')
      expect(world.sites.sentTo('again.test')).toEqual([])
      expect(world.requests).toEqual([])
      await expectBackToGood(again)
      await again.close()
    }
  })

  test('on the repeat visit with the worker stopped the site sees nothing, and Back leads to the page before, worker stopped again', async () => {
    const tab = await tabAtGood()
    await tab.goto(world.sites.url('asleep.test'))
    await expectWarning(tab, 'asleep.test')
    await tab.close()
    await extension.untilStanding('asleep.test')
    const again = await tabAtGood()
    world.clearLogs()
    await browser.stopBackground()
    expect(await browser.wakeState()).toBe('stopped')
    await again.goto(world.sites.url('asleep.test'))
    await expectWarning(again, 'asleep.test')
    expect(world.sites.sentTo('asleep.test')).toEqual([])
    await expectBackToGood(again)

    await again.goto(world.sites.url('asleep.test'))
    await expectWarning(again, 'asleep.test')
    await browser.stopBackground({ keepPages: true })
    await expectBackToGood(again)
    expect(world.sites.sentTo('asleep.test')).toEqual([])
    await again.close()
  })

  test('a first visit that wakes the worker is caught, and Back leads to the page before', async () => {
    const tab = await tabAtGood()
    world.clearLogs()
    await browser.stopBackground()
    await tab.goto(world.sites.url('cold.test'))
    await expectWarning(tab, 'cold.test')
    if (name === 'firefox') expect(world.sites.sentTo('cold.test')).toEqual([])
    await expectBackToGood(tab)
    await tab.close()
  })

  test('the page’s own button goes back, and closes a tab that has nothing to go back to', async () => {
    const tab = await tabAtGood()
    await tab.goto(world.sites.url('back.test'))
    await expectWarning(tab, 'back.test')
    await tab.click('#go-back')
    await tab.waitForUrl(world.sites.url('good.test'))
    await tab.goto(`${world.sites.url('good.test')}?open`)
    await tab.evaluate((url: string) => {
      const link = document.createElement('a')
      link.href = url
      link.target = '_blank'
      link.rel = 'noopener'
      link.textContent = 'open'
      link.id = 'open'
      document.body.append(link)
    }, world.sites.url('back.test'))
    const before = (await browser.tabs()).length
    await tab.click('#open')
    const opened = await until('the new tab', async () => {
      for (const candidate of await browser.tabs()) if (WARNING.test(await candidate.url())) return candidate
      return undefined
    })
    await expectWarning(opened, 'back.test')
    await opened.click('#go-back')
    await until('the tab to close', async () => (await browser.tabs()).length === before)
    await tab.close()
  })

  test('a path entry blocks its page and not its host', async () => {
    world.sites.route('paths.test', '/', scriptedPage('Paths'))
    world.sites.route('paths.test', '/listed/page.html', scriptedPage('Listed path'), { latencyMs: NEAR_MS })
    world.sites.route('paths.test', '/listed/other.html', scriptedPage('Other path'))
    const tab = await tabAtGood()
    await tab.goto(world.sites.url('paths.test', '/listed/page.html?x=1'))
    await expectWarning(tab, 'paths.test')
    expect(world.sites.ranOn('paths.test')).toEqual([])
    await extension.untilStanding('/listed/page.html')
    await tab.goto(world.sites.url('paths.test', '/listed/other.html'))
    expect(await tab.text('h1')).toBe('Other path')
    await tab.goto(world.sites.url('paths.test'))
    expect(await tab.text('h1')).toBe('Paths')
    // What these pages send of themselves must not count against the listed one.
    await until('their scripts', () => world.sites.ranOn('paths.test').length === 2)
    world.clearLogs()
    await tab.goto(world.sites.url('paths.test', '/listed/page.html'))
    await expectWarning(tab, 'paths.test')
    expect(world.sites.sentTo('paths.test')).toEqual([])
    await tab.close()
  })

  test('a page whose prefix collides with a listed one loads after verification', async () => {
    const host = world.collidingHost()
    world.sites.route(host, '/', scriptedPage('Collides'))
    const tab = await tabAtGood()
    await tab.goto(world.sites.url(host))
    await tab.waitForUrl(world.sites.url(host))
    await until('the page', async () => (await tab.text('h1')) === 'Collides')
    expect(world.requests.filter(({ path }) => path.startsWith('/v5/hashes'))).toHaveLength(1)
    expect(await extension.verdictOf(world.sites.url(host))).toMatchObject({ kind: 'safe', stage: 'search' })
    await extension.pressBack(world.sites.url(host))
    await tab.waitForUrl(world.sites.url('good.test'))
    await pause(700)
    expect(await tab.url()).toBe(world.sites.url('good.test'))
    await tab.close()
  })

  test('proceed once works once, and sends no SameSite=Strict cookie and no referrer', async () => {
    world.sites.route('cookie.test', '/set', () => ({
      headers: { 'set-cookie': ['strict=1; SameSite=Strict', 'lax=1; SameSite=Lax'] },
      body: scriptedPage('Set'),
    }))
    const tab = await tabAtGood()
    // The entry is not in force yet: the page may set its cookies like any other.
    await world.publish([...LISTED.filter((host) => host !== 'cookie.test'), 'paths.test/listed/page.html'])
    await extension.update()
    await tab.goto(world.sites.url('cookie.test', '/set'))
    expect(await tab.text('h1')).toBe('Set')
    await tab.goto(world.sites.url('cookie.test', '/'))
    expect(world.sites.sentTo('cookie.test', '/')[0]?.headers.cookie).toContain('strict=1')
    await world.publish([...LISTED, 'paths.test/listed/page.html'])
    await extension.update()
    await tab.goto(world.sites.url('good.test'))
    world.clearLogs()

    await tab.goto(world.sites.url('cookie.test', '/'))
    await expectWarning(tab, 'cookie.test')
    world.clearLogs()
    await tab.click('#details summary')
    await tab.click('#proceed')
    await tab.waitForUrl(world.sites.url('cookie.test', '/'))
    await until('the page', async () => (await tab.text('h1')) === 'cookie.test')
    const [sent] = world.sites.sentTo('cookie.test', '/')
    expect(sent?.headers.cookie ?? '').not.toContain('strict')
    expect(sent?.headers.cookie ?? '').toContain('lax=1')
    expect(sent?.headers.referer).toBeUndefined()
    // Sent to trustworthy origins only, which plain HTTP hosts are not in every browser.
    expect(['cross-site', undefined]).toContain(sent?.headers['sec-fetch-site'])
    expect((await tab.history()).urls.filter((url) => WARNING.test(url))).toEqual([])

    const second = await tabAtGood()
    await second.goto(world.sites.url('cookie.test', '/'))
    await expectWarning(second, 'cookie.test')
    await second.close()
    await tab.goto(world.sites.url('good.test'))
    await tab.goto(world.sites.url('cookie.test', '/'))
    await expectWarning(tab, 'cookie.test')
    await tab.close()
  })

  test('a page that was checked and cleared gets no SameSite=Strict cookie from our page', async () => {
    const host = world.collidingHost(1)
    world.sites.route(host, '/', scriptedPage('Collides'), { latencyMs: NEAR_MS })
    world.sites.route(host, '/set', () => ({ headers: { 'set-cookie': 'strict=1; SameSite=Strict' }, body: scriptedPage('Set') }))
    await world.down()
    const tab = await tabAtGood()
    // With the server down the soft interstitial lets a person through: how the cookie gets in.
    await tab.goto(world.sites.url(host, '/set'))
    await expectWarning(tab, host, 'unverified')
    await tab.click('#continue')
    await until('the cookie', async () => (await tab.text('h1')) === 'Set')
    await world.up()
    const clean = await tabAtGood()
    await extension.forgetAnswers()
    await extension.untilProtected()
    world.clearLogs()
    await clean.goto(world.sites.url(host, '/'))
    await until('the page', async () => (await clean.text('h1')) === 'Collides')
    expect(world.requests.filter(({ path }) => path.startsWith('/v5/hashes'))).toHaveLength(1)
    // Chrome: the person's own request may be out before it is held; the one that opens the page is the last, from our checking page.
    // Firefox releases the request that it held, which is the person's own.
    const sent = world.sites.sentTo(host, '/').at(-1)
    if (name === 'chromium') expect(sent?.headers.cookie ?? '').not.toContain('strict')
    expect(sent?.headers.referer).toBeUndefined()
    await clean.close()
    await tab.close()
  })

  test('with the server down a listed page gets the soft interstitial, and Continue opens it', async () => {
    await world.down()
    const tab = await tabAtGood()
    await tab.goto(world.sites.url('down.test'))
    await expectWarning(tab, 'down.test', 'unverified')
    expect(world.sites.ranOn('down.test')).toEqual([])
    expect(await extension.verdictOf(world.sites.url('down.test'))).toMatchObject({ kind: 'unverified', reason: { kind: 'error' } })
    await tab.click('#continue')
    await tab.waitForUrl(world.sites.url('down.test'))
    await until('the page', async () => (await tab.text('h1')) === 'down.test')
    await tab.close()
    await world.up()
  })

  test('an update catches a new page and opens a removed one, its rule gone', async () => {
    await extension.forgetAnswers()
    const tab = await tabAtGood()
    await tab.goto(world.sites.url('leaves.test'))
    await expectWarning(tab, 'leaves.test')
    await extension.untilStanding('leaves.test')
    await tab.goto(world.sites.url('new.test'))
    expect(await tab.text('h1')).toBe('new.test')

    await world.publish([...LISTED.filter((host) => host !== 'leaves.test'), 'new.test'])
    await extension.update()
    expect(await extension.standing()).not.toContain('leaves.test')
    await tab.goto(world.sites.url('leaves.test'))
    await until('the page', async () => (await tab.text('h1')) === 'leaves.test')
    const other = await tabAtGood()
    await other.goto(world.sites.url('new.test'))
    await expectWarning(other, 'new.test')
    await other.close()
    await tab.close()
  })

  test('restarted with the same profile and the server down, a listed page is never silently open', async () => {
    const tab = await tabAtGood()
    await tab.goto(world.sites.url('once.test'))
    await expectWarning(tab, 'once.test')
    await extension.untilStanding('once.test')
    await world.down()
    await browser.restart()
    world.clearLogs()
    const after = await browser.newPage()
    await after.goto(world.sites.url('good.test'))
    // Confirmed before: the cached answer or the standing rule still knows it.
    await after.goto(world.sites.url('once.test'))
    await after.waitForUrl(WARNING)
    await after.goto(world.sites.url('good.test'))
    // Never asked about before: nobody can confirm it, so it is not opened silently.
    await after.goto(world.sites.url('restart.test'))
    await expectWarning(after, 'restart.test', 'unverified')
    expect(await extension.protection()).toEqual({ state: 'protected' })
    await world.up()
    await after.close()
  })
})
