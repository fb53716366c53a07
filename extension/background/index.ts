import { CheckCounters } from '../../src/check/check-counters.ts'
import { Decoys } from '../../src/check/decoys.ts'
import { FullHashCache } from '../../src/check/full-hash-cache.ts'
import { SearchClients } from '../../src/check/search-clients.ts'
import { UrlChecker } from '../../src/check/url-checker.ts'
import { asWaryError } from '../../src/errors.ts'
import { fetchListNames } from '../../src/update/list-names.ts'
import type { PartStore } from '../../src/protocol/part-store.ts'
import { SourceSet } from '../../src/update/source-set.ts'
import type { UpdateRecordStore } from '../../src/update/update-history.ts'
import { Updater } from '../../src/update/updater.ts'
import { takeSuffixRules } from '../../src/url/public-suffix.ts'
import { PAGE_PATHS } from '../messaging/messages.ts'
import { answerMessages, browser } from '../platform/browser.ts'
import { systemClock as clock, pause } from '../platform/clock.ts'
import { verifyEd25519 } from '../platform/ed25519.ts'
import { exclusively } from '../platform/exclusive.ts'
import { systemFetch as fetch } from '../platform/fetch.ts'
import { consoleLogger as logger } from '../platform/logger.ts'
import { networkState } from '../platform/network.ts'
import { inPrivateContext } from '../platform/private-context.ts'
import { systemRandom as random, randomBytes, uniqueId } from '../platform/random.ts'
import { bundledList } from '../platform/seed.ts'
import { readSuffixRules } from '../platform/suffix-rules.ts'
import { BUILD_SETTINGS, SEED_LISTS } from '../settings/build-settings.ts'
import { SettingsStore } from '../settings/settings-store.ts'
import { IndexedDbAnswerStore } from '../storage/answer-store.ts'
import { ColdLists } from '../storage/cold-lists.ts'
import { Database } from '../storage/database.ts'
import { DatabaseArea } from '../storage/database-area.ts'
import { IndexedDbListStore } from '../storage/list-store.ts'
import { IndexedDbPartStore } from '../storage/part-store.ts'
import { keepSources } from '../storage/source-cleanup.ts'
import { UnwrittenArea } from '../storage/unwritten-area.ts'
import { keepRecords, LocalUpdateRecordStore } from '../storage/update-record-store.ts'
import { Allowances } from './allowances.ts'
import { Badge } from './badge.ts'
import { blockedFramePage } from './blocked-frame-page.ts'
import { ColdCheck } from './cold-check.ts'
import { ColdTraffic } from './cold-traffic.ts'
import { type ConfiguredSource, configuredSources } from './configured-sources.ts'
import { createHold } from './create-hold.ts'
import { DecoyKey } from './decoy-key.ts'
import { FrameBlocks } from './frame-blocks.ts'
import { LinkChecks } from './link-checks.ts'
import { ListBorrower } from './list-borrower.ts'
import { ListLender } from './list-lender.ts'
import { MessageRouter, type Sender } from './message-router.ts'
import { NavigationGuard } from './navigation-guard.ts'
import { openWelcome } from './open-welcome.ts'
import { PageService } from './page-service.ts'
import { PendingNavigations } from './pending-navigations.ts'
import { PermissionWatch } from './permission-watch.ts'
import { Protection } from './protection.ts'
import { Startup } from './startup.ts'
import { TabVerdicts } from './tab-verdicts.ts'
import { UpdateAlarm } from './update-alarm.ts'
import { VisitedSites } from './visited-sites.ts'

// Without them every check fails, and says so; it must not wait for ever.
const suffixRules = readSuffixRules()
  .then(takeSuffixRules)
  .catch((error: unknown) => logger.warn('suffixes-unread', asWaryError(error)))
const database = new Database()
const traffic = new ColdTraffic({ pause })
/** What a private window may not write, it does not write; what it must remember ends with it. Firefox has no worker of its own for them. */
const areas = inPrivateContext
  ? { local: new UnwrittenArea(browser.storage.local), session: new DatabaseArea(database) }
  : { local: browser.storage.local, session: browser.storage.session }
const session = { area: areas.session, logger }
const badge = new Badge({ action: browser.action, message: (key) => browser.i18n.getMessage(key), logger })
const counters = new CheckCounters()

const settings = new SettingsStore({
  areas: browser.storage,
  build: BUILD_SETTINGS,
  logger,
  onChange: (now, before) => {
    void visited.load()
    void startup.settingsChanged(now, before)
  },
})

let configured: readonly ConfiguredSource[] = []
const configure = async (): Promise<void> => {
  const parts = (source: string): PartStore => new IndexedDbPartStore({ database, source })
  configured = configuredSources(settings.settings, {
    fetch,
    clock,
    logger,
    verify: verifyEd25519,
    parts,
    seed: (name) => bundledList(name, SEED_LISTS),
  })
  await borrower?.first()
  await sources.configure(configured.map(({ source }) => source))
}
const recordStore = (source: string): UpdateRecordStore => new LocalUpdateRecordStore({ area: areas.local, source })
const sources = new SourceSet({
  createUpdater: (id, source, onSwap) =>
    new Updater({
      clock,
      random,
      logger,
      network: networkState,
      store: new IndexedDbListStore({ database, source: id, logger, giveWay: () => traffic.clear() }),
      record: recordStore(id),
      exclusive: (work) => exclusively(`update ${id}`, work),
      source,
      onSwap,
    }),
  keepOnly: async (ids) => {
    await keepSources(database, ids)
    await keepRecords(areas.local, ids)
  },
  onSwap: () => {
    startup.listsChanged()
    void lender?.announce()
  },
  logger,
})
const protection = new Protection({
  holder: sources,
  clock,
  configured: () => configured.length > 0,
  onObstacle: () => badge.showProtection(protection.view()),
})
const cache = new FullHashCache({ store: new IndexedDbAnswerStore({ database }), clock, counters, logger })
const allowances = new Allowances({ clock })
const decoyKey = new DecoyKey({ area: areas.local, randomBytes, logger })
const makeDecoyKey = async (): Promise<void> => {
  await settings.ready
  if (settings.settings.decoys > 0) await decoyKey.get()
}
const decoys = (source: string): Decoys =>
  new Decoys({
    key: () => decoyKey.get(),
    count: () => settings.settings.decoys,
    lists: async () => {
      await guard.ready
      return sources.lists.filter((stored) => stored.source === source)
    },
  })
const checker = new UrlChecker({
  lists: () => protection.inForce(),
  allowances,
  cache,
  search: new SearchClients({
    fetch,
    clock,
    counters,
    logger,
    decoys,
    endpoint: (id) => configured.find(({ source }) => source.id === id)?.endpoint,
  }),
  clock,
  counters,
  onContradiction: (source) => void alarm.run({ urgent: true }, source),
})
const coldCheck = new ColdCheck({
  lists: new ColdLists({ database }),
  sources: () => configured.map(({ source }) => source),
  identityOf: async (id) => (await recordStore(id).load())?.source,
})
const verdicts = new TabVerdicts(session)
const visited = new VisitedSites({ area: areas.local, wanted: () => settings.settings.firstVisits, randomBytes, logger })
const guard = new NavigationGuard({
  checker,
  protection,
  pending: new PendingNavigations(session),
  verdicts,
  visited,
  allowances,
  badge,
  clock,
  logger,
  createId: uniqueId,
  basics: Promise.all([settings.ready.then(() => visited.load()), cache.load(), suffixRules]),
  listsLoaded: settings.ready.then(configure),
  cold: (url) => coldCheck.inForce(url),
  traffic,
})
const blocked = new FrameBlocks(session)
const framePage = (): string =>
  blockedFramePage({
    title: browser.i18n.getMessage('blockedFrameTitle'),
    text: browser.i18n.getMessage('blockedFrameText'),
    language: browser.i18n.getMessage('languageTag'),
    direction: browser.i18n.getMessage('@@bidi_dir') === 'rtl' ? 'rtl' : 'ltr',
  })
const hold = createHold({ guard, protection, blocked, framePage, logger, areas, incognito: inPrivateContext })
const lending = { storage: browser.storage, database, logger, createId: uniqueId }
const reload = async (): Promise<boolean> => {
  await sources.reload()
  return sources.damage === undefined
}
const borrower = inPrivateContext ? new ListBorrower({ ...lending, reload }) : undefined
const alarm = borrower ?? new UpdateAlarm({ alarms: browser.alarms, sources, clock, random, logger })
/** For the worker of Chrome's private windows. */
const lender =
  inPrivateContext || import.meta.env.WARY_TARGET === 'firefox'
    ? undefined
    : new ListLender({ ...lending, onUpdateWish: (request, source) => void alarm.run(request, source) })
const permission = new PermissionWatch({
  permissions: browser.permissions,
  protection,
  required: import.meta.env.WARY_TARGET === 'firefox',
  logger,
})
const links = new LinkChecks({
  menus: browser.contextMenus,
  title: () => browser.i18n.getMessage('checkLink'),
  judge: (url, incognito) => guard.judge({ tabId: browser.tabs.TAB_ID_NONE, url, incognito }),
  show: (search, incognito) =>
    browser.windows.create({ url: PAGE_PATHS.link + search, type: 'popup', width: 440, height: 340, ...(incognito ? { incognito } : {}) }),
  createId: uniqueId,
  logger,
})
const service = new PageService({
  links,
  visited,
  guard,
  hold,
  protection,
  verdicts,
  blocked,
  sources,
  configured: () => configured,
  alarm,
  settings,
  counters,
  clock,
  askServer: (address) => fetchListNames(address, fetch),
  checkPermission: () => permission.check(),
  allowedInPrivate: () => browser.extension.isAllowedIncognitoAccess(),
})
const router = new MessageRouter({
  extensionId: browser.runtime.id,
  origin: new URL(browser.runtime.getURL('')).origin,
  handlers: service.handlers,
  logger,
})
const welcome = (): Promise<void> =>
  openWelcome({
    settings,
    administered: async () => (await browser.management.getSelf()).installType === 'admin',
    open: () => browser.tabs.create({ url: PAGE_PATHS.welcome }),
  })
const startup = new Startup({
  links,
  sources,
  configure,
  cache,
  hold,
  guard,
  alarm,
  protection,
  badge,
  permission,
  logger,
  makeDecoyKey,
  welcome,
})

answerMessages((message: unknown, sender: Sender) => router.receive(message, sender))
browser.runtime.onInstalled.addListener(({ reason }) => void startup.installed(reason))
browser.runtime.onStartup.addListener(() => void startup.browserStarted())
browser.tabs.onRemoved.addListener((tabId) => {
  guard.forgetTab(tabId)
  hold.forgetTab(tabId)
})
// Signs that a person is about to open a page: any of them wakes the worker, which then makes itself ready. Nothing keeps it awake.
browser.tabs.onCreated.addListener(() => undefined)
browser.tabs.onActivated.addListener(() => undefined)
browser.windows.onFocusChanged.addListener(() => undefined)
void startup.wake()
