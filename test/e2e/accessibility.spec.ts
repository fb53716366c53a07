import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGE_PATHS } from '../../extension/messaging/messages.ts'
import { BROWSER_NAMES, type BrowserUnderTest, type TabUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { accessibilityFindings } from '../support/pages/axe.ts'
import { LISTED, PAGE_STATES, Stage } from '../support/pages/page-state.ts'
import { until } from '../support/until.ts'
import { World } from '../support/world.ts'

/** One state of each page; test/full/accessibility.full.ts has all of them. */
const FEW = ['warning-details', 'warning-unverified', 'checking-nothing', 'popup-threat', 'options', 'welcome-lists']

describe.each(BROWSER_NAMES)('pages for everybody: %s', (name) => {
  let world: World
  let browser: BrowserUnderTest
  let stage: Stage

  beforeAll(async () => {
    world = await World.start(name)
    await Stage.prepare(world)
    browser = await launchBrowser(name, { extensionDir: world.extensionDir })
    stage = new Stage({ world, browser })
    await stage.extension.untilProtected()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  test.each(FEW)('%s: axe-core finds nothing, light and dark', async (state) => {
    const tab = await PAGE_STATES.find((each) => each.name === state)?.open(stage)
    if (tab === undefined) throw new Error(`no state is called ${state}`)
    try {
      expect(await accessibilityFindings(tab), 'light').toEqual([])
      await browser.setDark(true)
      expect(await accessibilityFindings(tab), 'dark').toEqual([])
    } finally {
      await browser.setDark(false)
      await tab.close()
    }
  })

  /** Presses Tab until the element that `selector` matches has the focus. */
  async function tabTo(tab: TabUnderTest, selector: string): Promise<void> {
    for (let i = 0; i < 40; i++) {
      if (await tab.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return
      await tab.press('Tab')
    }
    throw new Error(`the Tab key does not lead to ${selector}`)
  }

  test('a warning by keyboard: go back', async () => {
    const tab = await stage.warning('phishing.wary.test')
    expect(await tab.evaluate(() => document.activeElement?.id)).toBe('warning-title')
    await tabTo(tab, '#go-back')
    await tab.press('Enter')
    await tab.waitForUrl(world.sites.url('good.test'))
    await tab.close()
  })

  test('a warning by keyboard: details, then past it', async () => {
    const tab = await stage.warning(LISTED)
    await tabTo(tab, '#details summary')
    await tab.press('Enter')
    await tab.waitForSelector('#facts')
    await tabTo(tab, '#proceed')
    await tab.press('Enter')
    await tab.waitForUrl(world.sites.url(LISTED))
    await tab.close()
  })

  test('the popup by keyboard: an update, announced', async () => {
    const tab = await stage.popup('good.test')
    await tabTo(tab, '#update-now')
    await tab.press('Enter')
    await tab.waitForSelector('#update-status:not(:empty)')
    expect(await tab.evaluate(() => document.getElementById('update-status')?.closest('[role="status"], [aria-live]') !== null)).toBe(true)
    await tab.close()
  })

  test('the settings by keyboard: every control gets the focus, and shows it', async () => {
    const tab = await stage.page(PAGE_PATHS.options, 'h1')
    const count = await tab.evaluate(
      () =>
        [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')].filter(
          (each) => !each.matches(':disabled, [type="radio"]:not(:checked)') && each.getClientRects().length > 0,
        ).length,
    )
    const reached = new Set<string>()
    await tab.bringToFront()
    await until('the focus', () => tab.evaluate(() => document.hasFocus()))
    for (let i = 0; i < count + 4; i++) {
      await tab.press('Tab')
      const focused = () =>
        tab.evaluate(() => {
          const element = document.activeElement
          if (!(element instanceof HTMLElement) || element === document.body || !document.hasFocus())
            return { place: 'none', outlined: true }
          return {
            place: String([...document.querySelectorAll('*')].indexOf(element)),
            outlined: getComputedStyle(element).outlineStyle !== 'none',
          }
        })
      // Firefox draws it a moment after the key; behind the last control come those of the browser itself.
      const { place } = await until('an outline around what has the focus', async () => {
        const focus = await focused()
        return focus.outlined && focus
      })
      reached.add(place)
    }
    expect(reached.size).toBeGreaterThanOrEqual(count)
    await tab.close()
  })
})
