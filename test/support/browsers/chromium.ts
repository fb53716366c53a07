import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import puppeteer, { type Browser } from 'puppeteer-core'
import { PAGE_PATHS } from '../../../extension/messaging/messages.ts'
import { browserExecutable } from '../../../scripts/find-browsers.mjs'
import { until } from '../until.ts'
import type { BrowserUnderTest, LaunchOptions, TabUnderTest } from './browser-under-test.ts'
import { extensionId, keepInstalled } from './chromium-install.ts'
import { ChromiumTab } from './chromium-tab.ts'
import { endProcess, forgetProcess, noteProcess, Profile } from './profile.ts'

const CLOSE_MS = 10_000
const RESOLVED = { test: '*.test', everything: '*', wary: '*.wary.test' } as const

function launch(options: LaunchOptions, profile: Profile): Promise<Browser> {
  const root = process.getuid?.() === 0
  const extensionDir = resolve(options.extensionDir)
  const installed = keepInstalled(profile.dir, extensionDir)
  return puppeteer.launch({
    executablePath: options.executable ?? browserExecutable('chromium'),
    headless: options.headless ?? true,
    // The driver would end this process at a signal before anybody could clean up; whoever launches a browser closes it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    pipe: true,
    enableExtensions: true,
    userDataDir: profile.dir,
    defaultViewport: null,
    protocolTimeout: 60_000,
    args: [
      // Not Extensions.loadUnpacked: the browser forgets what that installs.
      ...(installed ? [] : [`--load-extension=${extensionDir}`]),
      '--disable-features=DisableLoadExtensionCommandLineSwitch,HttpsUpgrades',
      ...(root ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--window-size=1200,900',
      ...(options.secure === undefined ? [] : [`--unsafely-treat-insecure-origin-as-secure=${options.secure.join(',')}`]),
      `--host-resolver-rules=MAP ${RESOLVED[options.resolve ?? 'test']} 127.0.0.1`,
    ],
  })
}

class Chromium implements BrowserUnderTest {
  readonly name = 'chromium'
  readonly extensionOrigin: string
  readonly #options: LaunchOptions
  readonly #profile: Profile
  #browser: Browser
  #dark = false

  constructor(options: LaunchOptions, profile: Profile, browser: Browser) {
    this.extensionOrigin = `chrome-extension://${extensionId(options.extensionDir)}`
    this.#options = options
    this.#profile = profile
    this.#browser = browser
    noteProcess(browser.process()?.pid)
  }

  async newPage(): Promise<TabUnderTest> {
    const tab = new ChromiumTab(await this.#browser.newPage(), () => this.#dark)
    await tab.showScheme(this.#dark)
    return tab
  }

  async openExtensionPage(path: string): Promise<TabUnderTest> {
    const tab = await this.newPage()
    await tab.goto(this.extensionOrigin + path)
    await tab.waitForUrl((url) => url.startsWith(this.extensionOrigin))
    return tab
  }

  async tabs(): Promise<TabUnderTest[]> {
    return (await this.#browser.pages()).map((page) => new ChromiumTab(page, () => this.#dark))
  }

  /** Two where there are private windows: these have a worker of their own. */
  #workers() {
    return this.#browser
      .targets()
      .filter((target) => target.type() === 'service_worker' && target.url().startsWith(`${this.extensionOrigin}/`))
  }

  #worker() {
    return this.#workers()[0]
  }

  async allowInPrivate(): Promise<void> {
    const page = await this.#browser.newPage()
    await page.goto('chrome://extensions')
    await page.evaluate(
      `chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true }).then(() => chrome.developerPrivate.updateExtensionConfiguration(` +
        `{ extensionId: ${JSON.stringify(extensionId(this.#options.extensionDir))}, incognitoAccess: true }))`,
    )
    await until('the reloaded extension', async () => {
      await page.goto(`${this.extensionOrigin}${PAGE_PATHS.options}`)
      return (await page.evaluate(`chrome.extension.isAllowedIncognitoAccess()`)) === true
    })
    await page.close()
  }

  async newPrivatePage(): Promise<TabUnderTest> {
    const before = new Set(await this.#browser.pages())
    const page = await this.#browser.newPage()
    await page.goto(`${this.extensionOrigin}${PAGE_PATHS.options}`)
    await page.evaluate(`chrome.windows.create({ incognito: true, url: 'about:blank' }).then(() => undefined)`)
    before.add(page)
    const opened = await until('the private window', async () => (await this.#browser.pages()).find((each) => !before.has(each)))
    await page.close()
    const tab = new ChromiumTab(opened, () => this.#dark)
    await tab.showScheme(this.#dark)
    return tab
  }

  /** Answers when the extension's service worker runs: after the first start only, since a restarted browser must be tested as it comes. */
  async waitForBackground(): Promise<void> {
    const target = await until("the extension's service worker", () => this.#worker(), 20_000)
    const worker = await target.worker()
    // The target exists before the worker's script has run and its listeners are known.
    await until('the activated service worker', () => worker?.evaluate("registration.active?.state === 'activated'").then(Boolean), 20_000)
  }

  version(): Promise<string> {
    return this.#browser.version()
  }

  async stopBackground(options: { readonly keepPages?: boolean } = {}): Promise<void> {
    if (options.keepPages !== true) {
      const pages = (await this.#browser.pages()).filter((page) => page.url().startsWith(`${this.extensionOrigin}/`))
      await Promise.all(pages.map((page) => page.close()))
    }
    // A tab that came to the front a moment ago may wake it once more.
    await until("the end of the extension's service worker", async () => {
      for (const target of this.#workers()) await (await target.worker())?.close()
      return this.#worker() === undefined
    })
  }

  async chooseLinkEntry(entry: string, linkUrl: string): Promise<void> {
    const worker = await this.#worker()?.worker()
    const info = JSON.stringify({ menuItemId: entry, linkUrl })
    await worker?.evaluate(`void chrome.contextMenus.onClicked.dispatch(${info}, { incognito: false })`)
  }

  wakeState(): Promise<'running' | 'stopped'> {
    return Promise.resolve(this.#worker() === undefined ? 'stopped' : 'running')
  }

  restart(): Promise<void> {
    return this.restartAfter(() => undefined)
  }

  async restartAfter(between: () => void): Promise<void> {
    await this.#end()
    between()
    this.#browser = await launch(this.#options, this.#profile)
    noteProcess(this.#browser.process()?.pid)
  }

  async crash(): Promise<void> {
    const pid = this.#browser.process()?.pid
    const ended = this.ended()
    endProcess(pid)
    await ended
    forgetProcess(pid)
    this.#browser = await launch(this.#options, this.#profile)
    noteProcess(this.#browser.process()?.pid)
  }

  async setDark(dark: boolean): Promise<void> {
    this.#dark = dark
    for (const page of await this.#browser.pages()) await new ChromiumTab(page, () => dark).showScheme(dark)
  }

  ended(): Promise<void> {
    return new Promise((resolve) => this.#browser.process()?.once('exit', () => resolve()))
  }

  async close(): Promise<void> {
    await this.#end()
    this.#profile.remove()
  }

  async #end(): Promise<void> {
    const pid = this.#browser.process()?.pid
    const timer = setTimeout(() => endProcess(pid), CLOSE_MS)
    await this.#browser.close().catch(() => endProcess(pid))
    clearTimeout(timer)
    forgetProcess(pid)
  }
}

export async function launchChromium(options: LaunchOptions): Promise<BrowserUnderTest> {
  const profile = new Profile(options.profileDir)
  const fresh = !existsSync(join(profile.dir, 'Default'))
  const chromium = new Chromium(options, profile, await launch(options, profile))
  try {
    if (fresh) await chromium.waitForBackground()
  } catch (error) {
    await chromium.close()
    throw error
  }
  return chromium
}
