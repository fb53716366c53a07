import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGE_PATHS } from '../../extension/messaging/messages.ts'
import { type BrowserUnderTest, BROWSER_NAMES } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { scriptedPage } from '../support/sites.ts'
import { until } from '../support/until.ts'
import { World } from '../support/world.ts'

const WARNING = /\/warning\/index\.html/
/** Named nowhere else, so that any file of the profile that holds it is a trace. */
const SECRET = 'nobody-shall-know.test'

/** Files below `folder` that hold `text`, as Latin-1 or UTF-16. */
function filesWith(folder: string, text: string): string[] {
  const needles = [Buffer.from(text, 'latin1'), Buffer.from(text, 'utf16le')]
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      // The browser runs, and may have removed a file meanwhile.
      const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
      return needles.some((needle) => bytes.includes(needle))
    })
}

describe.each(BROWSER_NAMES)('private windows of %s', (name) => {
  let world: World
  let browser: BrowserUnderTest
  let extension: Extension
  let profileDir: string

  beforeAll(async () => {
    world = await World.start(name)
    await world.publish(['listed.test', SECRET])
    for (const host of ['listed.test', 'good.test', 'known.test', SECRET])
      world.sites.route(host, '/', scriptedPage(host), { latencyMs: 20 })
    profileDir = mkdtempSync(join(tmpdir(), 'wary-private-'))
    browser = await launchBrowser(name, { extensionDir: world.extensionDir, profileDir })
    extension = new Extension(browser)
    await extension.untilProtected()
  })

  afterAll(async () => {
    await browser?.close()
    await world?.stop()
    rmSync(profileDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  })

  test('as long as nobody allows the extension there, the status says so', async () => {
    expect((await extension.status()).privateWindows).toBe(false)
    const popup = await browser.openExtensionPage(PAGE_PATHS.popup)
    await popup.waitForSelector('#private-windows')
    await popup.close()
    await browser.allowInPrivate()
    await until('the status', async () => (await extension.status()).privateWindows)
    await extension.untilProtected()
  })

  test('a listed page is held, by lists that were not downloaded anew', async () => {
    world.clearLogs()
    const tab = await browser.newPrivatePage()
    const popup = await browser.newPrivatePage()
    await popup.goto(`${browser.extensionOrigin}${PAGE_PATHS.popup}`)
    await until('a protected private window', () => popup.evaluate(() => document.body.dataset.protection === 'protected'))
    await tab.goto(world.sites.url('good.test'))
    await tab.click('h1')
    await tab.goto(world.sites.url(SECRET))
    await tab.waitForUrl(WARNING)
    await until('the warning names the page', async () => (await tab.text('#address')).includes(SECRET))
    expect(world.sites.ranOn(SECRET)).toEqual([])
    expect(world.requests.map(({ path }) => path.split('?')[0])).toEqual(['/v5/hashes:search'])
    await tab.click('#go-back')
    await tab.waitForUrl(world.sites.url('good.test'))
    await popup.close()
    await tab.close()
  })

  test('an update of the regular windows reaches the private ones', async () => {
    const tab = await browser.newPrivatePage()
    await tab.goto(world.sites.url('good.test'))
    await world.publish(['listed.test', SECRET, 'new.test'])
    world.sites.route('new.test', '/', scriptedPage('new.test'))
    await extension.update()
    await until('the warning', async () => {
      await tab.goto(world.sites.url('new.test'))
      return WARNING.test(await tab.url())
    })
    await tab.close()
  })

  test('nothing of a visit there is in the regular windows, their storage, rules, or on the disk', async () => {
    const tab = await browser.newPrivatePage()
    await tab.goto(world.sites.url('good.test'))
    // A page that nobody has touched is passed over by Chromium's Back.
    await tab.click('h1')
    await tab.goto(world.sites.url(SECRET))
    await tab.waitForUrl(WARNING)
    await tab.click('#go-back')
    await tab.waitForUrl(world.sites.url('good.test'))
    await tab.close()
    // The same in a regular window does leave something: what is searched for can be found.
    const regular = await browser.newPage()
    await regular.goto(world.sites.url('known.test'))
    await regular.close()
    expect(await extension.standing()).toEqual([])
    const page = await browser.openExtensionPage(PAGE_PATHS.options)
    const kept = await page.evaluate(async () => {
      const api = (globalThis as unknown as { browser?: typeof chrome }).browser ?? chrome
      return JSON.stringify([await api.storage.local.get(), await api.storage.session.get()])
    })
    expect(kept).not.toContain(SECRET)
    await page.close()
    await browser.restart()
    await until('the end of all writing', async () => (await extension.protection()).state === 'protected', 20_000)
    await until('the trace of the regular visit', () => filesWith(profileDir, 'known.test').length > 0)
    expect(filesWith(profileDir, SECRET)).toEqual([])
  })
})
