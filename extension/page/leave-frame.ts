/**
 * Leads the tab from one of our pages to the web address `target`. Our pages never navigate there themselves: a navigation that an
 * extension page starts may carry SameSite=Strict cookies, so that any website could act on another one through us. From a sandboxed
 * frame it is cross-site, without a referrer, and replaces our page in the tab's history.
 *
 * The target goes by message, not in the frame's address: browsers refuse addresses above 1 or 2 MB, and encoding makes it up to
 * three times as long. And the frame can tell from a message, but not from an address, that it comes from us.
 *
 * May be called again where the first attempt has led nowhere.
 *
 * @param frameUrl of the leave page
 */
export function leaveThroughFrame(options: { readonly document: Document; readonly frameUrl: string; readonly target: string }): void {
  for (const former of options.document.querySelectorAll('.leave-frame')) former.remove()
  const frame = options.document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts allow-top-navigation')
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  frame.className = 'leave-frame'
  frame.addEventListener(
    'load',
    // The frame's origin is opaque: no other target origin would reach it.
    () => frame.contentWindow?.postMessage({ target: options.target }, '*'),
    { once: true },
  )
  frame.src = options.frameUrl
  options.document.body.append(frame)
}
