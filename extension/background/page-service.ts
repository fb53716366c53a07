import type { CheckCounters } from '../../src/check/check-counters.ts'
import { toHex } from '../../src/bytes.ts'
import { asWaryError, WaryError } from '../../src/errors.ts'
import { parseSubscribeLink } from '../../src/lists/subscribe-link.ts'
import type { Clock } from '../../src/ports.ts'
import type { SourceSet } from '../../src/update/source-set.ts'
import type { UpdateStatus } from '../../src/update/update-status.ts'
import type { SettingsView, Status } from '../messaging/messages.ts'
import { parseServer } from '../settings/setting-values.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { ConfiguredSource } from './configured-sources.ts'
import type { FrameBlocks } from './frame-blocks.ts'
import type { Hold } from './hold.ts'
import type { LinkChecks } from './link-checks.ts'
import type { Asker, Handlers } from './message-router.ts'
import type { NavigationGuard } from './navigation-guard.ts'
import type { PendingNavigation } from './pending-navigations.ts'
import type { Protection } from './protection.ts'
import type { TabVerdicts } from './tab-verdicts.ts'
import type { UpdateRunner } from './update-runner.ts'
import type { VisitedSites } from './visited-sites.ts'

export interface PageServiceOptions {
  readonly guard: NavigationGuard
  readonly hold: Hold
  readonly protection: Protection
  readonly verdicts: TabVerdicts
  readonly blocked: FrameBlocks
  readonly sources: SourceSet
  readonly configured: () => readonly ConfiguredSource[]
  readonly alarm: UpdateRunner
  readonly settings: SettingsStore
  readonly counters: CheckCounters
  readonly clock: Clock
  /** Names of the lists that a server offers. */
  readonly askServer: (server: string) => Promise<readonly string[]>
  readonly checkPermission: () => Promise<void>
  readonly links: LinkChecks
  readonly visited: VisitedSites
  /** Whether the browser lets the extension into private windows. */
  readonly allowedInPrivate: () => Promise<boolean>
}

/** Answers our own pages: one method for each message. */
export class PageService {
  readonly handlers: Handlers
  readonly #options: PageServiceOptions

  constructor(options: PageServiceOptions) {
    this.#options = options
    this.handlers = {
      'status:get': (request) => this.#status(request.tabId),
      'update:now': ({ source }) => this.#updateNow(source),
      'warning:get': async (_request, asker) => {
        const record = await this.#record(asker)
        return record && options.guard.view(record)
      },
      'warning:back': async (_request, { tabId }) => {
        if (tabId === undefined) throw new WaryError('message-rejected', 'the page is in no tab')
        await options.hold.back(tabId)
        return {}
      },
      'warning:proceed': (_request, asker) => this.#proceed(asker),
      'checking:wait': (_request, asker) => this.#wait(asker),
      'settings:get': async () => {
        await options.settings.ready
        return this.#settings()
      },
      'settings:save': async ({ settings }) => {
        try {
          await options.settings.save({ ...settings })
          return this.#settings()
        } catch (error) {
          const { code, message } = asWaryError(error)
          return { error: code, message }
        }
      },
      'settings:test': async ({ server }) => {
        try {
          return { ok: true, lists: await options.askServer(parseServer(server)) }
        } catch (error) {
          const { code, message } = asWaryError(error)
          return { ok: false, error: code, message }
        }
      },
      'source:preview': async ({ link }) => {
        try {
          const { server, fingerprint } = parseSubscribeLink(link)
          return { ok: true, server, fingerprint: toHex(fingerprint), lists: await options.askServer(server) }
        } catch (error) {
          const { code, message } = asWaryError(error)
          return { ok: false, error: code, message }
        }
      },
      'link:get': (_request, { recordId }) => options.links.outcome(recordId),
      'permission:changed': async () => {
        await options.checkPermission()
        return {}
      },
    }
  }

  async #status(tabId: number | undefined): Promise<Status> {
    const { guard, protection, verdicts, blocked, sources, configured, counters } = this.#options
    await Promise.all([guard.ready, blocked.ready])
    return {
      protection: protection.view(),
      tab: tabId === undefined ? undefined : verdicts.get(tabId),
      firstVisit: tabId === undefined ? undefined : this.#options.visited.firstVisitOf(tabId),
      frames: tabId === undefined ? undefined : blocked.get(tabId),
      sources: configured().flatMap(({ source: { id }, kind, address }) => {
        const update = sources.statusOf(id)
        return update === undefined ? [] : [{ id, kind, address, lists: protection.listViews(id), update }]
      }),
      update: sources.status(),
      counters: counters.snapshot(),
      privateWindows: await this.#options.allowedInPrivate(),
    }
  }

  /** @param source of this one alone */
  async #updateNow(source: string | undefined): Promise<{ started: boolean; notBefore?: number }> {
    const { guard, sources, alarm, clock } = this.#options
    await guard.ready
    const status = (): UpdateStatus[] => {
      const one = source === undefined ? undefined : sources.statusOf(source)
      return one === undefined ? [...sources.statuses()] : [one]
    }
    const before = status()
    const run = alarm.run({ force: true }, source)
    // A back-off after failures gives way to a person; the server's own minimum wait after a success does not.
    const waits = before.every(({ failures, notBefore }) => failures === 0 && notBefore !== undefined && clock.now() < notBefore)
    const notBefore = Math.min(...before.flatMap((each) => each.notBefore ?? []))
    if (!waits || before.length === 0) return { started: true }
    await run
    return status().every((each, i) => each.notBefore === before[i]?.notBefore) ? { started: false, notBefore } : { started: true }
  }

  async #record({ tabId, recordId }: Asker): Promise<PendingNavigation | undefined> {
    await this.#options.guard.ready
    return tabId === undefined || recordId === undefined ? undefined : this.#options.guard.record(recordId, tabId)
  }

  async #proceed(asker: Asker): Promise<{ target: string } | undefined> {
    const { guard, hold } = this.#options
    const record = await this.#record(asker)
    if (record === undefined || record.phase === 'checking') return undefined
    guard.allowOnce(record)
    await hold.release(record)
    return { target: record.url }
  }

  async #wait({ tabId, recordId }: Asker): Promise<{ next: 'warning' } | { next: 'leave'; target: string } | { next: 'none' }> {
    const { guard, hold } = this.#options
    if (tabId === undefined || recordId === undefined) return { next: 'none' }
    const record = await guard.outcome(recordId, tabId)
    if (record === undefined) return { next: 'none' }
    if (record.phase !== 'checking') return { next: 'warning' }
    await hold.release(record)
    return { next: 'leave', target: record.url }
  }

  #settings(): SettingsView {
    const { settings } = this.#options
    return { settings: settings.settings, sources: settings.sources }
  }
}
