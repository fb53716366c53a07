/**
 * What is wider than its box, a line each: elements that stick out of the page, and boxes whose text sticks out of them. Runs in the page.
 * Everything that opens is opened. What people scroll, and what is there for screen readers only, is left out.
 */
export function overflowing(): string[] {
  for (const details of document.querySelectorAll('details')) details.open = true
  const found: string[] = []
  const name = (element: Element): string => {
    const id = element.id === '' ? '' : `#${element.id}`
    return `${element.tagName.toLowerCase()}${id}${element.className === '' ? '' : `.${String(element.className)}`}`
  }
  const seen = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect()
    return width > 2 && height > 2
  }
  const width = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth > width) found.push(`the page: ${document.documentElement.scrollWidth} of ${width} px`)
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    if (!seen(element) || element.closest('svg') !== null) continue
    const scrolled = element.parentElement?.closest('[tabindex="0"], .scroll')
    const { left, right } = element.getBoundingClientRect()
    if (!scrolled && (left < -1 || right > width + 1))
      found.push(`${name(element)}: from ${Math.round(left)} to ${Math.round(right)} of ${width} px`)
    const { overflowX, display } = getComputedStyle(element)
    if (
      display === 'inline' ||
      overflowX === 'auto' ||
      overflowX === 'scroll' ||
      /^(input|textarea|select|progress)$/i.test(element.tagName)
    )
      continue
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) {
      found.push(
        `${name(element)}: its text is ${element.scrollWidth} px wide in ${element.clientWidth} px: ${element.textContent?.trim().slice(0, 60)}`,
      )
    }
  }
  return found
}
