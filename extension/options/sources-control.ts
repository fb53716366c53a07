import { asWaryError } from '../../src/errors.ts'
import type { SettingsView } from '../messaging/messages.ts'
import type { Send } from '../messaging/send.ts'
import { shown } from '../page/shown-text.ts'
import { spokenAddress } from '../page/source-text.ts'
import type { Wording } from '../page/wording.ts'
import { type SourceSetting, sourceId } from '../settings/source-setting.ts'
import { type Proposal, proposalOf } from './source-entry.ts'
import { addressOf, type SourcesSection } from './sources-section.ts'

const LONGEST = 300

export interface SourcesControlOptions {
  readonly section: SourcesSection
  readonly send: Send
  readonly wording: Wording
  /** Asks the browser for one site; must be called while it still sees a person's click. */
  readonly requestPermission: (origin: string) => Promise<boolean>
  readonly now: () => number
}

/** What happens on the settings page when a person adds or removes a source. */
export class SourcesControl {
  readonly #options: SourcesControlOptions
  #settings: readonly SourceSetting[] = []
  #managed = false
  #proposal: Proposal | undefined
  #removed: readonly SourceSetting[] | undefined

  constructor(options: SourcesControlOptions) {
    this.#options = options
    const { section } = options
    section.form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#check()
    })
    section.form.addEventListener('change', () => {
      this.#proposal = undefined
    })
    section.cancel.addEventListener('click', () => {
      this.#propose(undefined)
      section.check.focus()
    })
    section.add.addEventListener('click', () => void this.#add())
    section.undo.addEventListener('click', () => void this.#undo())
    section.onRemove = (id) => void this.#remove(id)
  }

  async show({ settings, sources }: SettingsView): Promise<void> {
    this.#settings = settings.sources
    this.#managed = sources.sources === 'policy'
    await this.refresh()
  }

  /** How the sources fare changes while the page is open. */
  async refresh(): Promise<void> {
    const { section, send, now } = this.#options
    const { sources } = await send('status:get', { tabId: undefined })
    section.show(this.#settings, sources, this.#managed, now())
  }

  async #check(): Promise<void> {
    const { section, send, wording } = this.#options
    const { entry } = section
    section.showProblem(undefined)
    section.say('')
    this.#propose(undefined)
    try {
      const known = proposalOf(entry)
      if (known !== undefined) {
        this.#propose(known)
        return
      }
    } catch (error) {
      this.#refuse(asWaryError(error))
      return
    }
    section.check.disabled = true
    section.say(wording.text('sourceChecking', shown(entry.text.replace(/#.*/, ''), LONGEST)))
    try {
      const answer = await send('source:preview', { link: entry.text })
      section.say('')
      const { kind } = entry
      if (!answer.ok) this.#refuse({ code: answer.error, message: answer.message })
      else if (kind === 'wary' || kind === 'filter') {
        const { server, fingerprint, lists } = answer
        this.#propose({ setting: { kind, server, fingerprint, lists }, permission: undefined })
      }
    } catch (error) {
      section.say('')
      this.#refuse(asWaryError(error))
    }
    section.check.disabled = false
  }

  async #add(): Promise<void> {
    const { section, wording, requestPermission } = this.#options
    const proposal = this.#proposal
    if (proposal === undefined) return
    // First of all, while the browser still sees the click.
    if (proposal.permission !== undefined && !(await requestPermission(proposal.permission))) {
      section.say(wording.text('sourceNoPermission'), 'danger')
      return
    }
    if (!(await this.#save([...this.#settings, proposal.setting]))) return
    section.clear()
    section.say(wording.text('sourceAdded', spokenAddress(addressOf(proposal.setting))), 'good')
    this.#forgetRemoval()
  }

  async #remove(id: string): Promise<void> {
    const { section, wording } = this.#options
    const before = this.#settings
    const gone = before.find((setting) => sourceId(setting) === id)
    if (gone === undefined || !(await this.#save(before.filter((setting) => setting !== gone)))) return
    this.#removed = before
    section.say(wording.text('sourceRemoved', spokenAddress(addressOf(gone))))
    section.undo.hidden = false
    section.undo.focus()
  }

  async #undo(): Promise<void> {
    const { section } = this.#options
    if (this.#removed === undefined || !(await this.#save(this.#removed))) return
    this.#forgetRemoval()
    section.say('')
    section.check.focus()
  }

  #forgetRemoval(): void {
    this.#removed = undefined
    this.#options.section.undo.hidden = true
  }

  /** @returns whether it was saved; if not, the page says why */
  async #save(sources: readonly SourceSetting[]): Promise<boolean> {
    const { section, send, wording } = this.#options
    try {
      const answer = await send('settings:save', { settings: { sources } })
      if ('error' in answer) {
        section.say(wording.text('sourceRefused', shown(answer.message, LONGEST), answer.error), 'danger')
        return false
      }
      await this.show(answer)
      return true
    } catch (error) {
      const { code, message } = asWaryError(error)
      section.say(wording.text('sourceRefused', shown(message, LONGEST), code), 'danger')
      return false
    }
  }

  #propose(proposal: Proposal | undefined): void {
    this.#proposal = proposal
    this.#options.section.confirm(proposal)
  }

  #refuse({ code, message }: { readonly code: string; readonly message: string }): void {
    this.#options.section.showProblem(this.#options.wording.text('sourceRefused', shown(message, LONGEST), code))
  }
}
