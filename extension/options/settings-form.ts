import type { MessageKey } from '../page/wording.ts'
import type { Settings } from '../settings/settings.ts'
import { parseDecoys, parseLists, parseRootKey, parseServer } from '../settings/setting-values.ts'

export const FIELDS = ['server', 'rootKey', 'lists', 'decoys'] as const
export type Field = (typeof FIELDS)[number]
/** What stands in the form. */
export type Entered = Readonly<Record<Field, string>>

/** The settings that are typed in. */
export type Typed = Pick<Settings, 'version' | Field>

export type FormOutcome =
  | { readonly kind: 'valid'; readonly settings: Typed }
  | { readonly kind: 'invalid'; readonly problems: Readonly<Partial<Record<Field, MessageKey>>> }

/** The settings that were entered, or what is wrong with which field. The background checks again, by the same schema. */
export function readForm(entered: Entered): FormOutcome {
  const problems: Partial<Record<Field, MessageKey>> = {}
  const read = <T>(field: Field, parse: (value: unknown) => T, problem: MessageKey): T | undefined => {
    try {
      return parse(entered[field])
    } catch {
      // The schema's message is English; the page has its own words for each field.
      problems[field] = problem
      return undefined
    }
  }
  const server = read('server', parseServer, 'problemServer')
  // A key is often copied with line breaks or blanks in it.
  const rootKey = read('rootKey', (value) => parseRootKey(String(value).replace(/\s+/g, '')), 'problemRootKey')
  const lists = read('lists', parseLists, 'problemLists')
  const decoys = read('decoys', parseDecoys, 'problemDecoys')
  if (server !== undefined && server !== '' && rootKey === '') problems.rootKey = 'problemRootKeyMissing'
  if (server === undefined || rootKey === undefined || lists === undefined || decoys === undefined || problems.rootKey !== undefined) {
    return { kind: 'invalid', problems }
  }
  return { kind: 'valid', settings: { version: 1, server, rootKey, lists, decoys } }
}

/** The origin to test, or what is wrong with the field. */
export function readServer(entered: string): { readonly server: string } | { readonly problem: MessageKey } {
  try {
    const server = parseServer(entered)
    return server === '' ? { problem: 'problemServerMissing' } : { server }
  } catch {
    return { problem: 'problemServer' }
  }
}

/** Lists that were entered and that the server does not offer; none where what was entered is not valid. */
export function missingLists(entered: string, offered: readonly string[]): readonly string[] {
  try {
    return parseLists(entered).filter((name) => !offered.includes(name))
  } catch {
    return []
  }
}

/** How the form writes settings. */
export function written({ server, rootKey, lists, decoys }: Typed): Entered {
  return { server, rootKey, lists: lists.join(', '), decoys: String(decoys) }
}
