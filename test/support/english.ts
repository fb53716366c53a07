import { readFileSync } from 'node:fs'
import { Formatting } from '../../extension/page/formatting.ts'
import { Wording } from '../../extension/page/wording.ts'

interface Message {
  readonly message: string
  readonly description?: string
  readonly placeholders?: Readonly<Record<string, { readonly content: string; readonly example?: string }>>
}

export const ENGLISH: Readonly<Record<string, Message>> = JSON.parse(
  readFileSync(new URL('../../public/_locales/en/messages.json', import.meta.url), 'utf8'),
)

/** As the browsers' `i18n.getMessage`: an empty string for a key that does not exist. */
export function getMessage(key: string, substitutions: readonly string[] = []): string {
  const found = Object.hasOwn(ENGLISH, key) ? ENGLISH[key] : undefined
  if (found === undefined) return ''
  return found.message.replaceAll(/\$([A-Za-z0-9_@]+)\$/g, (_whole, name: string) => {
    const content = found.placeholders?.[name.toLowerCase()]?.content ?? ''
    return content.replaceAll(/\$(\d)/g, (_digit, index: string) => substitutions[Number(index) - 1] ?? '')
  })
}

export const wording = new Wording({ getMessage })
export const formatting = new Formatting({ locale: 'en', timeZone: 'UTC' })
