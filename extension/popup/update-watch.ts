import type { Status } from '../messaging/messages.ts'
import type { MessageKey } from '../page/wording.ts'

/** Longest time between the background's "started" and the attempt that it records. */
const START_MS = 3000
/** Longest time between the attempt and the first byte: a little more than the updater's own timeout. */
const ANSWER_MS = 65_000

/**
 * Follows one update that a person asked for, from status to status, until it has ended. A quick update is over before anybody has
 * asked for its progress, and a slow server leaves it without any for long. So its end is read from the record: a success, or one
 * more failure, than before the click.
 */
export class UpdateWatch {
  readonly #before: Status
  readonly #askedAt: number
  #seen = false

  /** @param before the last status before the click @param askedAt milliseconds since 1970 */
  constructor(before: Status, askedAt: number) {
    this.#before = before
    this.#askedAt = askedAt
  }

  /** What to announce, once the update has ended; undefined while it runs. `now` in milliseconds since 1970. */
  ended(status: Status, now: number): MessageKey | undefined {
    const { update } = status
    const { update: before } = this.#before
    if (update.progress !== undefined) {
      this.#seen = true
      return undefined
    }
    if (update.lastSuccessAt !== before.lastSuccessAt) return this.#changed(status) ? 'updateDone' : 'updateUnchanged'
    if (update.failures > before.failures) return 'updateFailedShort'
    const attempted = update.lastAttemptAt !== before.lastAttemptAt
    if (!this.#seen && now - this.#askedAt < (attempted ? ANSWER_MS : START_MS)) return undefined
    // Called off, or never begun.
    return 'updateNotAnswered'
  }

  #changed(status: Status): boolean {
    return versions(status) !== versions(this.#before)
  }
}

function versions({ sources }: Status): string {
  return JSON.stringify(sources.map(({ lists }) => lists.map(({ name, updatedAt, signed }) => [name, signed?.sequence ?? updatedAt])))
}
