import type { SettingsView } from '../messaging/messages.ts'
import { pageElement, setOptionalText, setText } from '../page/element.ts'
import type { MessageKey, Wording } from '../page/wording.ts'
import type { SettingOrigin } from '../settings/settings.ts'
import { type Entered, FIELDS, type Field, written } from './settings-form.ts'

const ORIGINS: { readonly [O in SettingOrigin]: MessageKey } = {
  default: 'originDefault',
  build: 'originBuild',
  user: 'originUser',
  policy: 'originPolicy',
}

type Tone = 'good' | 'danger' | 'neutral'

/** The settings page's document. */
export class OptionsPage {
  readonly form = pageElement('settings', HTMLFormElement)
  readonly test = pageElement('test', HTMLButtonElement)
  readonly save = pageElement('save', HTMLButtonElement)
  readonly #wording: Wording

  constructor({ wording }: { readonly wording: Wording }) {
    this.#wording = wording
  }

  get entered(): Entered {
    return { server: input('server').value, rootKey: input('rootKey').value, lists: input('lists').value, decoys: input('decoys').value }
  }

  /** Fills the form with the settings in force, and says where each comes from. */
  show({ settings, sources }: SettingsView): void {
    const values = written(settings)
    for (const field of FIELDS) {
      const managed = sources[field] === 'policy'
      input(field).value = values[field]
      input(field).disabled = managed
      const origin = pageElement(`${field}-origin`, HTMLElement)
      origin.dataset.origin = sources[field]
      setText(origin, this.#wording.text(ORIGINS[sources[field]]))
    }
    this.save.disabled = FIELDS.every((field) => sources[field] === 'policy')
    if (this.save.disabled) this.sayOfSaving(this.#wording.text('allManaged'))
    document.body.dataset.state = 'shown'
  }

  /** Marks the fields that are not valid, and leads to the first of them. */
  showProblems(problems: Readonly<Partial<Record<Field, MessageKey>>>): void {
    for (const field of FIELDS) this.showProblem(field, problems[field])
    const first = FIELDS.find((field) => problems[field] !== undefined)
    if (first !== undefined) input(first).focus()
  }

  showProblem(field: Field, problem: MessageKey | undefined): void {
    input(field).setAttribute('aria-invalid', String(problem !== undefined))
    setOptionalText(pageElement(`${field}-problem`, HTMLElement), problem && this.#wording.text(problem))
  }

  sayOfSaving(text: string, tone: Tone = 'neutral'): void {
    say('save-status', text, tone)
  }

  sayOfTest(text: string, tone: Tone = 'neutral'): void {
    say('test-status', text, tone)
  }

  /** The settings could not be read: an empty form would look like settings that are empty. */
  showFailure(): void {
    for (const field of FIELDS) input(field).disabled = true
    this.save.disabled = true
    this.test.disabled = true
    this.sayOfSaving(this.#wording.text('optionsFailed'), 'danger')
    document.body.dataset.state = 'failed'
  }
}

function input(field: Field): HTMLInputElement | HTMLTextAreaElement {
  return field === 'rootKey' ? pageElement(field, HTMLTextAreaElement) : pageElement(field, HTMLInputElement)
}

function say(id: string, text: string, tone: Tone): void {
  const status = pageElement(id, HTMLElement)
  status.dataset.tone = tone
  setText(status, text)
}
