/** What the page says, in the reader's language. */
export interface BlockedFrameText {
  readonly title: string
  readonly text: string
  /** BCP 47. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
}

/** As the colours of extension/page/theme.css, which a page without an origin cannot load. */
const STYLE =
  ':root{color-scheme:light dark}body{margin:0;padding:12px;font:14px/1.4 system-ui,sans-serif;background:#fff;color:#1f2328}' +
  'h1{font-size:15px;margin:0 0 4px}p{margin:0}@media(prefers-color-scheme:dark){body{background:#1b1e22;color:#e6e8eb}}'

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * The page in place of a listed frame, as a `data:` address: no script, no link, nothing of the listed address. Not a page of the extension,
 * since those must not be framed by anybody (`frame-ancestors` in the manifest), and since one would tell the site this installation's address.
 */
export function blockedFramePage({ title, text, language, direction }: BlockedFrameText): string {
  const html =
    `<!doctype html><html lang="${escapeHtml(language)}" dir="${direction}"><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
    `<style>${STYLE}</style><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></html>`
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`
}
