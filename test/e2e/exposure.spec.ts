import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LEAVE_PATH, PAGE_PATHS } from '../../extension/messaging/messages.ts'
import { BROWSER_NAMES, type BrowserUnderTest, type TabUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { scriptedPage } from '../support/sites.ts'
import { pause, until } from '../support/until.ts'
import { World } from '../support/world.ts'

const WARNING = /\/extension\/warning\/index\.html/
const VISITS = 20

describe.each(BROWSER_NAMES)('what pages can do, and what they get: %s', (name) => {
  let world: World
  let browser: BrowserUnderTest
  let extension: Extension
  const first = Array.from({ length: VISITS }, (_, i) => `first${i}.test`)

  beforeAll(async () => {
    world = await World.start(name)
    const { sites } = world
    sites.route('good.test', '/', scriptedPage('Good'))
    sites.route('evil.test', '/', scriptedPage('Evil'))
    sites.route('bank.test', '/', () => ({ headers: { 'set-cookie': 'session=1; SameSite=Strict' }, body: scriptedPage('Bank') }))
    for (const host of ['listed.test', ...first]) sites.route(host, '/', scriptedPage(host), { latencyMs: 20 })
    await world.publish(['listed.test', ...first])
    browser = await launchBrowser(name, { extensionDir: world.extensionDir })
    extension = new Extension(browser)
    await extension.untilProtected()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  async function evilTab(): Promise<TabUnderTest> {
    const bank = await browser.newPage()
    await bank.goto(world.sites.url('bank.test'))
    await bank.close()
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('evil.test'))
    world.clearLogs()
    return tab
  }

  /** Addresses of our pages that name the bank in every way that they could take a target from. */
  function ours(): readonly string[] {
    const target = world.sites.url('bank.test')
    return [LEAVE_PATH, PAGE_PATHS.warning, PAGE_PATHS.checking].flatMap((path) =>
      [`#${target}`, `#${encodeURIComponent(target)}`, `?r=${encodeURIComponent(target)}`, `?url=${encodeURIComponent(target)}`].map(
        (end) => `${browser.extensionOrigin}${path}${end}`,
      ),
    )
  }

  test('a web page cannot make our pages navigate by opening them', async () => {
    for (const address of ours()) {
      const tab = await evilTab()
      const before = await browser.tabs()
      await tab.evaluate(
        (url: string, target: string) => {
          const attempts = [
            () => window.open(url)?.postMessage({ target }, '*'),
            () => {
              location.href = url
            },
          ]
          // A browser that does not even let the page try is as good.
          for (const attempt of attempts) {
            try {
              attempt()
            } catch (error) {
              document.title = String(error)
            }
          }
        },
        address,
        world.sites.url('bank.test'),
      )
      await pause(250)
      expect(world.sites.sentTo('bank.test'), address).toEqual([])
      for (const each of await browser.tabs()) if ((await browser.tabs()).length > before.length) await each.close().catch(() => undefined)
    }
  })

  test('a web page cannot make our pages navigate by framing them', async () => {
    const tab = await evilTab()
    for (const address of ours()) {
      await tab.evaluate(
        (url: string, target: string) => {
          for (const sandbox of [undefined, 'allow-scripts allow-top-navigation']) {
            const frame = document.createElement('iframe')
            if (sandbox !== undefined) frame.setAttribute('sandbox', sandbox)
            frame.src = url
            frame.onload = () => frame.contentWindow?.postMessage({ target }, '*')
            document.body.append(frame)
          }
        },
        address,
        world.sites.url('bank.test'),
      )
    }
    await pause(1000)
    expect(world.sites.sentTo('bank.test')).toEqual([])
    expect(await tab.url()).toBe(world.sites.url('evil.test'))
    await tab.close()
  })

  test('the record of one tab opens nothing in another', async () => {
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('good.test'))
    await tab.goto(world.sites.url('listed.test'))
    const address = await tab.waitForUrl(WARNING)
    const thief = await browser.openExtensionPage(new URL(address).pathname + new URL(address).search)
    await thief.waitForSelector('body[data-kind="none"]')
    expect(await thief.text()).not.toContain('listed.test')
    await thief.close()
    await tab.close()
  })

  test(`no script of a listed page ran in ${VISITS} first visits with an awake worker to a site 20 ms away`, async () => {
    const tab = await browser.newPage()
    for (const host of first) {
      await tab.goto(world.sites.url('good.test'))
      await tab.goto(world.sites.url(host))
      await tab.waitForUrl(WARNING)
    }
    await pause(300)
    expect(first.filter((host) => world.sites.ranOn(host).length > 0)).toEqual([])
    if (name === 'firefox') expect(first.filter((host) => world.sites.sentTo(host).length > 0)).toEqual([])
    await tab.close()
  })

  test('a redirect to a listed page ends in the warning', async () => {
    world.sites.route('hop.test', '/', () => ({ status: 302, headers: { location: world.sites.url('listed.test') } }))
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('good.test'))
    // A person was here: Chromium's Back passes over pages that nobody has touched.
    await tab.click('h1')
    await tab.goto(world.sites.url('hop.test'))
    await tab.waitForUrl(WARNING)
    await until('the warning names the page', async () => (await tab.text('#address')).includes('listed.test'))
    await tab.back()
    await tab.waitForUrl(world.sites.url('good.test'))
    // Nothing pushes the tab forward again. (Closing it in the very moment of the step back would hang Chromium's side of the driver.)
    await pause(700)
    expect(await tab.url()).toBe(world.sites.url('good.test'))
    await tab.close()
  })

  test('settings: what does not hold is refused by name, what holds is taken, another source starts anew', async () => {
    const page = await browser.openExtensionPage(PAGE_PATHS.options)
    await until(
      'the settings',
      async () => (await page.evaluate(() => document.querySelector<HTMLInputElement>('#server')?.value)) === world.serverUrl,
    )
    await page.fill('#server', 'http://lists.example')
    await page.click('#save')
    await until('the refusal', async () => (await page.text()).includes('https://'))
    expect((await extension.status()).sources.map(({ address }) => address)).toEqual([world.serverUrl])
    await page.fill('#server', world.serverUrl.replace('127.0.0.1', 'localhost'))
    await page.click('#save')
    await until('the new server', async () => (await extension.status()).sources.some(({ address }) => address.includes('localhost')))
    await extension.untilProtected()
    await page.close()
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('good.test'))
    await tab.goto(world.sites.url('listed.test'))
    await tab.waitForUrl(WARNING)
    await tab.close()
  })

  if (name === 'firefox') {
    test('a withheld permission is noticed and said', async () => {
      const popup = await browser.openExtensionPage(PAGE_PATHS.popup)
      await popup.evaluate(async () => {
        await (globalThis as unknown as { browser: typeof chrome }).browser.permissions.remove({ origins: ['<all_urls>'] })
      })
      await until('the popup says so', async () => (await popup.text('#protection')).includes('permission is missing'))
      await popup.waitForSelector('#grant')
      expect(await extension.protection()).toEqual({ state: 'off', reason: 'no-permission' })
      await popup.close()
    })
  }
})
