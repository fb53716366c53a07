import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER_NAMES, type BrowserUnderTest, type TabUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { accessibilityFindings } from '../support/pages/axe.ts'
import { LANGUAGES, localizedBuild } from '../support/pages/localized-build.ts'
import { overflowing } from '../support/pages/overflow.ts'
import { PAGE_STATES, Stage } from '../support/pages/page-state.ts'
import { pause } from '../support/until.ts'
import { World } from '../support/world.ts'

const SETTLED_MS = 150
/** A window of 1280 pixels at 200 %, and the narrowest that WCAG asks for (1.4.10). */
const WIDTHS = [640, 320]
const HEIGHT = 700

describe.each(BROWSER_NAMES)('pages for everybody, in every state: %s', (name) => {
  describe.each(LANGUAGES)('%s', (language) => {
    let world: World
    let browser: BrowserUnderTest
    let stage: Stage

    beforeAll(async () => {
      world = await World.start(name)
      await Stage.prepare(world)
      browser = await launchBrowser(name, { extensionDir: localizedBuild(world.extensionDir, language, join(world.folder, language)) })
      stage = new Stage({ world, browser })
      await stage.extension.untilProtected()
    }, 120_000)
    afterAll(async () => {
      await browser?.close()
      await world?.stop()
    })

    async function findings(tab: TabUnderTest, what: string): Promise<string[]> {
      return (await accessibilityFindings(tab)).map((line) => `${what}: ${line}`)
    }

    test.each(PAGE_STATES.filter((state) => state.browser === undefined || state.browser === name))('$name', async (state) => {
      const tab = await state.open(stage)
      const found: string[] = []
      try {
        await tab.setViewport(state.width, state.height)
        found.push(...(await findings(tab, 'light')))
        for (const width of WIDTHS) {
          await tab.setViewport(width, HEIGHT)
          await pause(SETTLED_MS)
          found.push(...(await findings(tab, `${width} px`)))
          found.push(...(await tab.evaluate(overflowing)).map((line) => `${width} px: ${line}`))
        }
        await tab.setViewport(state.width, state.height)
        // Text twice as large, as a browser's setting makes it (WCAG 1.4.4).
        await tab.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
        found.push(...(await tab.evaluate(overflowing)).map((line) => `large text: ${line}`))
        await tab.evaluate(() => document.documentElement.style.removeProperty('font-size'))
        await tab.setMedia({ forcedColors: true, reducedMotion: true })
        found.push(...(await findings(tab, 'forced colours')))
        const moving = await tab.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length)
        if (moving > 0) found.push(`${moving} animations run where less motion is wished`)
        await tab.setMedia({})
        await browser.setDark(true)
        await pause(SETTLED_MS)
        found.push(...(await findings(tab, 'dark')))
        expect(found).toEqual([])
      } finally {
        await browser.setDark(false)
        await tab.close()
      }
    })
  })
})
