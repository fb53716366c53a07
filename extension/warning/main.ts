/**
 * The page that stands in for one that was held back. Its address names a record of the background (`?r=`), never a web address.
 *
 * For tests: `body[data-kind]` is `threat`, `unverified`, `waiting`, `none` or `fallback`; `#warning-title`, `#warning-lead`,
 * `#address` (with `.address-domain`), `#address-note`, `#advice`, `#advisory`, `#go-back`, `#details` (its `summary` opens it), `#facts` (with
 * `dd[data-fact]`), `#proceed` (for a threat, inside of `#details`), `#continue` (for `unverified`, beside `#go-back`), `#status`.
 */
import { LEAVE_PATH } from '../messaging/messages.ts'
import { createSend } from '../messaging/send.ts'
import { Formatting } from '../page/formatting.ts'
import { goBackFrom } from '../page/going-back.ts'
import { leaveThroughFrame } from '../page/leave-frame.ts'
import { localize } from '../page/localize.ts'
import { askPatiently } from '../page/patience.ts'
import { Wording } from '../page/wording.ts'
import { browser } from '../platform/page-browser.ts'
import { WarningPage } from './warning-page.ts'

/** A worker that sleeps needs about half a second. Until then a blank page flashes less than a notice. */
const NOTICE_MS = 500
const PATIENCE = { waitMs: 2000, attempts: 3 }
/** Longer than a page takes to begin loading in place of this one. */
const LEAVE_MS = 8000

const send = createSend({ sendMessage: (message) => browser.runtime.sendMessage(message) })

async function start(): Promise<void> {
  const wording = new Wording({ getMessage: (key, values) => browser.i18n.getMessage(key, values) })
  localize(document, wording)
  const page = new WarningPage({ wording, formatting: new Formatting({ locale: wording.locale }) })

  page.goBack.addEventListener('click', async () => {
    page.showStatus('goingBack', { busy: true })
    await goBackFrom({ send, history, closeWindow: () => window.close() })
    page.showStatus('goBackFailed', { busy: false })
  })
  const leave = async (): Promise<void> => {
    page.showStatus('leaving', { busy: true })
    try {
      const answer = await send('warning:proceed', {})
      if (answer === undefined) {
        page.showStatus(undefined, { busy: false })
        page.showAbsence('none')
        return
      }
      leaveThroughFrame({ document, frameUrl: browser.runtime.getURL(LEAVE_PATH), target: answer.target })
      setTimeout(() => page.showStatus('leaveFailed', { busy: false }), LEAVE_MS)
    } catch {
      // Whatever it was: the person may try again, and the background has logged it.
      page.showStatus('leaveFailed', { busy: false })
    }
  }
  for (const button of page.waysOn) button.addEventListener('click', () => void leave())
  // Brought back whole by a step in history: what it shows may be long over.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload()
  })

  const notice = setTimeout(() => page.showAbsence('waiting'), NOTICE_MS)
  try {
    const view = await askPatiently(() => send('warning:get', {}), PATIENCE)
    clearTimeout(notice)
    if (view === undefined) page.showAbsence('none')
    else page.showWarning(view, Date.now())
  } catch {
    // Nobody answers, or refuses: there is no record to warn with, and a blank page would help nobody.
    clearTimeout(notice)
    page.showAbsence('fallback')
  }
}

// In a frame of whatever page, a click on our buttons would be that page's, not a person's.
if (top === self) void start()
