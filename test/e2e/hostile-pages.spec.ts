import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LEAVE_PATH, PAGE_PATHS } from '../../extension/messaging/messages.ts'
import { BROWSER_NAMES, type BrowserUnderTest, type TabUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { scriptedPage } from '../support/sites.ts'
import { pause } from '../support/until.ts'
import { World } from '../support/world.ts'

const WARNING = /\/extension\/warning\/index\.html/

describe.each(BROWSER_NAMES)('hostile pages: %s', (name) => {
  let world: World
  let browser: BrowserUnderTest
  const url = (host: string, path = '/'): string => world.sites.url(host, path)

  beforeAll(async () => {
    world = await World.start(name)
    const { sites } = world
    sites.route('evil.test', '/', scriptedPage('Evil'))
    sites.route('listed.test', '/', scriptedPage('Listed'), { latencyMs: 20 })
    sites.route('bank.test', '/', () => ({ headers: { 'set-cookie': 'session=1; SameSite=Strict' }, body: scriptedPage('Bank') }))
    await world.publish(['listed.test'])
    browser = await launchBrowser(name, { extensionDir: world.extensionDir })
    await new Extension(browser).untilProtected()
    const bank = await browser.newPage()
    await bank.goto(url('bank.test'))
    await bank.close()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })
  beforeEach(() => world.clearLogs())

  async function at(host: string): Promise<TabUnderTest> {
    const tab = await browser.newPage()
    await tab.goto(url(host))
    return tab
  }

  /** A tab with the warning of listed.test, and that page's address with the id of its record. */
  async function warned(): Promise<{ readonly tab: TabUnderTest; readonly address: string }> {
    const tab = await at('evil.test')
    await tab.goto(url('listed.test'))
    const address = await tab.waitForUrl(WARNING)
    await tab.waitForSelector('body[data-kind="threat"]')
    world.clearLogs()
    return { tab, address }
  }

  test('a page that knows the id of a warning can neither open nor frame nor message it into anything', async () => {
    const { tab: victim, address } = await warned()
    const evil = await at('evil.test')
    world.clearLogs()
    const messages = [
      { target: url('bank.test') },
      { type: 'warning:proceed', request: {} },
      { type: 'checking:wait', request: {} },
      'warning:proceed',
    ]
    for (const path of [PAGE_PATHS.warning, PAGE_PATHS.checking, LEAVE_PATH]) {
      const stolen = browser.extensionOrigin + path + new URL(address).search
      await evil.evaluate(
        (stolen: string, messages: unknown[]) => {
          const send = (target: Window | null): void => {
            for (const message of messages) target?.postMessage(message, '*')
          }
          for (const sandbox of [undefined, 'allow-scripts', 'allow-scripts allow-top-navigation allow-same-origin']) {
            const frame = document.createElement('iframe')
            if (sandbox !== undefined) frame.setAttribute('sandbox', sandbox)
            frame.style.cssText = 'position:fixed;inset:0;width:100vw;height:100vh;opacity:0.01'
            frame.src = stolen
            frame.onload = () => send(frame.contentWindow)
            document.body.append(frame)
          }
          try {
            const opened = window.open(stolen)
            for (const wait of [50, 200, 400]) setTimeout(() => send(opened), wait)
          } catch (error) {
            // A browser that does not even let the page try is as good.
            document.title = String(error)
          }
        },
        stolen,
        messages,
      )
      await pause(300)
      // Clickjacking: a person clicks where the buttons would be, under the page's veil.
      await evil.click('body')
    }
    await pause(500)
    expect(world.sites.sentTo('bank.test')).toEqual([])
    expect(world.sites.sentTo('listed.test')).toEqual([])
    expect(await evil.url()).toBe(url('evil.test'))
    expect(await victim.url()).toBe(address)
    await victim.waitForSelector('body[data-kind="threat"]')
    for (const tab of (await browser.tabs()).slice(1)) await tab.close().catch(() => undefined)
  })

  test('the page that opened a listed one can neither message its warning nor read it', async () => {
    const evil = await at('evil.test')
    world.clearLogs()
    const seen = await evil.evaluate(
      async (listed: string, bank: string) => {
        const opened = window.open(listed, 'victim')
        const seen: string[] = []
        // By the clock: a page in the background gets its timers late.
        for (const end = Date.now() + 1500; Date.now() < end; ) {
          await new Promise((resolve) => setTimeout(resolve, 50))
          for (const message of [{ target: bank }, { type: 'warning:proceed', request: {} }]) opened?.postMessage(message, '*')
          try {
            seen.push(String(opened?.location.href))
          } catch {
            // Cross-origin: nothing is seen.
          }
        }
        return seen
      },
      url('listed.test'),
      url('bank.test'),
    )
    expect(seen.filter((address) => address.includes('extension'))).toEqual([])
    expect(world.sites.sentTo('bank.test')).toEqual([])
    expect(world.sites.ranOn('listed.test')).toEqual([])
    for (const tab of (await browser.tabs()).slice(1)) await tab.close().catch(() => undefined)
  })

  test('our pages take no target from their address, whatever its scheme, nor another tab’s record', async () => {
    const { tab: victim, address } = await warned()
    const targets = [
      'javascript:document.title="hit"',
      'data:text/html,<title>hit</title>',
      url('bank.test'),
      new URL(address).searchParams.get('r') ?? '',
    ]
    const tab = await browser.openExtensionPage(PAGE_PATHS.warning)
    for (const target of targets) {
      for (const page of [PAGE_PATHS.warning, PAGE_PATHS.checking, LEAVE_PATH]) {
        await tab.goto(`${browser.extensionOrigin}${page}?r=${encodeURIComponent(target)}#${encodeURIComponent(target)}`)
        await pause(150)
        expect(await tab.evaluate(() => document.title)).not.toBe('hit')
        expect(await tab.url(), target).toContain(browser.extensionOrigin + page)
        expect(await tab.evaluate(() => document.body.textContent)).not.toContain('listed.test')
      }
    }
    expect(world.sites.log).toEqual([])
    await tab.close()
    await victim.close()
  })

  test('a site finds no file of the package', async () => {
    const files = readdirSync(world.extensionDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(world.extensionDir.length))
    expect(files.length).toBeGreaterThan(20)
    const evil = await at('evil.test')
    const found = await evil.evaluate(
      async (origin: string, files: string[]) => {
        const loads = (element: HTMLImageElement | HTMLScriptElement | HTMLLinkElement): Promise<boolean> =>
          new Promise((resolve) => {
            element.onload = () => resolve(true)
            element.onerror = () => resolve(false)
            document.head.append(element)
            setTimeout(() => resolve(false), 3000)
          })
        const found: string[] = []
        await Promise.all(
          files.map(async (file) => {
            const address = origin + file
            const image = new Image()
            image.src = address
            const script = document.createElement('script')
            script.src = address
            const style = document.createElement('link')
            style.rel = 'stylesheet'
            style.href = address
            const fetched = fetch(address, { mode: 'no-cors' }).then(
              () => true,
              () => false,
            )
            const ways = { fetch: fetched, image: loads(image), script: loads(script), style: loads(style) }
            for (const [way, answer] of Object.entries(ways)) if (await answer) found.push(`${way} ${file}`)
          }),
        )
        return found
      },
      browser.extensionOrigin,
      files,
    )
    // Firefox's redirect needs these two to be reachable; a site would have to guess the installation's random origin.
    const reachable = name === 'firefox' ? [PAGE_PATHS.warning, PAGE_PATHS.checking] : []
    expect(found.filter((each) => !reachable.some((path) => each.endsWith(` ${path}`)))).toEqual([])
    await evil.close()
  })

  test('what a site sees of a blocked frame names neither the extension nor its origin', async () => {
    const evil = await at('evil.test')
    const seen = await evil.evaluate(async (listed: string) => {
      const heard: string[] = []
      addEventListener('message', (event) => heard.push(event.origin))
      document.addEventListener('securitypolicyviolation', (event) => heard.push(event.blockedURI))
      const frame = document.createElement('iframe')
      frame.src = listed
      document.body.append(frame)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      return [...heard, ...performance.getEntries().map((entry) => entry.name), frame.src].join(' ')
    }, url('listed.test'))
    expect(seen).not.toContain('extension')
    expect(seen).not.toContain(new URL(browser.extensionOrigin).host)
    expect(world.sites.ranOn('listed.test')).toEqual([])
    expect(await evil.url()).toBe(url('evil.test'))
    await evil.close()
  })
})
