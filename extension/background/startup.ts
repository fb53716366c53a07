import type { FullHashCache } from '../../src/check/full-hash-cache.ts'
import { asWaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'
import type { SourceSet } from '../../src/update/source-set.ts'
import type { Settings } from '../settings/settings.ts'
import type { Badge } from './badge.ts'
import type { Hold } from './hold.ts'
import type { LinkChecks } from './link-checks.ts'
import type { NavigationGuard } from './navigation-guard.ts'
import type { PermissionWatch } from './permission-watch.ts'
import type { Protection } from './protection.ts'
import type { UpdateRunner } from './update-runner.ts'

export interface StartupOptions {
  readonly sources: SourceSet
  /** Takes the sources over from the settings. */
  readonly configure: () => Promise<void>
  readonly cache: FullHashCache
  readonly hold: Hold
  readonly guard: NavigationGuard
  readonly alarm: UpdateRunner
  readonly protection: Protection
  readonly badge: Badge
  readonly permission: PermissionWatch
  readonly logger: Logger
  /** Makes the secret that chooses decoys, where they are wanted and there is none yet. */
  readonly makeDecoyKey: () => Promise<void>
  readonly links: LinkChecks
  /** Opens the page that introduces a new installation. */
  readonly welcome: () => Promise<void>
}

/** What happens at which beginning: first run or new version, start of the browser, waking of the worker, change of lists or source. */
export class Startup {
  readonly #options: StartupOptions
  #hadLists = false

  constructor(options: StartupOptions) {
    this.#options = options
  }

  /** Every time that the worker starts: whatever else it was woken for goes on meanwhile. */
  wake(): Promise<void> {
    return this.#attempt('wake', async () => {
      const { guard, badge, protection, permission, alarm, sources, makeDecoyKey } = this.#options
      await Promise.all([guard.ready, permission.check()])
      this.#hadLists ||= sources.lists.length > 0
      badge.showProtection(protection.view())
      await alarm.keep()
      await makeDecoyKey()
    })
  }

  /** First run (`reason` is `install`), new version, or reloaded: lists are fetched unless they are recent. */
  installed(reason: string): Promise<void> {
    if (reason === 'install') void this.#attempt('welcome', this.#options.welcome)
    void this.#attempt('menu', () => this.#options.links.install())
    return this.#attempt('installed', async () => {
      await this.#options.guard.ready
      await this.#options.alarm.run()
    })
  }

  browserStarted(): Promise<void> {
    return this.#attempt('browser-started', async () => {
      await this.#options.guard.ready
      await this.#options.hold.sweep()
      await this.#options.alarm.run({ force: true })
    })
  }

  /** The updater swapped lists, or lost them. */
  listsChanged(): void {
    const { badge, protection, hold, sources } = this.#options
    badge.showProtection(protection.view())
    const first = !this.#hadLists && sources.lists.length > 0
    this.#hadLists = sources.lists.length > 0
    void this.#attempt('lists-changed', async () => {
      await hold.reconcile()
      // Pages that were open before the first list came have not been checked by anybody.
      if (first) await hold.sweep()
    })
  }

  /** Another server or key: what the former source said is forgotten. Another set of lists or sources: an update brings them. */
  settingsChanged(now: Settings, before: Settings): Promise<void> {
    return this.#attempt('settings-changed', async () => {
      const { configure, cache, alarm, badge, protection, sources, makeDecoyKey } = this.#options
      const former = sources.sources.map(({ id, identity }) => ({ id, identity }))
      await configure()
      for (const { id, identity } of former) {
        if (!sources.sources.some((source) => source.id === id && source.identity === identity)) cache.forget(id)
      }
      if (now.server !== before.server || now.rootKey !== before.rootKey) cache.forget(before.server)
      badge.showProtection(protection.view())
      await makeDecoyKey()
      await alarm.run({ force: true })
      // An update that ran already was for the lists of before.
      if (
        sources.sources.some(({ id, lists }) =>
          lists.some((name) => protection.lists.every((held) => held.source !== id || held.list.name !== name)),
        )
      )
        await alarm.run({ force: true })
    })
  }

  async #attempt(event: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.logger.warn(event, asWaryError(error))
    }
  }
}
