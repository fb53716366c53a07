import type { Send } from '../messaging/send.ts'

/** The background takes up to 1.5 s to find out that a tab has nothing to go back to (hold-firefox.ts). */
const WAIT_MS = 4000
/** Longer than a step in history takes to begin; this page is gone by then. */
const STEP_MS = 1000

/**
 * Leads away from one of our pages to the page before, or closes the tab. Resolves only if that has not worked.
 *
 * In Chrome the page steps back by itself: `tabs.goBack`, as the browser's own button, passes over pages that nobody has touched, and would pass over the
 * page before, where its listed successor was replaced by ours in time. The background closes the tab that has nothing to go back to, and sees to it that
 * a step onto the entry of a listed page goes further.
 *
 * Asked once: a second request might be a second step back. Where nobody answers, the page steps back by itself.
 */
export async function goBackFrom(options: {
  readonly send: Send
  readonly history: Pick<History, 'length' | 'back'>
  readonly closeWindow: () => void
  /** Whether the page's own step comes first. */
  readonly stepsItself: boolean
}): Promise<void> {
  if (options.stepsItself && options.history.length > 1) {
    options.history.back()
    await new Promise((resolve) => setTimeout(resolve, STEP_MS))
  }
  const wait = new Promise<void>((resolve) => setTimeout(resolve, WAIT_MS))
  try {
    await Promise.race([options.send('warning:back', {}), wait])
  } catch {
    // Without the background only the browser's own ways are left. They know nothing of listed pages behind us, which warn again.
    if (options.history.length > 1) options.history.back()
    else options.closeWindow()
  }
  await wait
}
