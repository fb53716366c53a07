/**
 * The answer to "Check this link". Its address names a check of the background (`?r=`), never the link.
 *
 * For tests: `#address`, `#verdict[data-kind]` (`safe`, `threat`, `unverified`, `unchecked` or `none`), `#stage`, `#close`.
 */
import { createSend } from '../messaging/send.ts'
import { addressNodes } from '../page/address-view.ts'
import { pageElement, setOptionalText, setText } from '../page/element.ts'
import { Formatting } from '../page/formatting.ts'
import { localize } from '../page/localize.ts'
import { verdictText } from '../page/verdict-text.ts'
import { Wording } from '../page/wording.ts'
import { browser } from '../platform/page-browser.ts'

const send = createSend({ sendMessage: (message) => browser.runtime.sendMessage(message) })

async function start(): Promise<void> {
  const wording = new Wording({ getMessage: (key, values) => browser.i18n.getMessage(key, values) })
  localize(document, wording)
  const close = pageElement('close', HTMLButtonElement)
  close.addEventListener('click', () => window.close())
  addEventListener('keydown', ({ key }) => key === 'Escape' && window.close())
  close.focus()
  const verdict = pageElement('verdict', HTMLElement)
  const say = (kind: string, text: string): void => {
    verdict.dataset.kind = kind
    setText(verdict, text)
  }
  try {
    const check = await send('link:get', {})
    if (check === undefined) {
      say('none', wording.text('linkNothing'))
      return
    }
    const address = pageElement('address', HTMLElement)
    address.replaceChildren(addressNodes(check.url))
    address.hidden = false
    const formatting = new Formatting({ locale: wording.locale })
    const { sentence, detail } = verdictText(check.verdict, { wording, formatting, now: Date.now() })
    say(check.verdict.kind, sentence)
    setOptionalText(pageElement('stage', HTMLElement), detail)
  } catch {
    // Refused, or nobody answers; the background has logged why.
    say('none', wording.text('protectionUnknown'))
  }
}

void start()
