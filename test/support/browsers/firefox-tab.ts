import { writeFile } from 'node:fs/promises'
import { pause, until } from '../until.ts'
import type { Bidi } from './bidi.ts'
import type { MediaFeatures, TabUnderTest } from './browser-under-test.ts'
import { displayedText, fillField, isDisplayed, middleOf, pageScript } from './page-script.ts'
import { waitForUrl } from './wait-for-url.ts'

const GOTO_MS = 15_000
/** The pref reaches the content process a moment later. */
const SCHEME_MS = 200
/** WebDriver's code points of keys without a character (https://w3c.github.io/webdriver/#keyboard-actions). */
const KEYS: Readonly<Record<string, string>> = { Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C', Space: ' ' }

/** `prefers-color-scheme` is one setting for the whole browser here. */
export interface Schemes {
  current(): boolean
  show(dark: boolean): Promise<void>
}

export class FirefoxTab implements TabUnderTest {
  readonly #bidi: Bidi
  readonly #context: string
  readonly #schemes: Schemes

  constructor(bidi: Bidi, context: string, schemes: Schemes) {
    this.#bidi = bidi
    this.#context = context
    this.#schemes = schemes
  }

  async goto(url: string): Promise<void> {
    // The driver's own wait would last for ever where the navigation ends on a page of the extension. So the old document is marked,
    // and the navigation has ended when a document without the mark is complete.
    await this.#bidi.evaluate(this.#context, 'void (globalThis.waryOldDocument = true)')
    let refused = false
    await this.#bidi.send('browsingContext.navigate', { context: this.#context, url, wait: 'none' }).catch(() => {
      refused = true
    })
    const ended = () => this.#bidi.evaluate(this.#context, `globalThis.waryOldDocument !== true && document.readyState === 'complete'`)
    const deadline = performance.now() + (refused ? SCHEME_MS : GOTO_MS)
    // While the process of the page changes there is no document to ask: then ask again.
    while (performance.now() < deadline && (await ended().catch(() => false)) !== true) await pause(20)
  }

  async url(): Promise<string> {
    return String(await this.#bidi.evaluate(this.#context, 'location.href'))
  }

  waitForUrl(expected: string | RegExp | ((url: string) => boolean), timeoutMs = 10_000): Promise<string> {
    return waitForUrl(() => this.url(), expected, timeoutMs)
  }

  async waitForSelector(selector: string, timeoutMs = 10_000): Promise<void> {
    await until(`${selector} to be displayed`, () => this.evaluate(isDisplayed, selector), timeoutMs)
  }

  text(selector = 'body'): Promise<string> {
    return this.evaluate(displayedText, selector)
  }

  async click(selector: string): Promise<void> {
    await this.waitForSelector(selector)
    const { x, y } = await this.evaluate(middleOf, selector)
    await this.#actions({
      type: 'pointer',
      id: 'mouse',
      actions: [
        { type: 'pointerMove', x, y },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    })
  }

  async press(key: string): Promise<void> {
    const plain = key.replace('Shift+', '')
    const value = KEYS[plain] ?? plain
    const both = [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]
    const shift = { value: '\uE008' }
    await this.#actions({
      type: 'key',
      id: 'keyboard',
      actions: plain === key ? both : [{ type: 'keyDown', ...shift }, ...both, { type: 'keyUp', ...shift }],
    })
  }

  /** A click may close or replace its page, and then the driver has nobody left to tell that it is done. */
  async #actions(source: object): Promise<void> {
    await this.#bidi.send('input.performActions', { context: this.#context, actions: [source] }).catch((error: unknown) => {
      if (!/no such frame|no such window|aborted|discarded/i.test(String(error))) throw error
    })
  }

  async fill(selector: string, value: string): Promise<void> {
    await this.evaluate(fillField, selector, value)
  }

  async evaluate<A extends readonly unknown[], R>(run: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
    return JSON.parse(String(await this.#bidi.evaluate(this.#context, pageScript(run, args))))
  }

  async runScript(text: string): Promise<void> {
    await this.#bidi.evaluate(this.#context, `void (() => { ${text} })()`)
  }

  async setMedia({ forcedColors, reducedMotion }: MediaFeatures): Promise<void> {
    // 2: the person's colours, always. 0: as the system says.
    await this.#bidi.inBrowser(`Services.prefs.setIntPref('browser.display.document_color_use', ${forcedColors ? 2 : 0})`)
    await this.#bidi.inBrowser(`Services.prefs.setIntPref('ui.prefersReducedMotion', ${reducedMotion ? 1 : 0})`)
    await pause(SCHEME_MS)
  }

  async back(): Promise<void> {
    await this.#bidi.send('browsingContext.traverseHistory', { context: this.#context, delta: -1 })
  }

  async history(): Promise<{ index: number; urls: string[] }> {
    // The content process knows its own part only; the parent has all of it.
    const text = await this.#bidi.inBrowser(`(() => {
      const { NavigableManager } = ChromeUtils.importESModule('chrome://remote/content/shared/NavigableManager.sys.mjs')
      const { sessionHistory } = NavigableManager.getBrowsingContextById(${JSON.stringify(this.#context)})
      const urls = Array.from({ length: sessionHistory.count }, (_, index) => sessionHistory.getEntryAtIndex(index).URI.spec)
      return JSON.stringify({ index: sessionHistory.index, urls })
    })()`)
    return JSON.parse(String(text))
  }

  async screenshot(path: string, options: { readonly dark?: boolean } = {}): Promise<void> {
    await this.bringToFront()
    if (options.dark !== undefined) {
      await this.#schemes.show(options.dark)
      await pause(SCHEME_MS)
    }
    const answer = await this.#bidi.send('browsingContext.captureScreenshot', { context: this.#context })
    if (options.dark !== undefined) await this.#schemes.show(this.#schemes.current())
    if (typeof answer !== 'object' || answer === null || !('data' in answer)) throw new Error('The browser answered no picture')
    await writeFile(path, Buffer.from(String(answer.data), 'base64'))
  }

  async setViewport(width: number, height: number): Promise<void> {
    await this.#bidi.send('browsingContext.setViewport', { context: this.#context, viewport: { width, height } })
  }

  async bringToFront(): Promise<void> {
    await this.#bidi.send('browsingContext.activate', { context: this.#context })
  }

  async close(): Promise<void> {
    if ((await this.#bidi.contexts()).some(({ context }) => context === this.#context)) await this.#bidi.closeTab(this.#context)
  }
}
