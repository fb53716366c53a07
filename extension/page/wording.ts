import type messages from '../../public/_locales/en/messages.json'

/** A string in public/_locales. The English file is the one that all others follow. */
export type MessageKey = keyof typeof messages

type Stem<K> = K extends `${infer S}_other` ? S : never
/** Strings in several plural forms: `STEM_one`, `STEM_other`, and what else `Intl.PluralRules` names for a language. */
export type PluralStem = Stem<MessageKey>

/** What people read, in their language: the browser's `i18n.getMessage`, with plurals. */
export class Wording {
  /** BCP 47 tag of the strings' own language, which the browser's may differ from. */
  readonly locale: string
  readonly #getMessage: (key: string, substitutions?: string[]) => string
  readonly #plurals: Intl.PluralRules
  readonly #numbers: Intl.NumberFormat

  constructor({ getMessage }: { readonly getMessage: (key: string, substitutions?: string[]) => string }) {
    this.#getMessage = getMessage
    this.locale = this.text('languageTag')
    this.#plurals = new Intl.PluralRules(this.locale)
    this.#numbers = new Intl.NumberFormat(this.locale)
  }

  /** Text with `values` in its placeholders. The key itself where a string is missing, so that the gap is seen. */
  text(key: MessageKey, ...values: string[]): string {
    return this.#getMessage(key, values) || key
  }

  /** Text in the plural form for `count`, with the count, written out, in its first placeholder. */
  plural(stem: PluralStem, count: number): string {
    const written = this.#numbers.format(count)
    return this.#getMessage(`${stem}_${this.#plurals.select(count)}`, [written]) || this.text(`${stem}_other`, written)
  }
}
