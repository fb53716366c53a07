import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildExtension } from '../../scripts/extension-build.ts'
import { toHex } from '../../src/bytes.ts'
import { BROWSER_NAMES, type BrowserUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { scriptedPage } from '../support/sites.ts'
import { World } from '../support/world.ts'

const WARNING = /\/extension\/warning\/index\.html/

describe.each(BROWSER_NAMES)('a build that carries a list: %s', (name) => {
  let world: World
  let browser: BrowserUnderTest
  let extension: Extension

  beforeAll(async () => {
    world = await World.start(name, { serving: false })
    world.sites.route('listed.test', '/', scriptedPage('Listed'), { latencyMs: 20 })
    await world.publish(['listed.test'])
    const extensionDir = await buildExtension({
      target: name === 'chromium' ? 'chrome' : 'firefox',
      outDir: join(world.folder, 'seeded'),
      server: world.serverUrl,
      rootKey: toHex(world.key.publicKey),
      lists: 'se-4b',
      seeds: [world.listFile('se-4b')],
    })
    browser = await launchBrowser(name, { extensionDir })
    extension = new Extension(browser)
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  test('protects from the first minute, with no server to be reached; a later list stays over a restart', async () => {
    await extension.untilProtected()
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('listed.test'))
    await tab.waitForUrl(WARNING)
    await tab.waitForSelector('body[data-kind="unverified"]')
    await tab.close()
    await world.publish(['listed.test', 'more.test'])
    await world.up()
    await extension.update()
    const sequence = async (): Promise<number | undefined> => (await extension.status()).sources[0]?.lists[0]?.signed?.sequence
    expect(await sequence()).toBe(2)
    await browser.restart()
    await extension.untilProtected()
    expect(await sequence()).toBe(2)
  })
})
