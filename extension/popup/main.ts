/**
 * Popup. For tests: body[data-state], #protection, #protection-why, #tab-verdict, #lists, #update-state, #update-error, #update-progress,
 * #update-bar, #update-phase, #update-now, #grant, #options; `?tab=ID` in the address names the tab that is spoken of.
 */
import { asWaryError } from '../../src/errors.ts'
import type { ListView, Status } from '../messaging/messages.ts'
import { element, localizePage, message, relativeTime } from '../page/localize.ts'
import { send, sendPatiently } from '../page/send.ts'
import { browser } from '../platform/browser.ts'
import { consoleLogger } from '../platform/logger.ts'
import { countersText, progressText, protectionText, type Text, updateText, verdictText } from './status-text.ts'

const POLL_MS = 250
const IDLE_POLL_MS = 2000

const when = (at: number): string => relativeTime(at, Date.now())
const number = new Intl.NumberFormat()

function say(id: string, [key, ...values]: Text): void {
  const text = message(key, ...values)
  // Set only when it changes: a screen reader would read it again.
  if (element(id).textContent !== text) element(id).textContent = text
}

function show(status: Status): void {
  const { state, why } = protectionText(status.protection, when)
  document.body.dataset.state = status.protection.state
  say('protection', state)
  say('protection-why', why)
  say('tab-verdict', verdictText(status.tab))
  element('grant').hidden = !(status.protection.state === 'off' && status.protection.reason === 'no-permission')
  showLists(status.lists)
  showUpdate(status)
  say('counters', countersText(status))
}

let shownLists = ''

function showLists(lists: readonly ListView[]): void {
  const now = JSON.stringify(lists)
  if (now === shownLists) return
  shownLists = now
  element('lists').replaceChildren(...(lists.length === 0 ? [paragraph(message('listsNone'))] : lists.map(listElement)))
}

function paragraph(text: string): HTMLParagraphElement {
  const made = document.createElement('p')
  made.textContent = text
  return made
}

function listElement(list: ListView): HTMLElement {
  const details = document.createElement('details')
  details.className = 'list'
  const summary = document.createElement('summary')
  summary.textContent = message('listSummary', list.name, number.format(list.entries), when(list.issuedAt))
  const facts: [string, string][] = [
    [message('listVersion'), String(list.sequence)],
    [message('listEntries'), message('listEntriesOf', number.format(list.entries), String(list.entryLength))],
    [message('listUpdated'), when(list.updatedAt)],
    [message('listExpires'), when(list.expiresAt)],
    [message('filterBits'), number.format(list.filter.bits)],
    [message('filterHashes'), String(list.filter.hashes)],
    [message('filterFill'), `${(100 * list.filter.fillRatio).toFixed(1)} %`],
    [message('filterRate'), `${(100 * list.filter.expectedRate).toFixed(3)} %`],
  ]
  const terms = document.createElement('dl')
  for (const [name, value] of facts) {
    const term = document.createElement('dt')
    term.textContent = name
    const description = document.createElement('dd')
    description.textContent = value
    terms.append(term, description)
  }
  details.append(summary, terms)
  return details
}

function showUpdate({ update }: Status): void {
  const { progress, lastError } = update
  element('update-progress').hidden = progress === undefined
  element<HTMLButtonElement>('update-now').disabled = progress !== undefined
  if (progress !== undefined) {
    const { text, value, max } = progressText(progress)
    say('update-phase', text)
    const bar = element<HTMLProgressElement>('update-bar')
    if (value === undefined || max === undefined) bar.removeAttribute('value')
    else {
      bar.max = max
      bar.value = value
    }
  }
  say('update-state', updateText(update, Date.now(), when))
  element('update-error').hidden = lastError === undefined || progress !== undefined
  if (lastError !== undefined) say('update-error', ['updateError', lastError.code, lastError.message.slice(0, 300)])
}

async function tabId(): Promise<number | undefined> {
  const named = new URLSearchParams(location.search).get('tab')
  if (named !== null) return Number(named)
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true })
  return tab?.id
}

async function follow(): Promise<void> {
  const id = await tabId()
  for (;;) {
    let pause = IDLE_POLL_MS
    try {
      const status = await sendPatiently('status:get', { tabId: id })
      show(status)
      if (status.update.progress !== undefined) pause = POLL_MS
    } catch (error) {
      consoleLogger.warn('popup', asWaryError(error))
      document.body.dataset.state = 'off'
      say('protection', ['stateUnknown'])
    }
    await new Promise<void>((resolve) => {
      wake = resolve
      setTimeout(resolve, pause)
    })
  }
}

let wake: () => void = () => undefined

async function updateNow(): Promise<void> {
  try {
    const { started, notBefore } = await send('update:now', {})
    wake()
    if (!started && notBefore !== undefined) {
      element('update-error').hidden = false
      say('update-error', ['updateTooEarly', when(notBefore)])
    }
  } catch (error) {
    consoleLogger.warn('popup', asWaryError(error))
    element('update-error').hidden = false
    say('update-error', ['updateFailed'])
  }
}

async function grant(): Promise<void> {
  await browser.permissions.request({ origins: ['<all_urls>'] })
  await send('permission:changed', {})
  wake()
}

localizePage()
element('update-now').addEventListener('click', () => void updateNow())
element('grant').addEventListener('click', () => void grant())
element('options').addEventListener('click', () => void browser.runtime.openOptionsPage())
void follow()
