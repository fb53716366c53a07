import { LEAVE_PATH } from '../messaging/messages.ts'
import { browser } from '../platform/browser.ts'

/**
 * Leads this tab to `target` through a sandboxed frame. A navigation by the page itself would come from the extension, and browsers send
 * SameSite=Strict cookies with those; one from an opaque origin is cross-site and carries no referrer.
 */
export function leaveTo(target: string): void {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts allow-top-navigation')
  frame.title = 'leave'
  frame.hidden = true
  frame.src = `${browser.runtime.getURL(LEAVE_PATH)}#${encodeURIComponent(target)}`
  document.body.append(frame)
}
