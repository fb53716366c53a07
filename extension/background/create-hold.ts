import type { Logger } from '../../src/ports.ts'
import { browser } from '../platform/browser.ts'
import type { Hold } from './hold.ts'
import { ChromeHold } from './hold-chrome.ts'
import { FirefoxHold } from './hold-firefox.ts'
import type { NavigationGuard } from './navigation-guard.ts'
import type { Protection } from './protection.ts'
import { SessionRules } from './session-rules.ts'
import { StandingBlocks } from './standing-blocks.ts'
import { TabHistory } from './tab-history.ts'

/** The hold of the browser that this build is for. The other one's code is not in the build. */
export function createHold({ guard, protection, logger }: { guard: NavigationGuard; protection: Protection; logger: Logger }): Hold {
  if (import.meta.env.WARY_TARGET === 'firefox') return new FirefoxHold({ api: browser, guard, logger })
  const { declarativeNetRequest, webNavigation } = chrome
  return new ChromeHold({
    api: { webNavigation, tabs: browser.tabs, runtime: browser.runtime },
    guard,
    protection,
    rules: new SessionRules({ api: declarativeNetRequest, logger }),
    standing: new StandingBlocks({ api: declarativeNetRequest, area: browser.storage.local, logger }),
    history: new TabHistory({ area: browser.storage.session, logger }),
    logger,
  })
}
