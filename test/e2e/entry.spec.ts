import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGE_PATHS } from '../../extension/messaging/messages.ts'
import { BROWSER_NAMES, type BrowserUnderTest, type TabUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { scriptedPage } from '../support/sites.ts'
import { pause, until } from '../support/until.ts'
import { World } from '../support/world.ts'

const WARNING = /\/extension\/warning\/index\.html/
const HOSTS = Array.from({ length: 14 }, (_, i) => `listed${i}.test`)
const WORKER = `self.addEventListener('install', () => skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()))
self.addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname === '/bad')
    event.respondWith(new Response('<script>fetch("/ran?%2Fbad", { method: "POST", keepalive: true })</script>', { headers: { 'content-type': 'text/html' } }))
})`

describe.each(BROWSER_NAMES)('ways into a page: %s', (name) => {
  let world: World
  let browser: BrowserUnderTest
  let extension: Extension
  let used = 0
  const url = (host: string, path = '/'): string => world.sites.url(host, path)
  const fresh = (): string => HOSTS[used++] ?? ''

  beforeAll(async () => {
    world = await World.start(name)
    const { sites } = world
    sites.route('good.test', '/', scriptedPage('Good'))
    for (const host of HOSTS) {
      sites.route(host, '/', scriptedPage(host), { latencyMs: 20 })
      sites.route(host, '/file', () => ({ headers: { 'content-disposition': 'attachment; filename=x.bin' }, body: 'x' }), { latencyMs: 20 })
    }
    sites.route('app.test', '/', scriptedPage('App'))
    sites.route('app.test', '/bad', scriptedPage('Bad'))
    sites.route('worker.test', '/', scriptedPage('Worker'))
    sites.route('worker.test', '/sw.js', () => ({ headers: { 'content-type': 'text/javascript' }, body: WORKER }))
    await world.publish([...HOSTS, 'app.test/bad', 'worker.test/bad'])
    browser = await launchBrowser(name, { extensionDir: world.extensionDir, secure: [url('worker.test', '')] })
    extension = new Extension(browser)
    await extension.untilProtected()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  async function goodTab(): Promise<TabUnderTest> {
    const tab = await browser.newPage()
    await tab.goto(url('good.test'))
    // A person was here: Chromium's Back passes over pages that nobody has touched.
    await tab.click('h1')
    return tab
  }

  /** Adds a frame to the page; `inner` puts it into a frame of its own text first. */
  function addFrame(tab: TabUnderTest, src: string, how: 'plain' | 'sandboxed' | 'nested' = 'plain'): Promise<void> {
    return tab.evaluate(
      (src: string, how: string) => {
        const frame = document.createElement('iframe')
        if (how === 'sandboxed') frame.setAttribute('sandbox', 'allow-scripts')
        if (how === 'nested') frame.srcdoc = `<iframe src="${src}"></iframe>`
        else frame.src = src
        document.body.append(frame)
      },
      src,
      how,
    )
  }

  test('listed frames run nothing, send nothing again, leave their page where it is, and the popup says so', async () => {
    const tab = await goodTab()
    const hows = ['plain', 'sandboxed', 'nested'] as const
    const hosts = hows.map(fresh)
    const blocked = (count: number) =>
      until(`${count} blocked frames`, async () => (await extension.status()).counters.frames.blocked === count)
    for (const [i, how] of hows.entries()) await addFrame(tab, url(hosts[i] ?? ''), how)
    await blocked(3)
    for (const host of hosts) await extension.untilStanding(host)
    expect(hosts.flatMap((host) => world.sites.ranOn(host))).toEqual([])
    world.clearLogs()
    for (const [i, how] of hows.entries()) await addFrame(tab, url(hosts[i] ?? ''), how)
    await blocked(6)
    await pause(200)
    expect(hosts.flatMap((host) => world.sites.sentTo(host))).toEqual([])
    expect(await tab.url()).toBe(url('good.test'))
    const tabId = await extension.tabOf(url('good.test'))
    expect((await extension.status(tabId)).frames?.count).toBe(6)
    const popup = await browser.openExtensionPage(PAGE_PATHS.popup)
    await until('the number in the popup', async () => (await popup.text('#count-frames')) === '6')
    await popup.close()
    // Another page, nothing of the one before.
    await tab.goto(url('app.test'))
    expect((await extension.status(tabId)).frames).toBeUndefined()
    await tab.close()
  })

  test('a page that a person opened all the same may frame itself', async () => {
    const host = fresh()
    const tab = await goodTab()
    await tab.goto(url(host))
    await tab.waitForUrl(WARNING)
    await extension.untilStanding(host)
    await tab.click('#details summary')
    await tab.click('#proceed')
    await tab.waitForUrl(url(host))
    await until('its script', () => world.sites.ranOn(host).length === 1)
    await addFrame(tab, url(host))
    await until('the script in its frame', () => world.sites.ranOn(host).length === 2)
    await tab.evaluate(() => history.pushState({}, '', '/next'))
    await pause(300)
    expect(await tab.url()).toBe(url(host, '/next'))
    await tab.close()
  })

  test.each(['pushState', 'replaceState'] as const)('%s to a listed path brings the warning, and back leads on', async (method) => {
    const tab = await goodTab()
    await tab.goto(url('app.test'))
    await tab.evaluate(() => {
      location.hash = 'part'
    })
    await pause(200)
    expect(await tab.url()).toBe(url('app.test', '/#part'))
    await tab.evaluate((method: 'pushState' | 'replaceState') => history[method]({}, '', '/bad'), method)
    await tab.waitForUrl(WARNING)
    await tab.click('#go-back')
    await tab.waitForUrl((now) => !WARNING.test(now))
    await pause(1000)
    expect(await tab.url()).toMatch(/good\.test|app\.test:\d+\/(#part)?$/)
    await tab.close()
  })

  test('a file of a listed page is not fetched, by a link, by script or in a frame', async () => {
    for (const how of ['link', 'download', 'frame']) {
      const host = fresh()
      const tab = await goodTab()
      if (how === 'frame') await addFrame(tab, url(host, '/file'))
      else
        await tab.evaluate(
          (href: string, download: boolean) => {
            const link = document.createElement('a')
            link.href = href
            if (download) link.download = 'x.bin'
            document.body.append(link)
            link.click()
          },
          url(host, '/file'),
          how === 'download',
        )
      if (how === 'frame') await until('the blocked frame', async () => (await extension.status()).counters.frames.blocked > 0)
      else await tab.waitForUrl(WARNING)
      await pause(200)
      if (name === 'firefox') expect(world.sites.sentTo(host), how).toEqual([])
      await tab.close()
    }
  })

  test('a form that was sent to a listed page is not sent again by proceeding', async () => {
    const host = fresh()
    const tab = await goodTab()
    await tab.evaluate((action: string) => {
      const form = document.createElement('form')
      form.method = 'POST'
      form.action = action
      const field = document.createElement('input')
      field.name = 'password'
      field.value = 'secret'
      form.append(field)
      document.body.append(form)
      form.submit()
    }, url(host))
    await tab.waitForUrl(WARNING)
    await pause(200)
    expect(world.sites.ranOn(host)).toEqual([])
    if (name === 'firefox') expect(world.sites.sentTo(host)).toEqual([])
    world.clearLogs()
    await tab.click('#details summary')
    expect(await tab.text('#proceed-note')).toContain('not sent again')
    await tab.click('#proceed')
    await tab.waitForUrl(url(host))
    expect(world.sites.sentTo(host, '/').map(({ method, body }) => [method, body])).toEqual([['GET', '']])
    await tab.close()
  })

  test('a listed page that the service worker of its site serves without any request is caught', async () => {
    const tab = await browser.newPage()
    await tab.goto(url('worker.test'))
    await tab.evaluate(async () => {
      await navigator.serviceWorker.register('/sw.js')
      await navigator.serviceWorker.ready
    })
    await until('the worker controls the page', () => tab.evaluate(() => navigator.serviceWorker.controller !== null))
    await tab.goto(url('worker.test', '/bad'))
    await tab.waitForUrl(WARNING)
    await tab.close()
  })

  test('addresses in unusual spellings are recognized', async () => {
    const host = fresh()
    const spellings = [
      url(host).replace('://', '://user:secret@'),
      url(`${host}.`),
      url(host.replace('l', '%6C'), '/%2e/'),
      url(host.toUpperCase()),
      `${url(host)}?${'a'.repeat(60_000)}`,
    ]
    for (const spelling of spellings) {
      const tab = await browser.newPage()
      await tab.goto(spelling)
      await tab.waitForUrl(WARNING)
      await tab.close()
    }
    expect(world.sites.ranOn(host)).toEqual([])
  })

  test('a page that navigates every 5 ms shows nothing while it does, and ends in one warning', async () => {
    const host = fresh()
    const tab = await goodTab()
    await tab.evaluate((target: string) => {
      let turn = 0
      const timer = setInterval(() => {
        location.href = `${target}?${turn++}`
        if (turn > 100) clearInterval(timer)
      }, 5)
    }, url(host))
    await tab.waitForUrl(WARNING)
    await pause(500)
    expect(await tab.url()).toMatch(WARNING)
    await tab.waitForSelector('body[data-kind="threat"]')
    expect(world.sites.ranOn(host)).toEqual([])
    await tab.close()
  })

  test('a loop of redirects between listed pages ends in one warning', async () => {
    const [one, two] = [fresh(), fresh()]
    for (const [from, to] of [
      [one, two],
      [two, one],
    ] as const)
      world.sites.route(from, '/loop', () => ({ status: 302, headers: { location: url(to, '/loop') } }))
    const tab = await goodTab()
    await tab.goto(url(one, '/loop'))
    await tab.waitForUrl(WARNING)
    await pause(500)
    await tab.waitForSelector('body[data-kind="threat"]')
    await tab.click('#go-back')
    await tab.waitForUrl(world.sites.url('good.test'))
    await tab.close()
  })
})
