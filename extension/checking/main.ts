/**
 * Checking page: stands in for a page while the verification server is asked. For tests: #checking-title, #checking-text, #go-back.
 */
import { asWaryError } from '../../src/errors.ts'
import { PAGE_PATHS } from '../messaging/messages.ts'
import { leaveTo } from '../page/leave-frame.ts'
import { element, localizePage, message } from '../page/localize.ts'
import { sendPatiently } from '../page/send.ts'
import { browser } from '../platform/browser.ts'
import { consoleLogger } from '../platform/logger.ts'

async function wait(): Promise<void> {
  try {
    const answer = await sendPatiently('checking:wait', {})
    if (answer.next === 'warning') location.replace(browser.runtime.getURL(PAGE_PATHS.warning) + location.search)
    else if (answer.next === 'leave') leaveTo(answer.target)
    else say('checkingNothing')
  } catch (error) {
    consoleLogger.warn('checking', asWaryError(error))
    say('checkingFailed')
  }
}

function say(key: string): void {
  element('checking-text').textContent = message(key)
}

if (top === self) {
  localizePage()
  element('go-back').addEventListener('click', () => void sendPatiently('warning:back', {}))
  void wait()
} else {
  document.body.replaceChildren()
}
