import { browser } from '../platform/browser.ts'

/** The text of `key` in the browser's language; `values` fill its placeholders. */
export function message(key: string, ...values: readonly string[]): string {
  return browser.i18n.getMessage(key, [...values])
}

/** Fills every element that names a text in `data-i18n`, and the document's language and title. */
export function localizePage(): void {
  document.documentElement.lang = browser.i18n.getUILanguage()
  for (const element of document.querySelectorAll<HTMLElement>('[data-i18n]')) element.textContent = message(element.dataset.i18n ?? '')
}

/** The element of an id that the page's own HTML has. */
export function element<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found as E
}

const RELATIVE_STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

/** `at` in words relative to `now`, such as "3 minutes ago" or "in 2 hours". Both are milliseconds since 1970. */
export function relativeTime(at: number, now: number, locale = document.documentElement.lang): string {
  const difference = at - now
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  for (const [unit, length] of RELATIVE_STEPS) {
    if (Math.abs(difference) >= length || unit === 'second') return format.format(Math.round(difference / length), unit)
  }
  return ''
}
