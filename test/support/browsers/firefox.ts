import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { zipSync } from 'fflate'
import puppeteer, { type Browser } from 'puppeteer-core'
import { browserExecutable } from '../../../scripts/find-browsers.mjs'
import { pause, until } from '../until.ts'
import { Bidi } from './bidi.ts'
import type { BrowserUnderTest, LaunchOptions, TabUnderTest } from './browser-under-test.ts'
import { FirefoxTab } from './firefox-tab.ts'
import { endProcess, forgetProcess, noteProcess, Profile } from './profile.ts'

const CLOSE_MS = 10_000
const DRIVER_MS = 500
const SETTLED_MS = 500
const WARY_HOSTS = ['start', 'safe', 'phishing', 'malware', 'unwanted', 'harmful'].map((name) => `${name}.wary.test`).join(',')
const SCHEME_PREF = 'layout.css.prefers-color-scheme.content-override'

function geckoId(extensionDir: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(extensionDir, 'manifest.json'), 'utf8'))
  const id = at(at(at(manifest, 'browser_specific_settings'), 'gecko'), 'id')
  if (typeof id !== 'string') throw new Error(`The manifest in ${extensionDir} has no browser_specific_settings.gecko.id`)
  return id
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined
}

/** A UUID made from the add-on's id, so that moz-extension: addresses and with them the extension's databases stay over restarts. */
function fixedUuid(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function packXpi(extensionDir: string): Uint8Array {
  const files = readdirSync(extensionDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name))
  return zipSync(
    Object.fromEntries(paths.map((path) => [relative(extensionDir, path).split(sep).join('/'), new Uint8Array(readFileSync(path))])),
    { level: 0 },
  )
}

function launch(options: LaunchOptions, profile: Profile, addonId: string, uuid: string): Promise<Browser> {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: options.executable ?? browserExecutable('firefox'),
    headless: options.headless ?? true,
    // The driver would end this process at a signal before anybody could clean up; whoever launches a browser closes it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    userDataDir: profile.dir,
    defaultViewport: null,
    // Opens moz-extension: pages to the driver, and the browser's own window to `Bidi.inBrowser`.
    args: ['--remote-allow-system-access', '--width=1200', '--height=900'],
    extraPrefsFirefox: {
      'extensions.webextensions.uuids': JSON.stringify({ [addonId]: uuid }),
      // An add-on that lies in the profile is enabled without a question, and without a signature where the build allows that.
      'extensions.autoDisableScopes': 0,
      'xpinstall.signatures.required': false,
      ...(options.secure === undefined
        ? {}
        : { 'dom.securecontext.allowlist': options.secure.map((origin) => new URL(origin).hostname).join(',') }),
      ...(options.resolve === 'wary' ? { 'network.dns.localDomains': WARY_HOSTS } : { 'network.dns.forceResolve': '127.0.0.1' }),
    },
  })
}

class Firefox implements BrowserUnderTest {
  readonly name = 'firefox'
  readonly extensionOrigin: string
  readonly #options: LaunchOptions
  readonly #profile: Profile
  readonly #addonId: string
  #browser: Browser
  #bidi: Bidi
  #dark = false

  constructor(options: LaunchOptions, profile: Profile, addonId: string, browser: Browser) {
    this.extensionOrigin = `moz-extension://${fixedUuid(addonId)}`
    this.#options = options
    this.#profile = profile
    this.#addonId = addonId
    this.#browser = browser
    this.#bidi = new Bidi(browser)
    noteProcess(browser.process()?.pid)
  }

  async newPage(): Promise<TabUnderTest> {
    return new FirefoxTab(this.#bidi, await this.#bidi.createTab(), this.#schemes)
  }

  readonly #schemes = { current: () => this.#dark, show: (dark: boolean) => this.#showScheme(dark) }

  async openExtensionPage(path: string): Promise<TabUnderTest> {
    const tab = await this.newPage()
    await tab.goto(this.extensionOrigin + path)
    return tab
  }

  async tabs(): Promise<TabUnderTest[]> {
    return (await this.#bidi.contexts()).map(({ context }) => new FirefoxTab(this.#bidi, context, this.#schemes))
  }

  /**
   * Release builds of Firefox accept no unsigned add-on from the profile: there it is installed for this session, again after each
   * restart, and a test of what happens at the very start of the browser means less.
   */
  async installWhereUnsignedIsRefused(): Promise<void> {
    const refuses = await this.#bidi.inBrowser(
      `ChromeUtils.importESModule('resource://gre/modules/AppConstants.sys.mjs').AppConstants.MOZ_REQUIRE_SIGNING`,
    )
    if (refuses === true) await this.#browser.installExtension(this.#options.extensionDir)
  }

  async waitForBackground(): Promise<void> {
    await until("the extension's event page", async () => (await this.wakeState()) === 'running', 20_000)
  }

  version(): Promise<string> {
    return this.#browser.version()
  }

  /** An expression for the extension as the browser's own code sees it (toolkit/components/extensions/Extension.sys.mjs). */
  get #extension(): string {
    return `WebExtensionPolicy.getByID(${JSON.stringify(this.#addonId)})?.extension`
  }

  async stopBackground(options: { readonly keepPages?: boolean } = {}): Promise<void> {
    if (options.keepPages !== true) {
      const pages = (await this.#bidi.contexts()).filter(({ url }) => url.startsWith(`${this.extensionOrigin}/`))
      for (const { context } of pages) await this.#bidi.closeTab(context)
    }
    // What the browser itself calls when the event page has been idle for extensions.background.idle.timeout.
    // Again, where a message that was on its way has woken it meanwhile.
    await until("the end of the extension's event page", async () => {
      await this.#bidi.inBrowser(`(async () => { await ${this.#extension}.terminateBackground() })()`)
      return (await this.wakeState()) === 'stopped'
    })
  }

  async chooseLinkEntry(entry: string, linkUrl: string): Promise<void> {
    const info = JSON.stringify({ menuItemId: entry, linkUrl, modifiers: [], button: 0, editable: false })
    // As toolkit's own menu does it (browser/components/extensions/parent/ext-menus.js).
    await this.#bidi.inBrowser(`void ${this.#extension}.emit('webext-menu-menuitem-click', ${info}, gBrowser.selectedTab)`)
  }

  async wakeState(): Promise<'running' | 'stopped'> {
    return (await this.#bidi.inBrowser(`${this.#extension}?.backgroundState ?? 'none'`)) === 'running' ? 'running' : 'stopped'
  }

  async crash(): Promise<void> {
    const pid = this.#browser.process()?.pid
    const ended = this.ended()
    endProcess(pid)
    await ended
    forgetProcess(pid)
    // The driver puts the profile's preferences back when it hears of the end.
    await pause(DRIVER_MS)
    await this.#start()
  }

  restart(): Promise<void> {
    return this.restartAfter(() => undefined)
  }

  async restartAfter(between: () => void): Promise<void> {
    await this.#end()
    between()
    await this.#start()
  }

  async #start(): Promise<void> {
    this.#browser = await launch(this.#options, this.#profile, this.#addonId, fixedUuid(this.#addonId))
    this.#bidi = new Bidi(this.#browser)
    noteProcess(this.#browser.process()?.pid)
    await this.installWhereUnsignedIsRefused()
    if (this.#dark) await this.#showScheme(true)
  }

  async allowInPrivate(): Promise<void> {
    const id = JSON.stringify(this.#addonId)
    await this.#bidi.inBrowser(`(async () => {
      const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs')
      const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs')
      await ExtensionPermissions.add(${id}, { permissions: ['internal:privateBrowsingAllowed'], origins: [] })
      await (await AddonManager.getAddonByID(${id})).reload()
    })()`)
    await until('the reloaded extension', async () => (await this.#bidi.inBrowser(`${this.#extension}?.privateBrowsingAllowed`)) === true)
    await this.waitForBackground()
  }

  async newPrivatePage(): Promise<TabUnderTest> {
    const before = new Set((await this.#bidi.contexts()).map(({ context }) => context))
    await this.#bidi.inBrowser('void OpenBrowserWindow({ private: true })')
    const opened = await until('the private window', async () =>
      (await this.#bidi.contexts()).find(({ context, url }) => !before.has(context) && url === 'about:privatebrowsing'),
    )
    const tab = new FirefoxTab(this.#bidi, opened.context, this.#schemes)
    await until('its first page', () => tab.evaluate(() => document.readyState === 'complete'))
    // The window still does things of its own, which would end a navigation that comes at once.
    await pause(SETTLED_MS)
    return tab
  }

  async setDark(dark: boolean): Promise<void> {
    this.#dark = dark
    await this.#showScheme(dark)
  }

  async #showScheme(dark: boolean): Promise<void> {
    await this.#bidi.inBrowser(`Services.prefs.setIntPref(${JSON.stringify(SCHEME_PREF)}, ${dark ? 0 : 1})`)
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

export async function launchFirefox(options: LaunchOptions): Promise<BrowserUnderTest> {
  const profile = new Profile(options.profileDir)
  const addonId = geckoId(options.extensionDir)
  const addons = join(profile.dir, 'extensions')
  const fresh = !existsSync(addons)
  mkdirSync(addons, { recursive: true })
  writeFileSync(join(addons, `${addonId}.xpi`), packXpi(options.extensionDir))
  const firefox = new Firefox(options, profile, addonId, await launch(options, profile, addonId, fixedUuid(addonId)))
  try {
    await firefox.installWhereUnsignedIsRefused()
    if (fresh) await firefox.waitForBackground()
  } catch (error) {
    await firefox.close()
    throw error
  }
  return firefox
}
