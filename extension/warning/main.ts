/**
 * Warning page, and the soft interstitial for a page that could not be verified. For tests: body[data-kind] is threat, unverified or none;
 * #warning-title, #address, #go-back, #continue (soft interstitial), #details, #facts, #proceed (threat), #problem.
 */
import { asWaryError } from '../../src/errors.ts'
import type { ThreatType } from '../../src/protocol/threat-type.ts'
import type { WarningView } from '../messaging/messages.ts'
import { leaveTo } from '../page/leave-frame.ts'
import { element, localizePage, message, relativeTime } from '../page/localize.ts'
import { sendPatiently } from '../page/send.ts'
import { shortened, shownAddress } from '../page/shown-address.ts'
import { consoleLogger } from '../platform/logger.ts'

/** Stem of the texts of each threat: NAMETitle, NAMEText, NAMEAdvice. */
const TEXTS: { readonly [T in ThreatType]: string } = {
  SOCIAL_ENGINEERING: 'phishing',
  MALWARE: 'malware',
  UNWANTED_SOFTWARE: 'unwanted',
  POTENTIALLY_HARMFUL_APPLICATION: 'harmful',
}

function show(view: WarningView | undefined): void {
  const kind = view?.kind ?? 'none'
  document.body.dataset.kind = kind
  const [hit] = view?.hits ?? []
  const stem = kind === 'none' ? 'nothing' : kind === 'unverified' || hit === undefined ? 'unverified' : TEXTS[hit.threatType]
  element('warning-title').textContent = message(`${stem}Title`)
  element('warning-text').textContent = message(`${stem}Text`)
  element('advice').textContent = message(`${stem}Advice`)
  document.title = message(`${stem}Title`)
  if (view !== undefined) {
    showAddress(view)
    showFacts(view)
  }
  element('continue').hidden = kind !== 'unverified'
  element('details').hidden = kind === 'none'
  element('proceed-anyway').hidden = kind !== 'threat'
  document.querySelector('main')?.removeAttribute('hidden')
  element('go-back').focus()
}

function showAddress(view: WarningView): void {
  const { before, domain, after, credentials } = shownAddress(view.url, view.domain)
  const strong = document.createElement('strong')
  strong.textContent = domain
  element('address').replaceChildren(before, strong, after)
  element('credentials').hidden = !credentials
}

function showFacts(view: WarningView): void {
  const facts: [string, string][] = []
  const [hit] = view.hits
  if (hit !== undefined) {
    facts.push([message('factExpression'), shortened(hit.expression, 200)])
    facts.push([message('factList'), hit.list])
    facts.push([message('factSource'), hit.source])
  }
  if (view.list !== undefined) {
    facts.push([message('factVersion'), `${view.list.sequence} (${relativeTime(view.list.issuedAt, Date.now())})`])
  }
  if (view.reason !== undefined) facts.push([message('factReason'), view.reason])
  const items = facts.flatMap(([name, value]) => {
    const term = document.createElement('dt')
    term.textContent = name
    const description = document.createElement('dd')
    description.textContent = value
    return [term, description]
  })
  element('facts').replaceChildren(...items)
}

async function proceed(): Promise<void> {
  try {
    const answer = await sendPatiently('warning:proceed', {})
    if (answer === undefined) show(undefined)
    else leaveTo(answer.target)
  } catch (error) {
    trouble(error)
  }
}

async function back(): Promise<void> {
  try {
    await sendPatiently('warning:back', {})
  } catch (error) {
    trouble(error)
  }
}

function trouble(error: unknown): void {
  consoleLogger.warn('warning', asWaryError(error))
  element('problem').textContent = message('warningProblem')
  element('problem').hidden = false
}

async function start(): Promise<void> {
  localizePage()
  element('go-back').addEventListener('click', () => void back())
  element('proceed').addEventListener('click', () => void proceed())
  element('continue').addEventListener('click', () => void proceed())
  try {
    show(await sendPatiently('warning:get', {}))
  } catch (error) {
    show(undefined)
    trouble(error)
  }
}

// A click on "proceed" must be meant: in a frame it may be somebody else's page that a person sees.
if (top === self) void start()
else document.body.replaceChildren()
