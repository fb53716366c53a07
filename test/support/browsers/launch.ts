import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PAGE_PATHS } from '../../../extension/messaging/messages.ts'
import { until } from '../until.ts'
import type { BrowserName, BrowserUnderTest, LaunchOptions } from './browser-under-test.ts'
import { launchChromium } from './chromium.ts'
import { launchFirefox } from './firefox.ts'

/** Starts a browser with the extension installed and its background running. The caller must `close` it. */
export async function launchBrowser(name: BrowserName, options: LaunchOptions): Promise<BrowserUnderTest> {
  const used = options.profileDir !== undefined && existsSync(options.profileDir) && readdirSync(options.profileDir).length > 0
  const browser = await (name === 'chromium' ? launchChromium(options) : launchFirefox(options))
  const welcomes = !used && existsSync(join(options.extensionDir, PAGE_PATHS.welcome))
  if (!welcomes || options.keepWelcome === true) return browser
  try {
    const welcome = browser.extensionOrigin + PAGE_PATHS.welcome
    const tab = await until('the first-run page', async () => {
      for (const each of await browser.tabs()) if ((await each.url().catch(() => '')) === welcome) return each
      return undefined
    })
    await tab.close()
  } catch (error) {
    await browser.close()
    throw error
  }
  return browser
}
