/**
 * The page that stands in for one whose verdict is awaited. Its address names a record of the background (`?r=`), never a web address;
 * the warning page gets the same record.
 *
 * For tests: `body[data-state]` is `checking`, `leaving`, `nothing` or `fallback`; `#checking-title`, `#checking-text`, `#go-back`,
 * `#status`. The body is hidden for the first 100 ms.
 */
import { type CheckingAnswer, LEAVE_PATH, PAGE_PATHS } from '../messaging/messages.ts'
import { BackgroundError, createSend } from '../messaging/send.ts'
import { pageElement, setText } from '../page/element.ts'
import { goBackFrom } from '../page/going-back.ts'
import { leaveThroughFrame } from '../page/leave-frame.ts'
import { localize } from '../page/localize.ts'
import { type MessageKey, Wording } from '../page/wording.ts'
import { browser } from '../platform/page-browser.ts'

/** Most verdicts come sooner, and a page that only flashes would disturb. */
const INVISIBLE_MS = 100
const SLOW_MS = 2000
const LEAVE_MS = 8000
/** The background may die while it waits for the server: a new one asks again. */
const ATTEMPTS = 4
const PAUSE_MS = 500

const send = createSend({ sendMessage: (message) => browser.runtime.sendMessage(message) })

async function waitForVerdict(attempts: number): Promise<CheckingAnswer> {
  try {
    return await send('checking:wait', {})
  } catch (error) {
    if (attempts <= 1 || !(error instanceof BackgroundError) || error.code !== 'no-answer') throw error
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    return waitForVerdict(attempts - 1)
  }
}

async function start(): Promise<void> {
  const wording = new Wording({ getMessage: (key, values) => browser.i18n.getMessage(key, values) })
  localize(document, wording)
  const goBack = pageElement('go-back', HTMLButtonElement)
  const status = pageElement('status', HTMLParagraphElement)
  const say = (key: MessageKey): void => setText(status, wording.text(key))
  const show = (state: 'checking' | 'nothing' | 'fallback', title: MessageKey, text: MessageKey): void => {
    document.body.dataset.state = state
    document.title = wording.text(title)
    setText(pageElement('checking-title', HTMLHeadingElement), wording.text(title))
    setText(pageElement('checking-text', HTMLParagraphElement), wording.text(text))
    pageElement('spinner', HTMLElement).hidden = state !== 'checking'
  }
  const reveal = (): void => {
    if (!document.body.hidden) return
    document.body.hidden = false
    goBack.focus({ preventScroll: true })
  }

  let goingBack = false
  goBack.addEventListener('click', async () => {
    goingBack = true
    goBack.disabled = true
    say('goingBack')
    await goBackFrom({ send, history, closeWindow: () => window.close() })
    goingBack = false
    goBack.disabled = false
    say('goBackFailed')
  })
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload()
  })

  show('checking', 'checkingTitle', 'checkingText')
  setTimeout(reveal, INVISIBLE_MS)
  const slow = setTimeout(() => say('checkingSlow'), SLOW_MS)
  try {
    const answer = await waitForVerdict(ATTEMPTS)
    clearTimeout(slow)
    // The person has decided already.
    if (goingBack) return
    if (answer.next === 'warning') {
      location.replace(browser.runtime.getURL(PAGE_PATHS.warning) + location.search)
    } else if (answer.next === 'leave') {
      document.body.dataset.state = 'leaving'
      leaveThroughFrame({ document, frameUrl: browser.runtime.getURL(LEAVE_PATH), target: answer.target })
      setTimeout(() => say('leaveFailed'), LEAVE_MS)
    } else {
      show('nothing', 'checkingNothingTitle', 'checkingNothingText')
      reveal()
    }
  } catch {
    // Nobody answers, or refuses; the background has logged why.
    clearTimeout(slow)
    show('fallback', 'fallbackTitle', 'fallbackText')
    reveal()
  }
}

// In a frame of whatever page, a click on our button would be that page's, not a person's.
if (top === self) void start()
