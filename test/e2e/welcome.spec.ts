import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGE_PATHS } from '../../extension/messaging/messages.ts'
import { BROWSER_NAMES, type BrowserUnderTest, type TabUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { scriptedPage } from '../support/sites.ts'
import { pause, until } from '../support/until.ts'
import { World } from '../support/world.ts'

describe.each(BROWSER_NAMES)('the first run: %s', (name) => {
  let world: World
  let browser: BrowserUnderTest
  let page: TabUnderTest

  beforeAll(async () => {
    world = await World.start(name, { serving: false })
    await world.publish([])
    browser = await launchBrowser(name, { extensionDir: world.extensionDir, keepWelcome: true })
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  async function welcomePages(): Promise<TabUnderTest[]> {
    const found: TabUnderTest[] = []
    for (const tab of await browser.tabs()) if ((await tab.url().catch(() => '')).endsWith(PAGE_PATHS.welcome)) found.push(tab)
    return found
  }

  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.id ?? '')

  test('opens one page, by keyboard from screen to screen, and follows the first download live', async () => {
    page = await until('the first-run page', async () => (await welcomePages())[0])
    await page.bringToFront()
    await page.waitForSelector('body[data-screen="what"]')
    await page.evaluate(() => document.getElementById('next')?.focus())
    await page.press('Enter')
    await page.waitForSelector('body[data-screen="lists"]')
    expect(await focused()).toBe('lists-title')
    expect(await page.text('#sources')).toContain(`127.0.0.1:${world.port}`)
    await page.waitForSelector('#download[data-tone="danger"]', 15_000)
    expect(await page.text('#download-state')).toContain('(http-network)')

    await world.up()
    await page.click('#retry')
    await page.waitForSelector('#download[data-tone="good"]')
    expect(await page.text('#download-state')).toMatch(/The list is here: 20,\d\d\d entries/)
  })

  test('the test page of the last screen shows the warning', async () => {
    await page.click('#next')
    await page.waitForSelector('body[data-screen="try"]')
    expect(await focused()).toBe('try-title')
    await page.click('#try')
    const warning = await until('the warning', async () => {
      for (const tab of await browser.tabs()) if (/\/extension\/warning\//.test(await tab.url().catch(() => ''))) return tab
      return undefined
    })
    await warning.waitForSelector('body[data-kind="threat"]')
    expect(await warning.text('#address')).toContain('phishing.wary.test')
    await warning.click('#go-back')
    await until('the end of the warning', async () => {
      for (const tab of await browser.tabs()) if (/\/extension\/warning\//.test(await tab.url().catch(() => ''))) return false
      return true
    })
    await page.click('#back')
    await page.waitForSelector('body[data-screen="lists"]')
  })

  async function linkWindow(url: string): Promise<TabUnderTest> {
    await browser.chooseLinkEntry('check-link', url)
    const tab = await until('the answer', async () => {
      for (const each of await browser.tabs()) if ((await each.url().catch(() => '')).includes(PAGE_PATHS.link)) return each
      return undefined
    })
    await tab.waitForSelector('#verdict[data-kind]')
    return tab
  }

  test('"check this link" answers in a window; only for a listed one is anything sent', async () => {
    // The browser knows the entry: else this rejects.
    await page.evaluate(
      () =>
        (globalThis as unknown as { browser?: typeof chrome }).browser?.contextMenus?.update?.('check-link', {}) ??
        chrome.contextMenus.update('check-link', {}),
    )
    world.clearLogs()
    const safe = await linkWindow('http://good.test/some/page')
    expect(await safe.text('#verdict')).toBe('Not on the list: nothing was sent.')
    expect(await safe.text('#address')).toBe('http://good.test/some/page')
    expect(world.requests).toEqual([])
    await safe.close()
    const listed = await linkWindow('http://malware.wary.test/')
    await listed.waitForSelector('#verdict[data-kind="threat"]')
    expect(await listed.text('#verdict')).toBe('On the list: malware.')
    expect(world.requests.map(({ path }) => path.replace(/=.*/, ''))).toEqual(['/v5/hashes:search?hashPrefixes'])
    expect(world.sites.log).toEqual([])
    await listed.close()
  })

  test('first visits are told where a person wants that, and only there', async () => {
    const url = world.sites.url('good.test')
    world.sites.route('good.test', '/', scriptedPage('Good'))
    const options = await browser.openExtensionPage(PAGE_PATHS.options)
    /** As the popup asks, about the tab that shows `url`. */
    const answered = () =>
      options.evaluate(async (wanted: string) => {
        const api = (globalThis as unknown as { browser?: typeof chrome }).browser ?? chrome
        for (const { id: tabId } of await api.tabs.query({})) {
          const { answer } = await api.runtime.sendMessage({ type: 'status:get', request: { tabId } })
          if (answer?.tab?.url === wanted) return { firstVisit: String(answer.firstVisit) }
        }
        return undefined
      }, url)
    const firstVisit = async (): Promise<string> => {
      const tab = await browser.newPage()
      await tab.goto(url)
      const answer = await until('a verdict', async () => (await answered()) ?? undefined)
      await tab.close()
      return answer.firstVisit
    }
    expect(await firstVisit()).toBe('undefined')
    await options.bringToFront()
    await options.click('#first-visits')
    await options.waitForSelector('#first-visits-status:not(:empty)')
    expect(await firstVisit()).toBe('true')
    expect(await firstVisit()).toBe('false')
    await options.bringToFront()
    await options.click('#first-visits')
    await until('the announcement', async () => (await options.text('#first-visits-status')).includes('erased'))
    expect(await firstVisit()).toBe('undefined')
    await options.close()
  })

  test('comes once: not when the background wakes', async () => {
    for (const each of await welcomePages()) await each.close()
    await browser.stopBackground()
    await new Extension(browser).status()
    await pause(500)
    expect((await welcomePages()).length).toBe(0)
  })
})
