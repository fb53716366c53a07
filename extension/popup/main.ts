/**
 * The popup: is this browser protected, what about this tab, which lists, updates.
 *
 * For tests: `?tab=ID` in its address asks about that tab. `body[data-protection]` is the state (`protected`, `stale`, `starting`,
 * `damaged`, `off`, `unknown`); `#protection`, `#protection-detail`, `#grant`, `#permission-status`, `#tab-address`,
 * `#tab-verdict[data-kind][data-stage]`, `#tab-stage`, `#update-last`, `#update-error`, `#update-next`, `#update-now`,
 * `#update-running`, `#update-progress`, `#update-phase`, `#update-status`, `[data-testid="list-NAME"]` (with `details` and
 * `[data-fact]`), `#count-checked`, `#count-asked`, `#count-threats`, `#count-unverified`, `#count-unchecked`, `#private-windows`, `#open-settings`.
 */
import type { Status } from '../messaging/messages.ts'
import { createSend } from '../messaging/send.ts'
import { Formatting } from '../page/formatting.ts'
import { localize } from '../page/localize.ts'
import { askPatiently } from '../page/patience.ts'
import { Wording } from '../page/wording.ts'
import { browser } from '../platform/page-browser.ts'
import { PopupPage } from './popup-page.ts'
import { UpdateWatch } from './update-watch.ts'

const RUNNING_POLL_MS = 250
const IDLE_POLL_MS = 5000
const PATIENCE = { waitMs: 2000, attempts: 3 }
const EVERY_SITE = '<all_urls>'

const send = createSend({ sendMessage: (message) => browser.runtime.sendMessage(message) })

async function tabInQuestion(): Promise<number | undefined> {
  const named = new URLSearchParams(location.search).get('tab')
  if (named !== null) return Number(named)
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true })
  return tab?.id
}

async function start(): Promise<void> {
  const wording = new Wording({ getMessage: (key, values) => browser.i18n.getMessage(key, values) })
  localize(document, wording)
  const formatting = new Formatting({ locale: wording.locale })
  const page = new PopupPage({ wording, formatting })
  const tabId = await tabInQuestion()
  let status: Status | undefined
  let watch: UpdateWatch | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let round = 0

  /** Asks now, and from then on again and again; a later call takes over from an earlier one. */
  async function refresh(): Promise<void> {
    clearTimeout(timer)
    round++
    const mine = round
    try {
      const answer = await askPatiently(() => send('status:get', { tabId }), PATIENCE)
      if (mine !== round) return
      status = answer
      const ending = watch?.ended(status, Date.now())
      if (ending !== undefined) {
        watch = undefined
        page.announceUpdate(ending)
      }
      page.show(status, Date.now(), watch !== undefined)
    } catch {
      // Refused or silent: both mean that nothing is known.
      if (mine !== round) return
      page.showSilence(Date.now())
    }
    const running = watch !== undefined || status?.update.progress !== undefined
    timer = setTimeout(() => void refresh(), running ? RUNNING_POLL_MS : IDLE_POLL_MS)
  }

  page.updateNow.addEventListener('click', async () => {
    if (status === undefined) return
    const asked = new UpdateWatch(status, Date.now())
    page.announceUpdate(undefined)
    page.updateNow.disabled = true
    try {
      const { started, notBefore } = await send('update:now', {})
      if (started) watch = asked
      else if (notBefore !== undefined) {
        page.announceUpdate('updateTooEarly', formatting.soon(notBefore, Date.now()), formatting.age(notBefore, Date.now()))
      }
    } catch {
      // The next status says what is wrong with the background.
      page.announceUpdate('updateNotAnswered')
    }
    await refresh()
  })
  page.grant.addEventListener('click', async () => {
    page.announcePermission(undefined)
    // First of all, while the browser still sees the click.
    try {
      const granted = await browser.permissions.request({ origins: [EVERY_SITE] })
      if (!granted) page.announcePermission('permissionRefused')
      await send('permission:changed', {})
    } catch {
      // The browser did not even ask, or the background is gone: the next status says which state that leaves.
      page.announcePermission('permissionRefused')
    }
    await refresh()
  })
  page.openSettings.addEventListener('click', async () => {
    await browser.runtime.openOptionsPage()
    window.close()
  })
  await refresh()
}

void start()
