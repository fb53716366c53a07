import { asWaryError, type WaryError } from '../errors.ts'
import type { Clock, Logger, Random } from '../ports.ts'
import { backoffMs, interruptionMs, notBeforeAfterSuccess } from './schedule.ts'
import { type Acquired, BLANK_MEMORY, type SourceMemory } from './source.ts'
import type { UpdateRecord } from './update-status.ts'

/** The record says of which source it is (its identity): waits, lists and memory of one server or key mean nothing for another. */
export interface SourceRecord extends UpdateRecord {
  readonly source: string | undefined
  readonly memory: SourceMemory
}

export interface UpdateRecordStore {
  /** Undefined before the first `save`. */
  load(): Promise<SourceRecord | undefined>
  save(record: SourceRecord): Promise<void>
}

export interface UpdateHistoryOptions {
  readonly record: UpdateRecordStore
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

const BLANK: UpdateRecord = {
  lastAttemptAt: undefined,
  lastSuccessAt: undefined,
  notBefore: undefined,
  failures: 0,
  lastError: undefined,
  remarks: [],
}

/** What became of the attempts so far, in memory and in its store. No method rejects: a record that cannot be saved costs a wait, no update. */
export class UpdateHistory {
  readonly #options: UpdateHistoryOptions
  #record: SourceRecord = { ...BLANK, source: undefined, memory: BLANK_MEMORY }

  constructor(options: UpdateHistoryOptions) {
    this.#options = options
  }

  get source(): string | undefined {
    return this.#record.source
  }

  get record(): UpdateRecord {
    const { source: _source, memory: _memory, ...record } = this.#record
    return record
  }

  get memory(): SourceMemory {
    return this.#record.memory
  }

  async load(): Promise<void> {
    try {
      this.#record = (await this.#options.record.load()) ?? this.#record
    } catch (error) {
      this.#options.logger.warn('update-record-load', asWaryError(error, 'storage-failed'))
    }
  }

  /** To be called before the request. Stored as a failure: if the worker dies during the attempt, the next one must know, and wait. */
  async began(source: string): Promise<void> {
    const now = this.#options.clock.now()
    const { failures } = this.#record
    this.#record = { ...this.#record, source, lastAttemptAt: now }
    await this.#save({
      ...this.#record,
      failures: failures + 1,
      notBefore: now + interruptionMs(failures),
      lastError: { code: 'internal', message: 'the update was interrupted before it ended' },
    })
  }

  /** To be called before lists are swapped in: what was in force once must be known even if everything else is lost. */
  async remember(source: string, memory: SourceMemory): Promise<void> {
    if (source === this.#record.source && JSON.stringify(memory) === JSON.stringify(this.#record.memory)) return
    this.#record = { ...this.#record, source, memory }
    await this.#save(this.#record)
  }

  async succeeded({
    minimumWaitsMs,
    remarks = [],
    clockSkewMs,
  }: Pick<Acquired, 'minimumWaitsMs' | 'remarks' | 'clockSkewMs'>): Promise<void> {
    const now = this.#options.clock.now()
    const notBefore = notBeforeAfterSuccess(now, minimumWaitsMs)
    this.#record = { ...this.#record, lastSuccessAt: now, notBefore, failures: 0, lastError: undefined, remarks, clockSkewMs }
    await this.#save(this.#record)
  }

  /** @param empty no list is held: the next attempt comes sooner */
  async failed(failure: WaryError, { empty }: { readonly empty: boolean }): Promise<void> {
    const { clock, random, logger } = this.#options
    const failures = this.#record.failures + 1
    const notBefore = clock.now() + backoffMs(failures, random, { empty })
    this.#record = { ...this.#record, failures, notBefore, lastError: { code: failure.code, message: failure.message } }
    logger.warn('update-failed', failure, { failures, notBefore })
    await this.#save(this.#record)
  }

  /** The attempt was called off: it counts neither way. */
  async aborted(): Promise<void> {
    await this.#save(this.#record)
  }

  /** A new beginning with `source`. */
  async cleared(source: string | undefined): Promise<void> {
    this.#record = { ...BLANK, source, memory: BLANK_MEMORY }
    await this.#save(this.#record)
  }

  async #save(record: SourceRecord): Promise<void> {
    try {
      await this.#options.record.save(record)
    } catch (error) {
      this.#options.logger.warn('update-record-save', asWaryError(error, 'storage-failed'))
    }
  }
}
