import { join } from 'node:path'
import { PAGE_PATHS } from '../../extension/messaging/messages.ts'
import type { Stage, Verdict } from '../../src/check/verdict.ts'
import type { BrowserName, BrowserUnderTest, TabUnderTest } from '../../test/support/browsers/browser-under-test.ts'
import { launchBrowser } from '../../test/support/browsers/launch.ts'
import { Extension } from '../../test/support/extension.ts'
import { scriptedPage } from '../../test/support/sites.ts'
import { until } from '../../test/support/until.ts'
import { type Demo, tourFolder } from './demo.ts'

/** One step of the tour, as seen. */
export interface TourRow {
  readonly step: string
  readonly url: string
  readonly verdict: Verdict['kind']
  /** Which part of the cascade answered. */
  readonly stage: Stage
  /** What the tab showed in the end. */
  readonly shown: 'page' | 'warning' | 'could not check'
  /** Of requests to the verification server during the step. */
  readonly bytesSent: number
  readonly ms: number
  /** Empty where the row is what it should be. */
  readonly wrong: string
}

export interface Tour {
  readonly browser: BrowserName
  readonly version: string
  readonly ok: boolean
  readonly rows: readonly TourRow[]
  readonly screenshots: readonly string[]
}

interface Expected {
  readonly verdict: Verdict['kind']
  readonly stages: readonly Stage[]
  readonly shown: TourRow['shown']
  /** Whether the verification server must have got something, or nothing. */
  readonly sends: boolean
}

const WARNING = /\/extension\/warning\/index\.html/
const LOCAL: readonly Stage[] = ['filter', 'list']

/** Leads a headless browser through everything that Wary does, on this device only. */
export async function runTour(
  browserName: BrowserName,
  demo: Demo,
  options: {
    readonly onRow: (row: TourRow) => void
    /** Gets the browser, so that a signal can end it. */
    readonly onBrowser: (browser: BrowserUnderTest) => void
  },
): Promise<Tour> {
  const extensionDir = await demo.build(browserName)
  const browser = await launchBrowser(browserName, { extensionDir, resolve: 'everything' })
  options.onBrowser(browser)
  try {
    const extension = new Extension(browser)
    await extension.untilProtected()
    const guide = new Guide(browser, extension, demo, options.onRow)
    await guide.walk()
    const screenshots = await guide.pictures(tourFolder(browserName))
    return {
      browser: browserName,
      version: await browser.version(),
      ok: guide.rows.every((row) => row.wrong === ''),
      rows: guide.rows,
      screenshots,
    }
  } finally {
    await browser.close()
  }
}

class Guide {
  readonly rows: TourRow[] = []
  readonly #browser: BrowserUnderTest
  readonly #extension: Extension
  readonly #demo: Demo
  readonly #onRow: (row: TourRow) => void

  constructor(browser: BrowserUnderTest, extension: Extension, demo: Demo, onRow: (row: TourRow) => void) {
    this.#browser = browser
    this.#extension = extension
    this.#demo = demo
    this.#onRow = onRow
  }

  async walk(): Promise<void> {
    const demo = this.#demo
    const tab = await this.#browser.newPage()
    const safe = demo.page('safe.wary.test')
    const open = (url: string) => () => tab.goto(url)

    await this.#step('a safe page', tab, safe, { verdict: 'safe', stages: LOCAL, shown: 'page', sends: false }, open(safe))

    const [host = ''] = demo.listed()
    demo.sites.route(host, '/', scriptedPage('A listed page: nobody should see this'), { latencyMs: 20 })
    const real = demo.sites.url(host)
    await this.#step('a listed page', tab, real, { verdict: 'threat', stages: ['search'], shown: 'warning', sends: true }, open(real))

    await this.#step('going back', tab, safe, { verdict: 'safe', stages: LOCAL, shown: 'page', sends: false }, () => tab.back())

    const phishing = demo.page('phishing.wary.test')
    await this.#step('a test page', tab, phishing, { verdict: 'threat', stages: ['search'], shown: 'warning', sends: true }, open(phishing))
    await this.#step(
      '"open it once anyway"',
      tab,
      phishing,
      { verdict: 'safe', stages: ['allowance'], shown: 'page', sends: false },
      async () => {
        await tab.click('#details summary')
        await tab.click('#proceed')
      },
    )

    const chance = demo.sites.url(demo.falsePositive())
    await this.#step(
      'a false positive, cleared',
      tab,
      chance,
      { verdict: 'safe', stages: ['search'], shown: 'page', sends: true },
      open(chance),
    )

    await demo.down()
    const malware = demo.page('malware.wary.test')
    await this.#step(
      'the server is down',
      tab,
      malware,
      { verdict: 'unverified', stages: ['search'], shown: 'could not check', sends: false },
      open(malware),
    )
    await demo.up()

    demo.sites.route('tomorrow.test', '/', scriptedPage('Listed from tomorrow on'), { latencyMs: 20 })
    const tomorrow = demo.sites.url('tomorrow.test')
    await this.#step('before an update', tab, tomorrow, { verdict: 'safe', stages: LOCAL, shown: 'page', sends: false }, open(tomorrow))
    await demo.publish(['tomorrow.test'])
    await this.#extension.update()
    // Also ends the pause that the search client keeps after the failure above.
    await this.#extension.forgetAnswers()
    await this.#extension.untilProtected()
    await tab.goto(safe)
    await this.#step(
      'after the update',
      tab,
      tomorrow,
      { verdict: 'threat', stages: ['search'], shown: 'warning', sends: true },
      open(tomorrow),
    )
  }

  /** Pictures of popup and warning page, light and dark. */
  async pictures(folder: string): Promise<readonly string[]> {
    const paths: string[] = []
    const warning = await this.#browser.newPage()
    await warning.goto(this.#demo.page('phishing.wary.test'))
    await warning.waitForUrl(WARNING)
    await warning.waitForSelector('#warning-title')
    const tabId = await this.#extension.tabOf(this.#demo.page('phishing.wary.test'))
    const popup = await this.#browser.openExtensionPage(`${PAGE_PATHS.popup}?tab=${tabId}`)
    await popup.setViewport(384, 620)
    await until('the popup', async () => (await popup.text('#protection')) !== '' && (await popup.text('#lists')) !== '')
    for (const [page, name] of [
      [warning, 'warning'],
      [popup, 'popup'],
    ] as const) {
      for (const dark of [false, true]) {
        const path = join(folder, `${name}${dark ? '-dark' : ''}.png`)
        await page.bringToFront()
        await page.screenshot(path, { dark })
        paths.push(path)
      }
    }
    return paths
  }

  async #step(step: string, tab: TabUnderTest, url: string, expected: Expected, act: () => Promise<void>): Promise<void> {
    this.#demo.takeSentBytes()
    const began = performance.now()
    let shown: TourRow['shown'] = 'page'
    let wrong = ''
    try {
      await act()
      await tab.waitForUrl(expected.shown === 'page' ? url : WARNING)
      shown = await this.#shown(tab, expected.shown)
    } catch (error) {
      wrong = error instanceof Error ? error.message : String(error)
    }
    const ms = Math.round(performance.now() - began)
    const bytesSent = this.#demo.takeSentBytes()
    const verdict = await this.#extension.verdictOf(url)
    const row = {
      step,
      url,
      verdict: verdict?.kind ?? 'unchecked',
      stage: verdict?.stage ?? 'none',
      shown,
      bytesSent,
      ms,
    } as const
    const problems = [
      wrong,
      row.verdict === expected.verdict ? '' : `verdict ${row.verdict} instead of ${expected.verdict}`,
      expected.stages.includes(row.stage) ? '' : `${row.stage} answered instead of ${expected.stages.join(' or ')}`,
      row.shown === expected.shown ? '' : `the tab shows: ${row.shown}`,
      bytesSent > 0 === expected.sends ? '' : `${bytesSent} bytes were sent`,
    ]
    const finished = { ...row, wrong: problems.filter((problem) => problem !== '').join('; ') }
    this.rows.push(finished)
    this.#onRow(finished)
  }

  async #shown(tab: TabUnderTest, expected: TourRow['shown']): Promise<TourRow['shown']> {
    if (expected === 'page') return 'page'
    const kind = await until('the warning', async () => (await tab.evaluate(() => document.body.dataset.kind)) || undefined)
    return kind === 'unverified' ? 'could not check' : 'warning'
  }
}
