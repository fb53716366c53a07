import { stepBack, type TabsApi } from './tab-exit.ts'

export interface StepApi {
  readonly webNavigation: { getFrame(details: { tabId: number; frameId: number }): Promise<{ url: string } | null | undefined> }
  readonly tabs: Pick<TabsApi, 'goBack' | 'get'>
}

export interface Step {
  readonly tabId: number
  /** The listed page whose entry the tab goes back onto. */
  readonly url: string
  /** False once the tab has begun something else: then nothing may be done to it any more. */
  readonly wanted: () => boolean
  readonly pause: (ms: number) => Promise<void>
}

const POLL_MS = 100
const MOST_STEPS = 4
const MOST_POLLS = 25

/**
 * Leads a tab past the history entry of a listed page onto which it goes back. One call of `goBack` is not enough: made while the
 * browser still commits its error page for that entry, it can be taken from the page before and lead to the same entry again, or be
 * overtaken by that commit. So the step is repeated for as long as the tab comes to rest on the entry.
 * @returns `left` when the tab has gone elsewhere, `stuck` when there is no entry before, or none is reached in a few seconds
 */
export async function stepBackPast(api: StepApi, { tabId, url, wanted, pause }: Step): Promise<'left' | 'stuck'> {
  let steps = 1
  if (!(await stepBack(api.tabs, tabId))) return wanted() ? 'stuck' : 'left'
  for (let poll = 0; poll < MOST_POLLS; poll++) {
    await pause(POLL_MS)
    if (!wanted()) return 'left'
    const [frame, { status }] = await Promise.all([api.webNavigation.getFrame({ tabId, frameId: 0 }), api.tabs.get(tabId)])
    if (!wanted()) return 'left'
    // Still on the way, or our own page that the step began on.
    if (status === 'loading' || frame?.url !== url) continue
    if (steps++ === MOST_STEPS || !(await stepBack(api.tabs, tabId))) break
  }
  return wanted() ? 'stuck' : 'left'
}
