import type { CanonicalUrl } from '../../../src/url/canonical-url.ts'
import { canonicalize, canonicalizeLoose } from '../../../src/url/canonicalize.ts'
import { expressions } from '../../../src/url/expressions.ts'
import { parsedHref, writtenRules } from '../../../test/support/written-rules.ts'
import { promise, unlessRefused } from '../promise.ts'

/** Input: an address in UTF-8, with or without a scheme. */
export function fuzz(input: Uint8Array): void {
  const text = new TextDecoder().decode(input)
  for (const href of [text, `http://${text}`, `https://site.test/${text}`]) {
    const parsed = parsedHref(href)
    const url = unlessRefused(['url-invalid'], () => canonicalize(href))
    const rules = byRules(parsed)
    promise(url?.text === rules, `${JSON.stringify(href)} is ${JSON.stringify(rules)}, not ${url?.text}`)
    if (url) check(url)
  }
  const loose = unlessRefused(['url-invalid'], () => canonicalizeLoose(text))
  if (loose) check(loose)
}

function byRules(parsed: string | undefined): string | undefined {
  const rules = parsed === undefined ? undefined : writtenRules(parsed)
  return rules && rules.host + rules.path + (rules.query === undefined ? '' : `?${rules.query}`)
}

function check(url: CanonicalUrl): void {
  const { host, path, query, isIp } = url
  const whole = url.text
  promise(/^[\x21-\x7e]+$/.test(whole) && !whole.includes('#'), `${whole} has characters that must be escaped`)
  promise(whole === host + path + (query === undefined ? '' : `?${query}`) && path.startsWith('/'), `${whole} is its parts`)
  // A backslash (`%5C`) or a question mark (`%3F`) stays one by the v5 text, and is something else in an address: not to be asked about again.
  const again = (text: string, of: string): boolean => {
    if (/[\\?]/.test(of)) return true
    const once = unlessRefused(['url-invalid'], () => canonicalize(`http://${text}`))
    return once !== undefined && once.text === text
  }
  promise(again(whole, path), `${whole} stays as it is`)

  const all = expressions(url)
  promise(all.length >= 1 && all.length <= 30 && new Set(all).size === all.length, `1 to 30 expressions, each once: ${all.join(' ')}`)
  promise(all.includes(`${host}/`) && all.includes(host + path) && (!query || all.includes(whole)), `${whole} and its host are expressions`)
  for (const expression of all) {
    const slash = expression.indexOf('/')
    const [ofHost, ofPath] = [expression.slice(0, slash), expression.slice(slash)]
    promise(host === ofHost || (!isIp && host.endsWith(`.${ofHost}`)), `${expression} is of ${host}`)
    promise((path + (query ? `?${query}` : '')).startsWith(ofPath), `${expression} is of ${path}`)
    promise(
      again(expression, ofPath === path || ofPath === whole.slice(host.length) ? path : ofPath),
      `${expression} is an address of its own`,
    )
  }
}
