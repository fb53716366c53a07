import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER_NAMES, type BrowserUnderTest, type TabUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { recordFigure } from '../support/figures.ts'
import { randomFrom } from '../support/random.ts'
import { scriptedPage } from '../support/sites.ts'
import { pause, until } from '../support/until.ts'
import { World } from '../support/world.ts'

/** An idle background is stopped after 30 s by either browser. */
const IDLE_SECONDS = 30
const STEPS = Number(process.env.WARY_STEPS ?? 60)
/** From the gesture that opens or shows a tab to the navigation in it: typing an address, finding a link. People take longer. */
const THINKING_MS = 1000
const SEED = 20261201

/** With a sign before the navigation, or without: in the same tab nothing of the browser tells that a click or an address is about to come. */
const KINDS = { link: 5, typed: 2, bookmark: 1, 'new tab': 2, 'another tab': 2 } as const
type Kind = keyof typeof KINDS
const SIGNALLED: ReadonlySet<Kind> = new Set(['new tab', 'another tab'])

/* A person reads for 5 s to 10 min (as often 5 to 50 s as 50 s to 10 min) and goes on. Instead of waiting, the background is stopped where the browser would have. */
describe.each(BROWSER_NAMES)('navigations that meet a sleeping background: %s', (name) => {
  let world: World
  let browser: BrowserUnderTest
  beforeAll(async () => {
    world = await World.start(name)
    await world.publish(['listed.test'])
    browser = await launchBrowser(name, { extensionDir: world.extensionDir })
    await new Extension(browser).untilProtected()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  test('by kind', async () => {
    const random = randomFrom(SEED)
    const bag = (Object.keys(KINDS) as Kind[]).flatMap((kind) => Array.from({ length: KINDS[kind] }, () => kind))
    const met = new Map<Kind, { navigations: number; asleep: number }>(bag.map((kind) => [kind, { navigations: 0, asleep: 0 }]))
    const other = await browser.newPage()
    let tab: TabUnderTest = await browser.newPage()
    for (let step = 0; step < STEPS; step++) {
      const host = `page${step}.test`
      world.sites.route(host, '/', scriptedPage(host, `<a id="next" href="${world.sites.url(`page${step + 1}.test`)}">next</a>`))
      world.sites.route(`page${step + 1}.test`, '/', scriptedPage('next'))
      await tab.bringToFront()
      await tab.goto(world.sites.url(host))
      const kind = bag[Math.floor(random() * bag.length)] as Kind
      const readingSeconds = 5 * 120 ** random()
      if (readingSeconds > IDLE_SECONDS) await browser.stopBackground()
      if (kind === 'new tab') tab = await browser.newPage()
      else if (kind === 'another tab') await other.bringToFront()
      if (SIGNALLED.has(kind)) await pause(THINKING_MS)
      const count = met.get(kind) ?? { navigations: 0, asleep: 0 }
      count.navigations++
      if ((await browser.wakeState()) === 'stopped') count.asleep++
      met.set(kind, count)
      const target = kind === 'another tab' ? other : tab
      if (kind === 'link') await tab.click('#next')
      else await target.goto(world.sites.url(`page${step + 1}.test`))
      await until('the background', async () => (await browser.wakeState()) === 'running')
    }
    let asleep = 0
    for (const [kind, count] of met) {
      asleep += count.asleep
      recordFigure({ name: `${name}: ${kind} met a sleeping background`, value: count.asleep, unit: `of ${count.navigations}` })
      expect(count.navigations, kind).toBeGreaterThan(0)
    }
    recordFigure({ name: `${name}: navigations that met a sleeping background`, value: Math.round((100 * asleep) / STEPS), unit: '%' })
    for (const kind of SIGNALLED) expect(met.get(kind)?.asleep, kind).toBe(0)
  })
})
