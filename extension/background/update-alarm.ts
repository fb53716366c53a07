import { asWaryError } from '../../src/errors.ts'
import type { Clock, Logger, Random } from '../../src/ports.ts'
import { LONGEST_WAIT_MS, nextAlarm } from '../../src/update/schedule.ts'
import type { SourceSet } from '../../src/update/source-set.ts'
import type { UpdateRequest } from '../../src/update/updater.ts'
import type { UpdateRunner } from './update-runner.ts'

export interface AlarmsApi {
  create(name: string, info: { when: number }): Promise<void> | void
  get(name: string): Promise<{ scheduledTime: number } | undefined>
  readonly onAlarm: { addListener(listener: (alarm: { name: string }) => void): void }
}

const NAME = 'update'

/** Runs the updater when its time has come, over the worker's deaths: at install, at start, and by one alarm. */
export class UpdateAlarm implements UpdateRunner {
  readonly #alarms: AlarmsApi
  readonly #sources: SourceSet
  readonly #clock: Clock
  readonly #random: Random
  readonly #logger: Logger

  constructor(options: {
    readonly alarms: AlarmsApi
    readonly sources: SourceSet
    readonly clock: Clock
    readonly random: Random
    readonly logger: Logger
  }) {
    this.#alarms = options.alarms
    this.#sources = options.sources
    this.#clock = options.clock
    this.#random = options.random
    this.#logger = options.logger
    this.#alarms.onAlarm.addListener((alarm) => {
      if (alarm.name === NAME) void this.run()
    })
  }

  /** Updates what the schedule allows, then sets the next alarm. Never rejects: what failed is in the sources' status. @param only one source */
  async run(options: UpdateRequest = {}, only?: string): Promise<void> {
    try {
      await this.#sources.update(options, only)
    } catch (error) {
      this.#logger.warn('update-failed', asWaryError(error))
    }
    await this.#schedule()
  }

  /** Makes sure that an alarm is set: browsers may drop them at an update of the extension. */
  async keep(): Promise<void> {
    const alarm = await this.#alarms.get(NAME)
    // One further ahead than any wait was set before the clock was set back.
    const sound = alarm !== undefined && alarm.scheduledTime - this.#clock.now() <= 1.2 * LONGEST_WAIT_MS
    if (!sound) await this.run()
  }

  async #schedule(): Promise<void> {
    const now = this.#clock.now()
    const next = this.#sources.statuses().map((status) => nextAlarm(status, now, this.#random))
    await this.#alarms.create(NAME, { when: Math.min(now + LONGEST_WAIT_MS, ...next) })
  }
}
