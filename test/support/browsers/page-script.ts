/**
 * The source of an expression that calls `run` with `args` in a page and answers JSON text (`undefined` becomes null).
 * `__name` is there because esbuild, under tsx, wraps named functions in it.
 */
export function pageScript(run: (...args: never[]) => unknown, args: readonly unknown[]): string {
  return `(async () => { const __name = (f) => f; return JSON.stringify((await (${run})(...${JSON.stringify(args)})) ?? null) })()`
}

/** True once `selector` matches an element that has a box. Runs in the page. */
export function isDisplayed(selector: string): boolean {
  const element = document.querySelector(selector)
  return element !== null && element.getClientRects().length > 0
}

/** `innerText` of the first match. Runs in the page. */
export function displayedText(selector: string): string {
  const element = document.querySelector<HTMLElement>(selector)
  if (element === null) throw new Error(`Nothing matches ${selector}`)
  // biome-ignore lint/performance/useDomNodeTextContent: what a person sees is meant, without hidden elements.
  return element.innerText
}

/** Runs in the page. */
export function fillField(selector: string, value: string): void {
  const field = document.querySelector(selector)
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement)) {
    throw new Error(`No form field matches ${selector}`)
  }
  field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Middle of the first match in CSS pixels of the viewport, scrolled into view. Runs in the page. */
export function middleOf(selector: string): { x: number; y: number } {
  const element = document.querySelector(selector)
  if (element === null) throw new Error(`Nothing matches ${selector}`)
  element.scrollIntoView({ block: 'center', inline: 'center' })
  const box = element.getBoundingClientRect()
  return { x: Math.round(box.left + box.width / 2), y: Math.round(box.top + box.height / 2) }
}
