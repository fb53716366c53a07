import { fromHex } from '../../src/bytes.ts'
import { CheckCounters } from '../../src/check/check-counters.ts'
import { Decoys } from '../../src/check/decoys.ts'
import { FullHashCache } from '../../src/check/full-hash-cache.ts'
import { SearchClient } from '../../src/check/search-client.ts'
import { UrlChecker } from '../../src/check/url-checker.ts'
import { singleKey } from '../../src/lists/key-set.ts'
import { fetchListNames } from '../../src/update/list-names.ts'
import { Updater } from '../../src/update/updater.ts'
import { browser } from '../platform/browser.ts'
import { systemClock as clock } from '../platform/clock.ts'
import { verifyEd25519 } from '../platform/ed25519.ts'
import { systemFetch as fetch } from '../platform/fetch.ts'
import { consoleLogger as logger } from '../platform/logger.ts'
import { systemRandom as random, randomBytes, uniqueId } from '../platform/random.ts'
import { BUILD_SETTINGS } from '../settings/build-settings.ts'
import { SettingsStore } from '../settings/settings-store.ts'
import { IndexedDbAnswerStore } from '../storage/answer-store.ts'
import { Database } from '../storage/database.ts'
import { IndexedDbListStore } from '../storage/list-store.ts'
import { LocalUpdateRecordStore } from '../storage/update-record-store.ts'
import { Allowances } from './allowances.ts'
import { Badge } from './badge.ts'
import { createHold } from './create-hold.ts'
import { DecoyKey } from './decoy-key.ts'
import { MessageRouter, type Sender } from './message-router.ts'
import { NavigationGuard } from './navigation-guard.ts'
import { PageService } from './page-service.ts'
import { PendingNavigations } from './pending-navigations.ts'
import { PermissionWatch } from './permission-watch.ts'
import { Protection } from './protection.ts'
import { Startup } from './startup.ts'
import { TabVerdicts } from './tab-verdicts.ts'
import { UpdateAlarm } from './update-alarm.ts'

const session = { area: browser.storage.session, logger }
const database = new Database()
const badge = new Badge({ action: browser.action, message: (key) => browser.i18n.getMessage(key), logger })
const counters = new CheckCounters()

const settings = new SettingsStore({
  areas: browser.storage,
  build: BUILD_SETTINGS,
  logger,
  onChange: (now, before) => void startup.settingsChanged(now, before),
})
const server = (): string | undefined => settings.settings.server || undefined

const updater = new Updater({
  fetch,
  clock,
  random,
  logger,
  verify: verifyEd25519,
  store: new IndexedDbListStore({ database }),
  record: new LocalUpdateRecordStore({ area: browser.storage.local, after: settings.ready }),
  source: () => {
    const { server, rootKey, lists } = settings.settings
    return server === '' || rootKey === '' ? undefined : { server, keys: singleKey(fromHex(rootKey)), lists }
  },
  onSwap: () => startup.listsChanged(),
})
const protection = new Protection({ holder: updater, clock, source: server, onObstacle: () => badge.showProtection(protection.view()) })
const cache = new FullHashCache({ store: new IndexedDbAnswerStore({ database }), clock, counters, logger })
const allowances = new Allowances({ clock })
const decoyKey = new DecoyKey({ area: browser.storage.local, randomBytes, logger })
const makeDecoyKey = async (): Promise<void> => {
  await settings.ready
  if (settings.settings.decoys > 0) await decoyKey.get()
}
const decoys = new Decoys({
  key: () => decoyKey.get(),
  count: () => settings.settings.decoys,
  lists: () => updater.lists,
})
const checker = new UrlChecker({
  lists: () => protection.inForce(),
  allowances,
  cache,
  search: new SearchClient({ fetch, clock, server, counters, logger, decoys }),
  clock,
  counters,
  onContradiction: () => void alarm.run({ urgent: true }),
})
const verdicts = new TabVerdicts(session)
const guard = new NavigationGuard({
  checker,
  protection,
  pending: new PendingNavigations(session),
  verdicts,
  allowances,
  badge,
  clock,
  logger,
  createId: uniqueId,
  ready: Promise.all([updater.ready, cache.load()]).then(() => undefined),
})
const hold = createHold({ guard, protection, logger })
const alarm = new UpdateAlarm({ alarms: browser.alarms, updater, clock, random, logger })
const permission = new PermissionWatch({
  permissions: browser.permissions,
  protection,
  required: import.meta.env.WARY_TARGET === 'firefox',
  logger,
})
const service = new PageService({
  guard,
  hold,
  protection,
  verdicts,
  updater,
  alarm,
  settings,
  counters,
  clock,
  askServer: (address) => fetchListNames(address, fetch),
  checkPermission: () => permission.check(),
})
const router = new MessageRouter({
  extensionId: browser.runtime.id,
  origin: new URL(browser.runtime.getURL('')).origin,
  handlers: service.handlers,
  logger,
})
const startup = new Startup({ updater, cache, hold, guard, alarm, protection, badge, permission, logger, makeDecoyKey })

browser.runtime.onMessage.addListener((message: unknown, sender: Sender) => router.receive(message, sender))
browser.runtime.onInstalled.addListener(() => void startup.installed())
browser.runtime.onStartup.addListener(() => void startup.browserStarted())
browser.tabs.onRemoved.addListener((tabId) => {
  guard.forgetTab(tabId)
  hold.forgetTab(tabId)
})
void startup.wake()
