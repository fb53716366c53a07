import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pause, until } from '../support/until.ts'
import { BROWSER_NAMES, type BrowserUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { recordFigure } from '../support/figures.ts'
import { randomFrom } from '../support/random.ts'
import { scriptedPage } from '../support/sites.ts'
import { World } from '../support/world.ts'

const WARNING = /\/extension\/warning\/index\.html/
/** Worker stopped at random points of an update, and browser killed. */
const STOPS = Number(process.env.WARY_STOPS ?? 100)
const CRASHES = Number(process.env.WARY_CRASHES ?? 10)
/** An update takes about this long here, its body sent in pieces. */
const UPDATE_MS = 900
const SEED = 20261201

/* After each: the listed page is caught, the list is whole, the popup's state is true, and the next update goes through. */
describe.each(BROWSER_NAMES)('an update that is cut off: %s', (name) => {
  let world: World
  let browser: BrowserUnderTest
  let extension: Extension
  const random = randomFrom(SEED)
  let version = 0

  beforeAll(async () => {
    world = await World.start(name)
    for (const host of ['listed.test', 'good.test']) world.sites.route(host, '/', scriptedPage(host), { latencyMs: 20 })
    await publishNext()
    browser = await launchBrowser(name, { extensionDir: world.extensionDir })
    extension = new Extension(browser)
    await extension.untilProtected()
    world.fault = slowly
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  /** Each version has one entry more: a list that is neither the one nor the other would show by its count. */
  async function publishNext(): Promise<void> {
    version++
    await world.publish(['listed.test', ...Array.from({ length: version }, (_, i) => `extra${i}.test`)])
  }

  /** The body in ten pieces over half of the update's time, so that it is cut in the download too. */
  async function slowly(request: Request): Promise<Response | undefined> {
    if (!new URL(request.url).pathname.includes('batchGet')) return undefined
    const answer = await world.answer(request)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    let sent = 0
    const size = Math.ceil(bytes.length / 10)
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await pause(UPDATE_MS / 20)
        controller.enqueue(bytes.subarray(sent, sent + size))
        sent += size
        if (sent >= bytes.length) controller.close()
      },
    })
    return new Response(body, { status: answer.status, headers: answer.headers })
  }

  const entries = (of: number): number => world.fillerCount + 5 + 1 + of

  async function expectWhole(allowed: readonly number[]): Promise<number> {
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('listed.test'))
    await tab.waitForUrl(WARNING, 20_000)
    await tab.close()
    const { protection, sources } = await extension.status()
    expect(protection).toEqual({ state: 'protected' })
    const count = sources[0]?.lists[0]?.entries ?? 0
    expect(allowed).toContain(count)
    return count
  }

  test('worker or event page stopped at random points', async () => {
    let swapped = 0
    for (let trial = 0; trial < STOPS; trial++) {
      const before = version
      await publishNext()
      await extension.ask('update:now', {})
      await pause(random() * UPDATE_MS)
      await browser.stopBackground()
      const count = await expectWhole([entries(before), entries(version)])
      if (count === entries(version)) swapped++
      // What was interrupted is made up for: nothing of it stands in the way.
      await extension.update()
      expect(await expectWhole([entries(version)])).toBe(entries(version))
    }
    recordFigure({
      name: `${name}: updates stopped at random points, list whole and page caught after each`,
      value: STOPS,
      unit: `of ${STOPS}`,
    })
    recordFigure({ name: `${name}: of them stopped behind the swap`, value: swapped, unit: `of ${STOPS}` })
    expect(swapped).toBeLessThan(STOPS)
  })

  test('browser killed at random points', async () => {
    for (let trial = 0; trial < CRASHES; trial++) {
      const before = version
      await publishNext()
      await extension.ask('update:now', {})
      await pause(random() * UPDATE_MS)
      await browser.crash()
      // The start itself asks for an update, which may be through by now.
      await until('the lists', async () => ((await extension.status()).sources[0]?.lists.length ?? 0) > 0, 20_000)
      await expectWhole([entries(before), entries(version)])
      // Firefox tells nobody of its start after a crash, and an attempt that was cut off is made up for in a minute at the earliest.
      await until('the end of what runs', async () => (await extension.status()).update.progress === undefined, 20_000)
      if ((await extension.status()).sources[0]?.lists[0]?.entries !== entries(version)) await extension.update()
      await expectWhole([entries(version)])
    }
    recordFigure({
      name: `${name}: browsers killed during an update, list whole and page caught after each`,
      value: CRASHES,
      unit: `of ${CRASHES}`,
    })
  })
})
