import type { Browser } from 'webextension-polyfill'
import { WaryError } from '../../src/errors.ts'

/**
 * The browser's own functions, for the worker; everything else gets the parts it needs. Chrome's answer by promises as Firefox's do, so the polyfill, whose names they
 * go by, would do nothing but cost: 3 kB of the worker, and 5 of the 25 ms before it hears its first event. What differs is `answerMessages`.
 */
export const browser: Browser = native()

function native(): Browser {
  const api: unknown = import.meta.env.WARY_TARGET === 'firefox' ? Reflect.get(globalThis, 'browser') : Reflect.get(globalThis, 'chrome')
  if (isBrowser(api)) return api
  throw new WaryError('internal', 'this script runs outside of an extension')
}

function isBrowser(api: unknown): api is Browser {
  return typeof api === 'object' && api !== null && 'runtime' in api
}

/** Each message of a page is answered by what `answer` resolves with; it never rejects. Chrome keeps a channel open where `true` comes back. */
export function answerMessages(
  answer: (message: unknown, sender: Parameters<Parameters<Browser['runtime']['onMessage']['addListener']>[0]>[1]) => Promise<unknown>,
): void {
  if (import.meta.env.WARY_TARGET === 'firefox') {
    browser.runtime.onMessage.addListener(answer)
    return
  }
  browser.runtime.onMessage.addListener((message, sender, sendResponse) => {
    void answer(message, sender).then(sendResponse)
    return true
  })
}
