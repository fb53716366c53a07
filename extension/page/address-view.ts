import { type TakingApart, takeApart } from './address.ts'
import { element, isolated } from './element.ts'
import { shown } from './shown-text.ts'

const LONGEST = 200

/**
 * The address as nodes: the registrable domain emphasised, everything else quieter. Written from left to right whatever stands around
 * it; user names are left out, since they are no part of where the page comes from. All of it text nodes, never a link.
 */
export function addressNodes(href: string, options: TakingApart = {}): HTMLElement {
  const parts = takeApart(href, options)
  if (parts === undefined) return isolated(shown(href, LONGEST), { class: 'address' })
  const quiet = (text: string): (Node | string)[] => (text === '' ? [] : [element('span', { class: 'address-quiet' }, text)])
  const view = isolated('', { class: 'address' })
  view.append(
    ...quiet(parts.scheme + parts.subdomain),
    element('strong', { class: 'address-domain' }, parts.domain),
    ...quiet(parts.port + parts.rest),
  )
  return view
}
