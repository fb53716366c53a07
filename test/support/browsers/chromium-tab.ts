import { writeFile } from 'node:fs/promises'
import type { CDPSession, KeyInput, Page } from 'puppeteer-core'
import { pause, until } from '../until.ts'
import type { MediaFeatures, TabUnderTest } from './browser-under-test.ts'
import { displayedText, fillField, isDisplayed, middleOf, pageScript } from './page-script.ts'
import { waitForUrl } from './wait-for-url.ts'

const GOTO_MS = 15_000
const ERROR_PAGE_MS = 150
/** Far longer than an input event takes that is answered at all. */
const INPUT_MS = 3000

export class ChromiumTab implements TabUnderTest {
  readonly #page: Page
  readonly #dark: () => boolean
  #session: Promise<CDPSession> | undefined

  constructor(page: Page, dark: () => boolean) {
    this.#page = page
    this.#dark = dark
  }

  async goto(url: string): Promise<void> {
    try {
      await this.#page.goto(url, { waitUntil: 'load', timeout: GOTO_MS })
    } catch (error) {
      // Rejects for every navigation that the extension replaces or blocks, which is no failure of the test. What takes its place, the
      // browser's error page at least, is still on its way and would end a navigation that comes right after.
      if (this.#page.isClosed()) throw error
      await pause(ERROR_PAGE_MS)
      await until('a complete document', () => this.evaluate(() => document.readyState === 'complete'), GOTO_MS)
    }
  }

  url(): Promise<string> {
    return Promise.resolve(this.#page.url())
  }

  waitForUrl(expected: string | RegExp | ((url: string) => boolean), timeoutMs = 10_000): Promise<string> {
    return waitForUrl(() => this.url(), expected, timeoutMs)
  }

  async waitForSelector(selector: string, timeoutMs = 10_000): Promise<void> {
    await until(`${selector} at ${this.#page.url()}`, () => this.evaluate(isDisplayed, selector), timeoutMs)
  }

  text(selector = 'body'): Promise<string> {
    return this.evaluate(displayedText, selector)
  }

  async click(selector: string): Promise<void> {
    await this.waitForSelector(selector)
    const { x, y } = await this.evaluate(middleOf, selector)
    await this.#answered(this.#page.mouse.click(x, y))
  }

  /** Where an input event closes or replaces the page, its answer may never come, nor an error. */
  async #answered(input: Promise<void>): Promise<void> {
    const ended = input.catch((error: unknown) => {
      if (!this.#page.isClosed() && !/Target closed|Session closed/.test(String(error))) throw error
    })
    await Promise.race([ended, pause(INPUT_MS)])
  }

  async press(key: string): Promise<void> {
    const shift = key.startsWith('Shift+')
    if (shift) await this.#page.keyboard.down('Shift')
    await this.#answered(this.#page.keyboard.press(key.replace('Shift+', '') as KeyInput))
    if (shift) await this.#page.keyboard.up('Shift')
  }

  async fill(selector: string, value: string): Promise<void> {
    await this.evaluate(fillField, selector, value)
  }

  async evaluate<A extends readonly unknown[], R>(run: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
    const text = await this.#page.evaluate(pageScript(run, args))
    return JSON.parse(String(text))
  }

  async runScript(text: string): Promise<void> {
    await this.#page.evaluate(`void (() => { ${text} })()`)
  }

  async setMedia({ forcedColors, reducedMotion }: MediaFeatures): Promise<void> {
    const features = [
      { name: 'prefers-color-scheme', value: this.#dark() ? 'dark' : 'light' },
      { name: 'forced-colors', value: forcedColors ? 'active' : 'none' },
      { name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : 'no-preference' },
    ]
    await (await this.#cdp()).send('Emulation.setEmulatedMedia', { features })
  }

  async back(): Promise<void> {
    const session = await this.#cdp()
    const { currentIndex, entries } = await session.send('Page.getNavigationHistory')
    const entry = entries[currentIndex - 1]
    if (entry === undefined) throw new Error(`No page before ${this.#page.url()}`)
    await session.send('Page.navigateToHistoryEntry', { entryId: entry.id })
  }

  async history(): Promise<{ index: number; urls: string[] }> {
    const { currentIndex, entries } = await (await this.#cdp()).send('Page.getNavigationHistory')
    return { index: currentIndex, urls: entries.map((entry) => entry.url) }
  }

  /** One session a tab, kept as long as the tab. */
  #cdp(): Promise<CDPSession> {
    this.#session ??= this.#page.createCDPSession()
    return this.#session
  }

  async screenshot(path: string, options: { readonly dark?: boolean } = {}): Promise<void> {
    if (options.dark !== undefined) await this.showScheme(options.dark)
    await this.#page.bringToFront()
    await writeFile(path, await this.#page.screenshot({ type: 'png' }))
    if (options.dark !== undefined) await this.showScheme(this.#dark())
  }

  async showScheme(dark: boolean): Promise<void> {
    await this.#page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }])
  }

  async setViewport(width: number, height: number): Promise<void> {
    await this.#page.setViewport({ width, height })
  }

  async bringToFront(): Promise<void> {
    await this.#page.bringToFront()
  }

  async close(): Promise<void> {
    if (!this.#page.isClosed()) await this.#page.close()
  }
}
