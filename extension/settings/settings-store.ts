import { asWaryError, WaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'
import type { SettingOrigin, Settings, SettingsSources } from './settings.ts'
import { DEFAULT_SETTINGS, parseSettings, type RawSettings } from './settings-schema.ts'

/** The part of `browser.storage` that settings need. `managed` rejects in Firefox where no policy is set. */
export interface SettingsAreas {
  readonly local: { get(key: string): Promise<Record<string, unknown>>; set(items: Record<string, unknown>): Promise<void> }
  readonly managed: { get(): Promise<Record<string, unknown>> }
  readonly onChanged: { addListener(listener: (changes: Record<string, unknown>, area: string) => void): void }
}

type Field = keyof SettingsSources
const FIELDS: readonly Field[] = ['server', 'rootKey', 'lists', 'decoys', 'firstRun', 'firstVisits', 'sources']

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The settings in force: policy over the person's own over the build's over the defaults, field by field.
 * `onChange` fires after `ready`, whenever the settings in force have become others, by whichever way.
 */
export class SettingsStore {
  readonly ready: Promise<void>
  readonly #areas: SettingsAreas
  readonly #logger: Logger
  readonly #build: Partial<Settings>
  readonly #onChange: (settings: Settings, former: Settings) => void
  #user: Partial<Settings> = {}
  /** What is stored and not understood, of a newer version or damaged: kept as it is, since it is the person's. */
  #foreign: RawSettings = {}
  #policy: Partial<Settings> = {}
  #settings: Settings = DEFAULT_SETTINGS

  constructor(options: {
    readonly areas: SettingsAreas
    readonly build: RawSettings
    readonly logger: Logger
    readonly onChange: (settings: Settings, former: Settings) => void
  }) {
    this.#areas = options.areas
    this.#logger = options.logger
    this.#onChange = options.onChange
    this.#build = this.#accept('build', Object.fromEntries(Object.entries(options.build).filter(([, value]) => value !== '')))
    this.#areas.onChanged.addListener((changes, area) => {
      // Saved by this worker, or by the one that Chrome has for private windows beside it.
      if (area === 'managed' || (area === 'local' && changes.settings !== undefined)) void this.#reload()
    })
    this.ready = this.#load()
  }

  get settings(): Settings {
    return this.#settings
  }

  get sources(): SettingsSources {
    const origin = (field: Field): SettingOrigin =>
      this.#policy[field] !== undefined
        ? 'policy'
        : this.#user[field] !== undefined
          ? 'user'
          : this.#build[field] !== undefined
            ? 'build'
            : 'default'
    return {
      server: origin('server'),
      rootKey: origin('rootKey'),
      lists: origin('lists'),
      decoys: origin('decoys'),
      firstRun: origin('firstRun'),
      firstVisits: origin('firstVisits'),
      sources: origin('sources'),
    }
  }

  /**
   * Takes what a person entered; fields that are not named stay. A field that equals what would hold without it is not kept, so that later builds can change it.
   * @throws {WaryError} `setting-invalid`, or `storage-failed`
   */
  async save(raw: RawSettings): Promise<void> {
    // A message may wake the worker: what holds now must be known before anything can differ from it.
    await this.ready
    const next = parseSettings(raw)
    const server = next.server ?? this.#settings.server
    const rootKey = next.rootKey ?? this.#settings.rootKey
    if (server !== '' && rootKey === '') {
      throw new WaryError('setting-invalid', 'enter the root key too: without it nobody can tell whether a list is genuine')
    }
    const below: Settings = { ...DEFAULT_SETTINGS, ...this.#build }
    const user: Partial<Settings> = {}
    for (const field of FIELDS) {
      // What is not named stays as it is.
      const value = raw[field] === undefined ? this.#user[field] : next[field]
      if (value !== undefined && JSON.stringify(value) !== JSON.stringify(below[field])) Object.assign(user, { [field]: value })
    }
    try {
      const foreign = Object.fromEntries(Object.entries(this.#foreign).filter(([field]) => raw[field] === undefined))
      await this.#areas.local.set({ settings: { ...foreign, version: 1, ...user } })
      this.#foreign = foreign
    } catch (error) {
      throw asWaryError(error, 'storage-failed')
    }
    this.#user = user
    this.#apply()
  }

  async #load(): Promise<void> {
    await this.#read()
    this.#settings = { ...DEFAULT_SETTINGS, ...this.#build, ...this.#user, ...this.#policy }
  }

  async #read(): Promise<void> {
    const [{ settings: stored }, managed] = await Promise.all([this.#areas.local.get('settings'), this.#managed()])
    this.#user = isRecord(stored) ? this.#accept('stored', stored) : {}
    const foreign = isRecord(stored) ? Object.entries(stored).filter(([field]) => field !== 'version' && !(field in this.#user)) : []
    this.#foreign = Object.fromEntries(foreign)
    this.#policy = this.#accept('policy', managed)
  }

  async #reload(): Promise<void> {
    await this.ready
    await this.#read()
    this.#apply()
  }

  async #managed(): Promise<Record<string, unknown>> {
    try {
      return await this.#areas.managed.get()
    } catch (error) {
      // Firefox rejects where no policy names the extension: that is "no policy", not a fault.
      this.#logger.info('no-policy', { cause: String(error) })
      return {}
    }
  }

  /** Settings from outside that do not hold are left out and named, so that one bad field does not take protection away. */
  #accept(origin: string, raw: RawSettings): Partial<Settings> {
    const kept: Partial<Settings> = {}
    for (const field of FIELDS) {
      if (raw[field] === undefined) continue
      try {
        Object.assign(kept, parseSettings({ [field]: raw[field] }))
      } catch (error) {
        this.#logger.warn('setting-refused', asWaryError(error), { origin, field })
      }
    }
    return kept
  }

  #apply(): void {
    const former = this.#settings
    this.#settings = { ...DEFAULT_SETTINGS, ...this.#build, ...this.#user, ...this.#policy }
    if (JSON.stringify(former) !== JSON.stringify(this.#settings)) this.#onChange(this.#settings, former)
  }
}
