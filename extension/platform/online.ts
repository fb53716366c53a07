/** False when the browser knows that nothing can be reached; true means little. */
export function online(): boolean {
  return navigator.onLine
}
