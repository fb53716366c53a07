import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CheckCounters } from '../../src/check/check-counters.ts'
import { FullHashCache } from '../../src/check/full-hash-cache.ts'
import { SearchClients } from '../../src/check/search-clients.ts'
import { type CheckContext, UrlChecker } from '../../src/check/url-checker.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { hashPrefix } from '../../src/hash/hash-prefix.ts'
import { singleKey } from '../../src/lists/key-set.ts'
import type { Fetch } from '../../src/ports.ts'
import { publish } from '../../src/publisher/publish.ts'
import { PublishedFolder } from '../../src/publisher/published-folder.ts'
import { createApp } from '../../src/server/app.ts'
import { PublishedStore } from '../../src/server/published-store.ts'
import { Updater } from '../../src/update/updater.ts'
import { WarySource } from '../../src/update/wary-source.ts'
import { FakeClock, fixedRandom, MemoryAnswerStore, MemoryListStore, MemoryRecordStore, RecordingLogger } from '../support/fakes.ts'
import { TestPublisher, verifyEd25519 } from '../support/signed-list.ts'

/** Publisher, server, updater and checker together, without a socket: what one part writes, the next one reads. */
const MINUTE = 60_000
const SERVER = 'https://lists.test'
const PAGE: CheckContext = { tabId: 1, frame: false, persist: true }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wary-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function world() {
  const clock = new FakeClock()
  const logger = new RecordingLogger()
  const counters = new CheckCounters()
  const { key } = new TestPublisher()
  const served = new PublishedStore({ folder: new PublishedFolder(folder), logger })
  const app = createApp({ store: served, clock, logger })
  const targets: string[] = []
  const fetch: Fetch = async (url, init) => {
    targets.push(url.slice(SERVER.length))
    return app.fetch(new Request(url, init))
  }
  const put = async (...expressions: string[]) => {
    const items = expressions.map((expression, i) => ({ entry: { expression, threatType: undefined, line: i + 1 } }))
    await publish({ dataFolder: folder, key, clock, lists: [{ stem: 'se', feeds: [{ name: 'test', items }] }] })
    served.reload()
  }
  const source = new WarySource({
    id: SERVER,
    server: SERVER,
    trust: { keys: singleKey(key.publicKey) },
    lists: ['se-4b'],
    fetch,
    clock,
    logger,
    verify: verifyEd25519,
  })
  const updater = new Updater({
    clock,
    logger,
    random: fixedRandom(),
    store: new MemoryListStore(),
    record: new MemoryRecordStore(),
    source: () => source,
    onSwap: () => undefined,
  })
  const contradictions: string[] = []
  const checker = new UrlChecker({
    lists: () => ({ kind: 'lists', lists: updater.lists }),
    allowances: { allows: () => false },
    cache: new FullHashCache({ store: new MemoryAnswerStore(), clock, counters, logger }),
    search: new SearchClients({ fetch, clock, counters, logger, endpoint: () => ({ server: SERVER }) }),
    clock,
    counters,
    onContradiction: (_source, list) => contradictions.push(list),
  })
  return { clock, put, updater, checker, targets, contradictions, counters }
}

it('catches what was published, and nothing else', async () => {
  const { put, updater, checker, targets, counters } = world()
  expect(await checker.check('https://evil.test/', PAGE)).toMatchObject({ kind: 'unchecked', reason: 'no-list' })
  await put('evil.test/', 'shared.test/evil/page.html')
  expect(await updater.update()).toBe('updated')
  targets.length = 0
  expect(await checker.check('https://www.evil.test/login?user=x', PAGE)).toMatchObject({ kind: 'threat', stage: 'search' })
  expect(await checker.check('https://evil.test/again', PAGE)).toMatchObject({ kind: 'threat', stage: 'cache' })
  expect(await checker.check('https://shared.test/evil/page.html', PAGE)).toMatchObject({ kind: 'threat' })
  expect(await checker.check('https://shared.test/', PAGE)).toMatchObject({ kind: 'safe', stage: 'filter' })
  expect(await checker.check('https://malware.wary.test/', PAGE)).toMatchObject({ kind: 'threat', hits: [{ threatType: 'MALWARE' }] })
  expect(await checker.check('https://safe.wary.test/listed/', PAGE)).toMatchObject({ kind: 'safe', stage: 'filter' })
  expect(targets.map((target) => target.replace(/=.*/, ''))).toEqual(Array(3).fill('/v5/hashes:search?hashPrefixes'))
  expect(new Set(targets.map((target) => target.length)).size).toBe(1)
  expect(counters.snapshot()).toMatchObject({ asked: 3, askedBytes: targets.join('').length })
})

it('follows the published list: new pages are caught, removed ones open', async () => {
  const { clock, put, updater, checker, contradictions } = world()
  await put('evil.test/', 'mistake.test/')
  await updater.update()
  await put('evil.test/', 'new.test/')
  expect(await checker.check('https://new.test/', PAGE)).toMatchObject({ kind: 'safe' })
  // The server no longer knows what the list in force still holds.
  expect(await checker.check('https://mistake.test/', PAGE)).toMatchObject({ kind: 'unverified', reason: { kind: 'contradiction' } })
  expect(contradictions).toEqual(['se-4b'])
  expect(await updater.update({ force: true })).toBe('too-early')
  clock.advance(5 * MINUTE)
  expect(await updater.update()).toBe('updated')
  expect(await checker.check('https://new.test/', PAGE)).toMatchObject({ kind: 'threat' })
  expect(await checker.check('https://mistake.test/', PAGE)).toMatchObject({ kind: 'safe', stage: 'filter' })
})

it('takes the same entries of a later publication for nothing new', async () => {
  const { clock, put, updater } = world()
  await put('evil.test/')
  await updater.update()
  const [before] = updater.lists
  clock.advance(5 * MINUTE)
  expect(await updater.update()).toBe('unchanged')
  expect(updater.lists[0]).toBe(before)
  await put('evil.test/')
  clock.advance(5 * MINUTE)
  expect(await updater.update()).toBe('unchanged')
  expect(updater.lists[0]?.filter).toBe(before?.filter)
  expect(updater.lists[0]?.state?.sequence).toBe(2)
})

it('names a server that has published nothing', async () => {
  const { updater } = world()
  expect(await updater.update()).toBe('failed')
  expect(updater.status().lastError).toEqual({ code: 'http-status', message: 'the server answered 503: nothing is published yet' })
})

it('says "stale" when the publisher falls silent', async () => {
  const { clock, put, updater, checker } = world()
  await put('evil.test/')
  await updater.update()
  const expiresAt = updater.lists[0]?.state?.expiresAt ?? 0
  clock.advance(expiresAt - clock.now())
  expect(await updater.update()).toBe('failed')
  expect(updater.status().lastError?.code).toBe('state-expired')
  expect(await checker.check('https://evil.test/', PAGE)).toMatchObject({ kind: 'threat', freshness: { kind: 'stale', since: expiresAt } })
})

it('lets a page open whose prefix alone is listed', async () => {
  const { put, updater, checker } = world()
  // Two hosts with equal first four bytes, by search over numbered names.
  const [listed, innocent] = COLLISION
  expect(hashPrefix(fullHash(listed))).toBe(hashPrefix(fullHash(innocent)))
  await put(listed)
  await updater.update()
  expect(await checker.check(`https://${listed}`, PAGE)).toMatchObject({ kind: 'threat' })
  expect(await checker.check(`https://${innocent}`, PAGE)).toMatchObject({ kind: 'safe', stage: 'cache' })
})
const COLLISION = ['site-52311.test/', 'site-52312.test/'] as const
