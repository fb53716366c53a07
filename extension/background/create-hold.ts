import type { Logger } from '../../src/ports.ts'
import { browser } from '../platform/browser.ts'
import type { Hold } from './hold.ts'
import type { FrameBlocks } from './frame-blocks.ts'
import { ChromeFrames } from './frames-chrome.ts'
import { ChromeHold } from './hold-chrome.ts'
import { FirefoxHold } from './hold-firefox.ts'
import type { NavigationGuard } from './navigation-guard.ts'
import type { Protection } from './protection.ts'
import type { SessionArea } from './session-record.ts'
import { SessionRules } from './session-rules.ts'
import { type LocalArea, StandingBlocks } from './standing-blocks.ts'
import { TabHistory } from './tab-history.ts'

export interface HoldOptions {
  readonly guard: NavigationGuard
  readonly protection: Protection
  readonly blocked: FrameBlocks
  /** Address of the page in place of a blocked frame, where one can be put there. */
  readonly framePage: () => string
  readonly logger: Logger
  readonly areas: { readonly local: LocalArea; readonly session: SessionArea }
  /** Whether this worker serves the private windows. */
  readonly incognito: boolean
}

/** The hold of the browser that this build is for. The other one's code is not in the build. */
export function createHold({ guard, protection, blocked, framePage, logger, areas, incognito }: HoldOptions): Hold {
  if (import.meta.env.WARY_TARGET === 'firefox') return new FirefoxHold({ api: browser, guard, blocked, framePage, logger })
  const { declarativeNetRequest, webNavigation } = chrome
  const rules = new SessionRules({ api: declarativeNetRequest, logger, incognito })
  const standing = new StandingBlocks({ api: declarativeNetRequest, area: areas.local, logger, readOnly: incognito })
  return new ChromeHold({
    api: { webNavigation, tabs: browser.tabs, runtime: browser.runtime },
    guard,
    protection,
    rules,
    standing,
    frames: new ChromeFrames({ api: { webNavigation }, guard, blocked, rules, standing, logger, incognito }),
    history: new TabHistory({ area: areas.session, logger }),
    logger,
    incognito,
  })
}
