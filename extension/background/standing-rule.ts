import { canonicalize } from '../../src/url/canonicalize.ts'
import { expressions } from '../../src/url/expressions.ts'

type Condition = chrome.declarativeNetRequest.RuleCondition
type ResourceTypes = NonNullable<Condition['resourceTypes']>

/** What a block stops: pages and frames, or frames alone (an expression that was confirmed for frames only). */
export type Scope = 'page' | 'frame'

/** `object` is a frame too: that of an object or embed element. */
export const FRAMES = ['sub_frame', 'object'] as const
export const RESOURCES: { readonly [S in Scope]: ResourceTypes } = { page: ['main_frame', ...FRAMES], frame: [...FRAMES] }

/** What blocks the pages of one listed expression: a whole host by name, anything else by a regular expression. */
export type StandingPattern = { readonly kind: 'host'; readonly host: string } | { readonly kind: 'regex'; readonly regex: string }

function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** Whether any subdomain of `host`, however deep, has `host` among its expressions (v5: exact host and four from eTLD+1 on). */
function coversSubdomains(host: string): boolean {
  if (host.startsWith('[') || /^[0-9.]+$/.test(host)) return false
  return expressions(canonicalize(`http://a.b.c.d.e.f.${host}/`)).includes(`${host}/`)
}

/**
 * The pattern that blocks the pages of `expression` and no other: for `host/` all its paths, queries and ports, for a path
 * ending in a slash what lies below it, for any other path that page with any query, for an expression with a query only that.
 * Subdomains are included exactly where the v5 rule includes them, since `requestDomains` always would.
 */
export function standingPattern(expression: string): StandingPattern {
  const slash = expression.indexOf('/')
  const host = expression.slice(0, slash)
  const rest = expression.slice(slash)
  const wide = coversSubdomains(host)
  if (rest === '/' && wide) return { kind: 'host', host }
  const start = `^https?://([^/?#@]*@)?${wide ? '([^/?#@:]*\\.)?' : ''}${escapeRegex(host)}\\.?(:[0-9]+)?`
  if (rest === '/') return { kind: 'regex', regex: `${start}([/?#]|$)` }
  if (rest.includes('?')) return { kind: 'regex', regex: `${start}${escapeRegex(rest)}(#|$)` }
  return { kind: 'regex', regex: rest.endsWith('/') ? `${start}${escapeRegex(rest)}` : `${start}${escapeRegex(rest)}([?#]|$)` }
}

export function regexCondition(regex: string, scope: Scope): Condition {
  return { regexFilter: regex, isUrlFilterCaseSensitive: true, resourceTypes: RESOURCES[scope] }
}

/** One rule for many hosts, each with its subdomains: hosts of `standingPattern` only. */
export function hostsCondition(hosts: Iterable<string>, scope: Scope): Condition {
  return { requestDomains: [...hosts], resourceTypes: RESOURCES[scope] }
}
