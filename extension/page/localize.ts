import type { MessageKey, Wording } from './wording.ts'

/** `data-i18n` names the string for an element's text, the others that for an attribute. */
const ATTRIBUTES = { 'data-i18n-label': 'aria-label', 'data-i18n-placeholder': 'placeholder' } as const

/** Fills a page's markup with strings, as text, and says which language and direction they have. */
export function localize(document: Document, wording: Wording): void {
  document.documentElement.lang = wording.locale
  document.documentElement.dir = directionOf(wording.locale)
  for (const element of document.querySelectorAll('[data-i18n]')) {
    element.textContent = wording.text(keyOf(element, 'data-i18n'))
  }
  for (const [name, attribute] of Object.entries(ATTRIBUTES)) {
    for (const element of document.querySelectorAll(`[${name}]`)) element.setAttribute(attribute, wording.text(keyOf(element, name)))
  }
}

/** test/page/messages.test.ts proves that every key in the markup exists. */
function keyOf(element: Element, name: string): MessageKey {
  return element.getAttribute(name) as MessageKey
}

/** Of the strings, not of the browser: English in an Arabic browser is still written from the left. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/.test(locale) ? 'rtl' : 'ltr'
}
