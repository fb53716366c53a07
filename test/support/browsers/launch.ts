import type { BrowserName, BrowserUnderTest, LaunchOptions } from './browser-under-test.ts'
import { launchChromium } from './chromium.ts'
import { launchFirefox } from './firefox.ts'

/** Starts a browser with the extension installed and its background running. The caller must `close` it. */
export function launchBrowser(name: BrowserName, options: LaunchOptions): Promise<BrowserUnderTest> {
  return name === 'chromium' ? launchChromium(options) : launchFirefox(options)
}
