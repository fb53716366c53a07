import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER_NAMES, type BrowserUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Sites, scriptedPage } from '../support/sites.ts'
import { until } from '../support/until.ts'

const FIXTURE = fileURLToPath(new URL('../support/fixture-extension', import.meta.url))
const PNG = '89504e470d0a1a0a'

describe.each(BROWSER_NAMES)('the harness in %s', (name) => {
  const sites = new Sites()
  const pictures = mkdtempSync(join(tmpdir(), 'wary-pictures-'))
  let browser: BrowserUnderTest

  beforeAll(async () => {
    await sites.start()
    sites.route('one.test', '/', scriptedPage('One', `<a id="next" href="${sites.url('two.test', '/next')}">next</a>`))
    sites.route('two.test', '/next', scriptedPage('Two'))
    sites.route('slow.test', '/', scriptedPage('Slow'), { latencyMs: 300 })
    browser = await launchBrowser(name, { extensionDir: FIXTURE })
  })
  afterAll(async () => {
    await browser.close()
    await sites.stop()
    rmSync(pictures, { recursive: true })
  })

  async function seen(): Promise<{ seen: string[]; starts: number[] }> {
    const page = await browser.openExtensionPage('/page.html')
    await page.click('#ask')
    const text = await until('the answer of the background', async () => (await page.text('#seen')) || undefined)
    await page.close()
    return JSON.parse(text)
  }

  test('loads pages of any *.test host, and the log names what was sent', async () => {
    sites.clear()
    const tab = await browser.newPage()
    await tab.goto(sites.url('one.test'))
    expect(await tab.url()).toBe(sites.url('one.test'))
    expect(await tab.text('h1')).toBe('One')
    await until('the report of the script', () => sites.ranOn('one.test').length > 0)
    expect(sites.ranOn('one.test')).toEqual(['/'])
    const [request] = sites.sentTo('one.test', '/')
    expect(request?.headers.host).toBe(`one.test:${sites.port}`)
    expect(request?.bytes).toBeGreaterThan(100)
    expect(sites.sentTo('two.test')).toEqual([])
    await tab.close()
  })

  test('clicks, goes back and knows the history', async () => {
    const tab = await browser.newPage()
    await tab.goto(sites.url('one.test'))
    await tab.click('#next')
    await tab.waitForUrl(sites.url('two.test', '/next'))
    expect((await tab.history()).urls.slice(-2)).toEqual([sites.url('one.test'), sites.url('two.test', '/next')])
    await tab.back()
    await tab.waitForUrl(sites.url('one.test'))
    expect((await tab.history()).index).toBe((await tab.history()).urls.length - 2)
    await tab.close()
  })

  test('a failed navigation does not reject', async () => {
    const tab = await browser.newPage()
    await tab.goto('http://one.test:1/')
    await tab.goto(sites.url('slow.test'))
    expect(await tab.text('h1')).toBe('Slow')
    await tab.close()
  })

  test('evaluates in pages, also of the extension, with arguments and errors', async () => {
    const tab = await browser.openExtensionPage('/page.html')
    expect(await tab.url()).toBe(`${browser.extensionOrigin}/page.html`)
    expect(await tab.evaluate((a, b) => Promise.resolve({ sum: a + b }), 2, 3)).toEqual({ sum: 5 })
    await expect(tab.evaluate(() => missingName)).rejects.toThrow(/missingName/)
    await tab.close()
  })

  test('types and presses keys', async () => {
    const tab = await browser.openExtensionPage('/page.html')
    await tab.fill('#note', 'written')
    expect(await tab.evaluate(() => document.querySelector<HTMLInputElement>('#note')?.value)).toBe('written')
    await tab.press('Tab')
    expect(await tab.evaluate(() => document.activeElement?.id)).toBe('ask')
    await tab.press('Enter')
    await until('the answer of the background', async () => (await tab.text('#seen')) !== '')
    expect((await browser.tabs()).length).toBeGreaterThan(1)
    await tab.close()
  })

  test('takes pictures, light and dark', async () => {
    const tab = await browser.openExtensionPage('/page.html')
    await tab.setViewport(360, 480)
    const background = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor)
    for (const dark of [false, true]) {
      const path = join(pictures, `${name}-${dark}.png`)
      await tab.screenshot(path, { dark })
      const png = readFileSync(path)
      expect(png.subarray(0, 8).toString('hex')).toBe(PNG)
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([360, 480])
    }
    expect(readFileSync(join(pictures, `${name}-true.png`))).not.toEqual(readFileSync(join(pictures, `${name}-false.png`)))
    await browser.setDark(true)
    await until('the dark page', async () => (await background()) === 'rgb(0, 0, 0)')
    await browser.setDark(false)
    await until('the light page', async () => (await background()) === 'rgb(255, 255, 255)')
    await tab.close()
  })

  test('stops the background, which a navigation wakes', async () => {
    const starts = (await seen()).starts.length
    await browser.stopBackground()
    expect(await browser.wakeState()).toBe('stopped')
    const tab = await browser.newPage()
    await tab.goto(sites.url('two.test', '/next?woken'))
    await until('the background to run', async () => (await browser.wakeState()) === 'running')
    const after = await seen()
    expect(after.seen).toContain(sites.url('two.test', '/next?woken'))
    expect(after.starts.length).toBe(starts + 1)
    await tab.close()
  })

  test('restarts with the profile, and sees the first navigation after it', async () => {
    const before = await seen()
    const origin = browser.extensionOrigin
    await browser.restart()
    const tab = await browser.newPage()
    await tab.goto(sites.url('two.test', '/next?restarted'))
    const url = sites.url('two.test', '/next?restarted')
    const after = await until('the record', async () => {
      const record = await seen()
      return record.seen.includes(url) ? record : undefined
    })
    expect(browser.extensionOrigin).toBe(origin)
    expect(after.seen.slice(0, before.seen.length)).toEqual(before.seen)
    expect(after.starts.length).toBe(before.starts.length + 1)
  })
})

declare const missingName: string
