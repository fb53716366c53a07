import type { Send } from '../messaging/send.ts'

/** The background takes up to 1.5 s to find out that a tab has nothing to go back to (hold-firefox.ts). */
const WAIT_MS = 4000

/**
 * Leads away from one of our pages to the page before, or closes the tab. Resolves only if that has not worked.
 *
 * Asked once: a second request might be a second step back. Where nobody answers, the page steps back by itself.
 */
export async function goBackFrom(options: {
  readonly send: Send
  readonly history: Pick<History, 'length' | 'back'>
  readonly closeWindow: () => void
}): Promise<void> {
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
