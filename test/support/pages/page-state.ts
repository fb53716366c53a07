import { PAGE_PATHS } from '../../../extension/messaging/messages.ts'
import type { BrowserName, BrowserUnderTest, TabUnderTest } from '../browsers/browser-under-test.ts'
import { Extension } from '../extension.ts'
import { scriptedPage } from '../sites.ts'
import { until } from '../until.ts'
import type { World } from '../world.ts'

/** Listed, and the server cannot say anything about it. */
const UNVERIFIED = 'unverified.test'
/** Listed, and the server takes its time. */
const SLOW = 'slow.test'
const SLOW_MS = 4000
/** Listed, and long. */
export const LISTED = 'login.secure-account.bank.test'

/** A protected browser in which every page and state of the extension can be brought about, by the real extension. */
export class Stage {
  readonly world: World
  readonly browser: BrowserUnderTest
  readonly extension: Extension

  constructor({ world, browser }: { readonly world: World; readonly browser: BrowserUnderTest }) {
    this.world = world
    this.browser = browser
    this.extension = new Extension(browser)
  }

  static async prepare(world: World): Promise<void> {
    for (const host of ['good.test', UNVERIFIED, SLOW, LISTED]) world.sites.route(host, '/', scriptedPage(host))
    await world.publish([UNVERIFIED, SLOW, LISTED])
  }

  async open(url: string): Promise<TabUnderTest> {
    const tab = await this.browser.newPage()
    await tab.goto(this.world.sites.url('good.test'))
    // A person was here: Chromium's Back passes over pages that nobody has touched.
    await tab.click('h1')
    // Chromium's way back passes over pages that nobody has touched.
    await tab.click('h1')
    await tab.goto(url)
    return tab
  }

  async warning(host: string, options: { readonly details?: boolean } = {}): Promise<TabUnderTest> {
    const tab = await this.open(this.world.sites.url(host))
    await tab.waitForUrl(/\/extension\/warning\//)
    await tab.waitForSelector('body[data-kind="threat"], body[data-kind="unverified"]')
    if (options.details === true) await tab.click('#details summary')
    return tab
  }

  /** The popup about the tab that shows `host`. */
  async popup(host: string): Promise<TabUnderTest> {
    const url = this.world.sites.url(host)
    const shown = await this.open(url)
    const id = await until('a verdict', () => this.extension.tabOf(url))
    const popup = await this.browser.openExtensionPage(`${PAGE_PATHS.popup}?tab=${id}`)
    await popup.waitForSelector('body[data-protection]')
    await shown.close()
    return popup
  }

  async page(path: string, selector: string): Promise<TabUnderTest> {
    const tab = await this.browser.openExtensionPage(path)
    await tab.waitForSelector(selector)
    return tab
  }

  /** Runs `bring` while the server fails to answer questions. */
  async whileFailing<R>(bring: () => Promise<R>): Promise<R> {
    await this.extension.forgetAnswers()
    this.world.fault = (request) => (request.url.includes('hashes:search') ? new Response('', { status: 500 }) : undefined)
    try {
      return await bring()
    } finally {
      this.world.fault = undefined
      // The next question need not wait for the end of the pause that failures bring.
      await this.extension.forgetAnswers()
    }
  }

  /** Runs `bring` while the server answers late. */
  async whileSlow<R>(bring: () => Promise<R>): Promise<R> {
    await this.extension.forgetAnswers()
    this.world.fault = async (request) => {
      if (!request.url.includes('hashes:search')) return undefined
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
      return undefined
    }
    try {
      return await bring()
    } finally {
      this.world.fault = undefined
    }
  }
}

/** One page of the extension in one of its states. */
export interface PageState {
  readonly name: string
  /** As large as people see it. */
  readonly width: number
  readonly height: number
  /** Only where it exists. Default: both. */
  readonly browser?: BrowserName
  /** Shows it in a new tab. */
  readonly open: (stage: Stage) => Promise<TabUnderTest>
}

async function linkCheck(stage: Stage, url: string): Promise<TabUnderTest> {
  await stage.browser.chooseLinkEntry('check-link', url)
  const tab = await until('the answer', async () => {
    for (const each of await stage.browser.tabs()) if ((await each.url().catch(() => '')).includes(PAGE_PATHS.link)) return each
    return undefined
  })
  await tab.waitForSelector('#verdict[data-kind]')
  return tab
}

const TAB = { width: 1000, height: 760 }
const POPUP = { width: 384, height: 600 }

async function welcome(stage: Stage, steps: number): Promise<TabUnderTest> {
  const tab = await stage.page(PAGE_PATHS.welcome, '#download[data-tone="good"], #screen-what')
  for (let i = 0; i < steps; i++) await tab.click('#next')
  return tab
}

/** In this order: the last ones leave the stage as it must be for the next. */
export const PAGE_STATES: readonly PageState[] = [
  { name: 'warning-phishing', ...TAB, open: (stage) => stage.warning('phishing.wary.test') },
  { name: 'warning-malware', ...TAB, open: (stage) => stage.warning('malware.wary.test') },
  { name: 'warning-unwanted', ...TAB, open: (stage) => stage.warning('unwanted.wary.test') },
  { name: 'warning-harmful', ...TAB, open: (stage) => stage.warning('harmful.wary.test') },
  {
    name: 'warning-details',
    width: 1000,
    height: 1400,
    open: (stage) => stage.warning(LISTED, { details: true }),
  },
  { name: 'warning-unverified', ...TAB, open: (stage) => stage.whileFailing(() => stage.warning(UNVERIFIED)) },
  { name: 'warning-nothing', ...TAB, open: (stage) => stage.page(PAGE_PATHS.warning, 'body[data-kind="none"]') },
  {
    name: 'checking',
    ...TAB,
    // Firefox holds the request itself meanwhile.
    browser: 'chromium',
    open: (stage) =>
      stage.whileSlow(async () => {
        const tab = await stage.browser.newPage()
        void tab.goto(stage.world.sites.url(SLOW))
        await tab.waitForUrl(/\/extension\/checking\//)
        await tab.waitForSelector('#checking-title')
        return tab
      }),
  },
  { name: 'checking-nothing', ...TAB, open: (stage) => stage.page(PAGE_PATHS.checking, 'body[data-state="nothing"]') },
  { name: 'popup', ...POPUP, open: (stage) => stage.popup('good.test') },
  { name: 'popup-threat', ...POPUP, open: (stage) => stage.popup('phishing.wary.test') },
  { name: 'link', width: 440, height: 320, open: (stage) => linkCheck(stage, 'https://www.example.org/a/page?from=mail') },
  { name: 'link-threat', width: 440, height: 320, open: (stage) => linkCheck(stage, 'http://malware.wary.test/') },
  { name: 'options', width: 1000, height: 1400, open: (stage) => stage.page(PAGE_PATHS.options, 'h1') },
  { name: 'welcome-what', ...TAB, open: (stage) => welcome(stage, 0) },
  { name: 'welcome-lists', ...TAB, open: (stage) => welcome(stage, 1) },
  { name: 'welcome-try', ...TAB, open: (stage) => welcome(stage, 2) },
  {
    name: 'options-problems',
    width: 1000,
    height: 1400,
    open: async (stage) => {
      const tab = await stage.page(PAGE_PATHS.options, 'body[data-state="shown"]')
      await tab.fill('#server', 'lists.example')
      await tab.fill('#rootKey', '12')
      await tab.click('#save')
      await tab.waitForSelector('#server-problem')
      return tab
    },
  },
  // From here on the browser is not protected.
  {
    name: 'popup-damaged',
    ...POPUP,
    open: async (stage) => {
      stage.world.fault = () => new Response('', { status: 503 })
      await stage.extension.damage()
      const tab = await stage.page(PAGE_PATHS.popup, 'body[data-protection="damaged"]')
      await tab.click('#update-now')
      await tab.waitForSelector('#update-error')
      return tab
    },
  },
  {
    name: 'popup-not-configured',
    ...POPUP,
    open: async (stage) => {
      stage.world.fault = undefined
      await stage.extension.ask('settings:save', { settings: { server: '', rootKey: '' } })
      return stage.page(PAGE_PATHS.popup, 'body[data-protection="off"]')
    },
  },
  {
    name: 'welcome-no-source',
    ...TAB,
    open: async (stage) => {
      const tab = await welcome(stage, 1)
      await tab.waitForSelector('#download[data-tone="danger"]')
      return tab
    },
  },
]
