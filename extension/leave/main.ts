/**
 * The exit of our pages (see page/leave-frame.ts). It leads the tab to the address that the page around it names, and does nothing in
 * any other situation: not at the top of a tab, not outside of a sandbox, not for a page that is not ours, not for an address that is
 * not of the web. No website can open or frame it either, as it is not web-accessible.
 *
 * The build makes a classic script of this file, since Firefox loads no module in an opaque origin: it must import nothing.
 */
export {}

/** A sandbox without `allow-same-origin` has made our origin opaque: a navigation from here is as cross-site as any stranger's. */
const sandboxed = self.origin === 'null'
/** Still the extension's, whatever the sandbox: the origin of the address, not of the document. */
const { origin: ours } = location

function isWebAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol)
  } catch {
    // Not an address at all.
    return false
  }
}

if (sandboxed && top !== self && parent === top) {
  addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
    if (source !== parent || origin !== ours) return
    if (typeof data !== 'object' || data === null || !('target' in data) || typeof data.target !== 'string') return
    if (isWebAddress(data.target)) top?.location.replace(data.target)
  })
}
