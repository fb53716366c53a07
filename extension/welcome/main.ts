/**
 * The first-run page, opened once after the installation: what Wary does, where lists come from and how the first download fares, how to
 * keep it in sight and try it.
 *
 * For tests: `body[data-screen]` is `what`, `lists` or `try`; `#next`, `#back`, `#done`, `#permission`, `#grant`,
 * `#download[data-tone]`, `#download-state`, `#download-progress`, `#retry`, `#open-settings`, `#try`.
 */
import { createSend } from '../messaging/send.ts'
import { Formatting } from '../page/formatting.ts'
import { localize } from '../page/localize.ts'
import { askPatiently } from '../page/patience.ts'
import { Wording } from '../page/wording.ts'
import { browser } from '../platform/page-browser.ts'
import { WelcomePage } from './welcome-page.ts'

const POLL_MS = 500
const PATIENCE = { waitMs: 2000, attempts: 3 }
const EVERY_SITE = '<all_urls>'
/** One of the test entries (src/lists/test-entries.ts): a constant of ours, so that nobody can lead us anywhere by it. */
const TEST_PAGE = 'http://phishing.wary.test/'

const send = createSend({ sendMessage: (message) => browser.runtime.sendMessage(message) })
const firefox = import.meta.env.WARY_TARGET === 'firefox'

/** Shown only where the browser knows one: a person may have taken it away. */
async function shortcut(): Promise<string | undefined> {
  const commands = await browser.commands.getAll()
  return commands.find(({ name }) => name === '_execute_action')?.shortcut || undefined
}

async function start(): Promise<void> {
  const wording = new Wording({ getMessage: (key, values) => browser.i18n.getMessage(key, values) })
  localize(document, wording)
  const page = new WelcomePage({ wording, formatting: new Formatting({ locale: wording.locale }) })
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Asks until the first list is there. An open page must not keep the background awake for nothing. */
  async function refresh(): Promise<void> {
    clearTimeout(timer)
    let over = false
    try {
      over = page.show(await askPatiently(() => send('status:get', { tabId: undefined }), PATIENCE), Date.now())
    } catch {
      // Refused or silent: nothing is known, and the next round asks again.
      page.showSilence()
    }
    clearTimeout(timer)
    if (!over && !document.hidden) timer = setTimeout(() => void refresh(), POLL_MS)
  }

  page.next.addEventListener('click', () => page.step(1))
  page.back.addEventListener('click', () => page.step(-1))
  page.done.addEventListener('click', () => window.close())
  page.openSettings.addEventListener('click', () => void browser.runtime.openOptionsPage())
  page.tryIt.addEventListener('click', () => void browser.tabs.create({ url: TEST_PAGE }))
  page.retry.addEventListener('click', async () => {
    page.retry.hidden = true
    // What comes of it is in the next status, a failure too.
    await send('update:now', {}).catch(() => page.showSilence())
    await refresh()
  })
  page.grant.addEventListener('click', async () => {
    page.announcePermission(undefined)
    // First of all, while the browser still sees the click.
    try {
      const granted = await browser.permissions.request({ origins: [EVERY_SITE] })
      page.announcePermission(granted ? 'permissionGiven' : 'permissionRefused')
      await send('permission:changed', {})
    } catch {
      // The browser did not even ask, or the background is gone: the next status says which state that leaves.
      page.announcePermission('permissionRefused')
    }
    await refresh()
  })
  document.addEventListener('visibilitychange', () => void refresh())

  page.showBrowser({
    permission: firefox ? 'welcomePermissionFirefox' : 'welcomePermissionChrome',
    pin: firefox ? 'welcomePinFirefox' : 'welcomePinChrome',
    shortcut: await shortcut(),
  })
  await refresh()
}

void start()
