import type { SettingsView } from '../messaging/messages.ts'
import type { Send } from '../messaging/send.ts'
import { pageElement, setText } from '../page/element.ts'
import type { Wording } from '../page/wording.ts'

/** The switch for the notes of visited sites: takes effect, and erases, at once. */
export class FirstVisitsControl {
  readonly #box = pageElement('first-visits', HTMLInputElement)
  readonly #status = pageElement('first-visits-status', HTMLElement)
  readonly #wording: Wording

  constructor({ send, wording }: { readonly send: Send; readonly wording: Wording }) {
    this.#wording = wording
    this.#box.addEventListener('change', async () => {
      const firstVisits = this.#box.checked
      try {
        const answer = await send('settings:save', { settings: { firstVisits } })
        if ('error' in answer) throw new Error(answer.message)
        this.show(answer)
        setText(this.#status, wording.text(firstVisits ? 'saved' : 'firstVisitsErased'))
      } catch {
        // Refused or silent, and logged there: the switch goes back to what holds.
        this.#box.checked = !firstVisits
        setText(this.#status, wording.text('updateNotAnswered'))
      }
    })
  }

  show({ settings, sources }: SettingsView): void {
    this.#box.checked = settings.firstVisits
    this.#box.disabled = sources.firstVisits === 'policy'
    if (this.#box.disabled) setText(this.#status, this.#wording.text('originPolicy'))
  }
}
