/** Whether a page of this address comes from the web: others (about:, data:, the browser's and extensions' own) are not checked. */
export function isWebAddress(url: string): boolean {
  return /^https?:/.test(url)
}
