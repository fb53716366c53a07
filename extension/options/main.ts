/**
 * The settings: where lists come from and who signs them.
 *
 * For tests: `body[data-state]` is `shown` or `failed`; for each FIELD of `server`, `rootKey`, `lists`, `decoys`: `#FIELD`,
 * `#FIELD-problem`, `#FIELD-origin[data-origin]`; `#test`, `#test-status[data-tone]`, `#save`, `#save-status[data-tone]`. Of the sources: `#sources li[data-source]`, `#source-form`,
 * `#source-text`, `#source-check`, `#source-confirm`, `#source-add`, `#source-cancel`, `#source-undo`, `#sources-status`, `#source-problem`. `#first-visits`, `#first-visits-status`.
 */
import { BackgroundError, createSend } from '../messaging/send.ts'
import { Formatting } from '../page/formatting.ts'
import { localize } from '../page/localize.ts'
import { askPatiently } from '../page/patience.ts'
import { shown } from '../page/shown-text.ts'
import { Wording } from '../page/wording.ts'
import { browser } from '../platform/page-browser.ts'
import { FirstVisitsControl } from './first-visits-control.ts'
import { OptionsPage } from './options-page.ts'
import { missingLists, readForm, readServer } from './settings-form.ts'
import { SourcesControl } from './sources-control.ts'
import { SourcesSection } from './sources-section.ts'

/** Of messages and names that come from a server. */
const LONGEST = 300
/** How the sources fare is asked for again and again while the page is open. */
const STATE_POLL_MS = 2000
const PATIENCE = { waitMs: 2000, attempts: 3 }

const send = createSend({ sendMessage: (message) => browser.runtime.sendMessage(message) })

function codeAndMessage(error: unknown): [message: string, code: string] {
  if (error instanceof BackgroundError) return [shown(error.message, LONGEST), error.code]
  return [shown(String(error), LONGEST), 'internal']
}

async function start(): Promise<void> {
  const wording = new Wording({ getMessage: (key, values) => browser.i18n.getMessage(key, values) })
  localize(document, wording)
  const page = new OptionsPage({ wording })
  const firstVisits = new FirstVisitsControl({ send, wording })
  const now = (): number => Date.now()
  const section = new SourcesSection({ wording, formatting: new Formatting({ locale: wording.locale }) })
  const requestPermission = (origin: string): Promise<boolean> => browser.permissions.request({ origins: [origin] })
  const sources = new SourcesControl({ section, send, wording, requestPermission, now })

  page.test.addEventListener('click', async () => {
    const { server: address, lists } = page.entered
    const read = readServer(address)
    page.showProblem('server', 'problem' in read ? read.problem : undefined)
    page.sayOfTest('')
    if ('problem' in read) return
    page.test.disabled = true
    page.sayOfTest(wording.text('testRunning', read.server))
    try {
      const answer = await send('settings:test', { server: read.server })
      if (!answer.ok) {
        page.sayOfTest(wording.text('testFailed', shown(answer.message, LONGEST), answer.error), 'danger')
      } else if (answer.lists.length === 0) {
        page.sayOfTest(wording.text('testNoLists'), 'danger')
      } else {
        const missing = missingLists(lists, answer.lists)
        const good = wording.text('testGood', shown(answer.lists.join(', '), LONGEST))
        if (missing.length === 0) page.sayOfTest(good, 'good')
        else page.sayOfTest(`${good} ${wording.text('testMissing', missing.join(', '))}`, 'danger')
      }
    } catch (error) {
      page.sayOfTest(wording.text('testFailed', ...codeAndMessage(error)), 'danger')
    }
    page.test.disabled = false
  })
  page.form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const outcome = readForm(page.entered)
    page.showProblems(outcome.kind === 'invalid' ? outcome.problems : {})
    if (outcome.kind === 'invalid') {
      page.sayOfSaving(wording.text('saveInvalid'), 'danger')
      return
    }
    page.save.disabled = true
    page.sayOfSaving(wording.text('saving'))
    try {
      const answer = await send('settings:save', { settings: outcome.settings })
      page.save.disabled = false
      if ('error' in answer) {
        page.sayOfSaving(wording.text('saveFailed', shown(answer.message, LONGEST), answer.error), 'danger')
      } else {
        page.show(answer)
        page.sayOfSaving(wording.text('saved'), 'good')
      }
    } catch (error) {
      page.save.disabled = false
      page.sayOfSaving(wording.text('saveFailed', ...codeAndMessage(error)), 'danger')
    }
  })
  try {
    const settings = await askPatiently(() => send('settings:get', {}), PATIENCE)
    page.show(settings)
    firstVisits.show(settings)
    await sources.show(settings)
    setInterval(() => void sources.refresh().catch(() => page.showFailure()), STATE_POLL_MS)
  } catch {
    // Silent or refused: the background has logged why.
    page.showFailure()
  }
}

void start()
