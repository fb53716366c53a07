import { describe, expect, it, vi } from 'vitest'
import { Allowances } from '../../extension/background/allowances.ts'
import { Badge } from '../../extension/background/badge.ts'
import { ColdTraffic } from '../../extension/background/cold-traffic.ts'
import { NavigationGuard } from '../../extension/background/navigation-guard.ts'
import { PendingNavigations } from '../../extension/background/pending-navigations.ts'
import { Protection } from '../../extension/background/protection.ts'
import { TabVerdicts } from '../../extension/background/tab-verdicts.ts'
import { VisitedSites } from '../../extension/background/visited-sites.ts'
import { CheckCounters } from '../../src/check/check-counters.ts'
import { FullHashCache } from '../../src/check/full-hash-cache.ts'
import { type ListsInForce, UrlChecker } from '../../src/check/url-checker.ts'
import { WaryError } from '../../src/errors.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import type { HashPrefix } from '../../src/hash/hash-prefix.ts'
import type { CachedAnswer } from '../../src/ports.ts'
import { FakeClock, MemoryAnswerStore, RecordingLogger, T0 } from '../support/fakes.ts'
import { storedList } from '../support/signed-list.ts'

const listed = { tabId: 1, url: 'http://bad.test/', incognito: false }
const safe = { tabId: 1, url: 'http://good.test/', incognito: false }

async function make(
  search: (source: string, prefix: HashPrefix) => Promise<CachedAnswer>,
  lists = [storedList({ expressions: ['bad.test/'], testEntries: false })],
) {
  const clock = new FakeClock()
  const logger = new RecordingLogger()
  const counters = new CheckCounters()
  const store = new MemoryAnswerStore()
  const kept: Record<string, unknown> = {}
  const area = {
    get: async (key: string) => ({ [key]: kept[key] }),
    set: async (items: Record<string, unknown>) => void Object.assign(kept, structuredClone(items)),
  }
  const protection = new Protection({
    holder: { lists, damage: undefined, gap: false, clockSkewMs: undefined },
    clock,
    configured: () => true,
    onObstacle: () => undefined,
  })
  const cache = new FullHashCache({ store, clock, counters, logger })
  const marks: string[] = []
  const action = {
    setBadgeText: async ({ text, tabId }: { text: string | null; tabId?: number }) => void marks.push(`${tabId} ${text}`),
    setBadgeBackgroundColor: async () => undefined,
    setTitle: async () => undefined,
  }
  let id = 0
  /** `start`: of a worker that has not loaded its lists yet. */
  const worker = async (start?: { listsLoaded: Promise<unknown>; cold: (url: string) => Promise<ListsInForce | undefined> }) => {
    const allowances = new Allowances({ clock })
    const checker = new UrlChecker({
      lists: () => protection.inForce(),
      allowances,
      cache,
      search: { search },
      clock,
      counters,
      onContradiction: () => undefined,
    })
    const guard = new NavigationGuard({
      checker,
      protection,
      pending: new PendingNavigations({ area, logger }),
      verdicts: new TabVerdicts({ area, logger }),
      allowances,
      badge: new Badge({ action, message: (key) => key, logger }),
      visited: new VisitedSites({
        area: { ...area, remove: async () => undefined },
        wanted: () => false,
        randomBytes: (length) => new Uint8Array(length),
        logger,
      }),
      clock,
      logger,
      createId: () => `id${++id}`,
      basics: Promise.resolve(),
      listsLoaded: start?.listsLoaded ?? Promise.resolve(),
      cold: start?.cold ?? (async () => undefined),
      traffic: new ColdTraffic({ pause: async () => undefined }),
    })
    if (start === undefined) await guard.ready
    return guard
  }
  return { guard: await worker(), store, worker, clock, logger, kept, marks, protection }
}

const confirmed = async (source: string, prefix: HashPrefix): Promise<CachedAnswer> => ({
  source,
  prefix,
  expiresAt: T0 + 300_000,
  fullHashes: [{ hash: fullHash('bad.test/'), threatTypes: ['SOCIAL_ENGINEERING'] }],
})
const other = new Uint8Array(32).fill(1)
const cleared = async (source: string, prefix: HashPrefix): Promise<CachedAnswer> => ({
  source,
  prefix,
  expiresAt: 0,
  fullHashes: [{ hash: other, threatTypes: ['MALWARE'] }],
})

describe('NavigationGuard', () => {
  it('holds nothing back for a page on no list', async () => {
    const { guard } = await make(confirmed)
    expect(guard.loaded).toBe(true)
    const answer = guard.local(safe)
    expect(answer).toMatchObject({ kind: 'verdict', verdict: { kind: 'safe' } })
    expect(answer.kind === 'verdict' && guard.warn(safe, answer.verdict)).toBeUndefined()
  })

  it('has a record for a confirmed threat, and tells who listens', async () => {
    const { guard, marks } = await make(confirmed)
    const threats: string[] = []
    guard.onThreat = (navigation, verdict) => threats.push(`${navigation.url} ${verdict.hits[0]?.expression}`)
    const answer = guard.local(listed)
    if (answer.kind !== 'ask') throw new Error('not asked')
    const record = guard.ask(listed, answer.pending)
    expect(record.phase).toBe('checking')
    expect(guard.view(record)).toBeUndefined()
    const final = await guard.outcome(record.id, 1)
    expect(final).toMatchObject({ phase: 'threat', url: listed.url })
    expect(threats).toEqual(['http://bad.test/ bad.test/'])
    expect(final && guard.view(final)).toMatchObject({ kind: 'threat', domain: 'bad.test', list: { name: 'se-4b', sequence: 1 } })
    await expect.poll(() => marks).toEqual(['1 !'])
  })

  it('names the registrable domain whatever the spelling', async () => {
    const { guard } = await make(confirmed)
    const spelled = { ...listed, url: 'http://www.BAD.test./' }
    const record = guard.warn(spelled, await guard.judge(spelled))
    expect(record && guard.view(record)).toMatchObject({ domain: 'bad.test', url: 'http://www.BAD.test./' })
  })

  it('gives the record of one tab to no other', async () => {
    const { guard } = await make(confirmed)
    const answer = guard.local(listed)
    if (answer.kind !== 'ask') throw new Error('not asked')
    const record = guard.ask(listed, answer.pending)
    expect(await guard.outcome(record.id, 2)).toBeUndefined()
    expect(guard.record(record.id, 2)).toBeUndefined()
  })

  it('lets a cleared page load once with the verdict that was reached, also when the answer must not be kept', async () => {
    const { guard } = await make(cleared)
    const answer = guard.local(listed)
    if (answer.kind !== 'ask') throw new Error('not asked')
    const record = guard.ask(listed, answer.pending)
    expect(await guard.outcome(record.id, 1)).toMatchObject({ phase: 'checking' })
    expect(guard.local(listed)).toMatchObject({ kind: 'verdict', verdict: { kind: 'safe', stage: 'search' } })
    expect(guard.local(listed).kind).toBe('ask')
  })

  it('releases no other page and no other tab', async () => {
    const { guard } = await make(cleared)
    const answer = guard.local(listed)
    if (answer.kind !== 'ask') throw new Error('not asked')
    await guard.outcome(guard.ask(listed, answer.pending).id, 1)
    expect(guard.local({ ...listed, tabId: 2 }).kind).toBe('ask')
    expect(guard.local({ ...listed, url: 'http://bad.test/other' }).kind).toBe('ask')
  })

  it('asks again for a checking page whose worker died', async () => {
    const { guard, worker, kept } = await make(confirmed)
    const record = guard.hold(listed)
    await expect.poll(() => JSON.stringify(kept)).toContain(record.id)
    const second = await worker()
    expect(await second.outcome(record.id, 1)).toMatchObject({ phase: 'threat' })
  })

  it('allows what a person chose once: this tab, until its page is there', async () => {
    const { guard } = await make(confirmed)
    const verdict = await guard.judge(listed)
    const record = guard.warn(listed, verdict)
    if (record === undefined) throw new Error('no record')
    guard.allowOnce(record)
    expect(guard.local(listed)).toMatchObject({ kind: 'verdict', verdict: { kind: 'safe', stage: 'allowance' } })
    expect(guard.local({ ...listed, tabId: 2 })).not.toMatchObject({ verdict: { kind: 'safe' } })
    guard.finished(1)
    expect(guard.local(listed)).toMatchObject({ kind: 'verdict', verdict: { kind: 'threat' } })
  })

  it('is unverified, not open, when the server fails', async () => {
    const { guard } = await make(() => Promise.reject(new WaryError('http-timeout', 'too slow')))
    const record = guard.warn(listed, await guard.judge(listed))
    expect(record).toMatchObject({ phase: 'unverified', reason: { kind: 'error', code: 'http-timeout' } })
    expect(record && guard.view(record)).toMatchObject({ kind: 'unverified', reason: 'http-timeout' })
  })

  it('says "unchecked", not "safe", when its own code fails', async () => {
    const broken = { ...storedList({ expressions: ['bad.test/'], testEntries: false }), filter: null as never }
    const { guard, logger } = await make(confirmed, [broken])
    expect(guard.local(safe)).toMatchObject({ kind: 'verdict', verdict: { kind: 'unchecked', reason: 'damaged' } })
    expect(logger.events()).toContain('check-failed')
  })

  it('keeps nothing of a private window in the store', async () => {
    const { guard, store } = await make(confirmed)
    await guard.judge({ ...listed, incognito: true })
    expect([...store.answers]).toEqual([])
  })

  describe('before its lists are loaded', () => {
    const lists = [storedList({ expressions: ['bad.test/'], testEntries: false })]
    const inForce: ListsInForce = { kind: 'lists', lists }

    it('answers by what was read for the URL', async () => {
      const { worker } = await make(confirmed, [])
      const guard = await worker({ listsLoaded: new Promise(() => undefined), cold: async () => inForce })
      await guard.prepare(safe.url)
      expect(guard.loaded).toBe(false)
      expect(guard.local(safe)).toMatchObject({ kind: 'verdict', verdict: { kind: 'safe', stage: 'filter' } })
      expect(await guard.judge(listed)).toMatchObject({ kind: 'threat', stage: 'search' })
    })

    it.each([
      ['what was read says nothing', async () => undefined],
      ['reading fails', () => Promise.reject(new WaryError('storage-damaged', 'a page is gone'))],
      ['reading takes for ever', () => new Promise<undefined>(() => undefined)],
    ])('waits for the lists where %s', async (_name, cold) => {
      const { worker } = await make(confirmed, lists)
      let loaded: (value?: unknown) => void = () => undefined
      const guard = await worker({ listsLoaded: new Promise((resolve) => (loaded = resolve)), cold })
      let verdict: unknown
      const judged = guard.judge(listed).then((answer) => {
        verdict = answer
      })
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(verdict).toBeUndefined()
      loaded()
      await judged
      expect(verdict).toMatchObject({ kind: 'threat' })
    })

    it('does not read lists for pages that are none of the web', async () => {
      const { worker } = await make(confirmed, [])
      const cold = vi.fn(async () => inForce)
      const guard = await worker({ listsLoaded: new Promise(() => undefined), cold })
      await guard.prepare('about:blank')
      expect(cold).not.toHaveBeenCalled()
    })

    it('goes by the lists in memory once they are there', async () => {
      const { worker } = await make(confirmed, lists)
      let loaded: (value?: unknown) => void = () => undefined
      const old: ListsInForce = { kind: 'lists', lists: [storedList({ expressions: ['good.test/'], testEntries: false })] }
      const guard = await worker({ listsLoaded: new Promise((resolve) => (loaded = resolve)), cold: async () => old })
      await guard.prepare(safe.url)
      expect(guard.local(safe)).toMatchObject({ kind: 'ask' })
      loaded()
      await guard.ready
      expect(guard.local(safe)).toMatchObject({ kind: 'verdict', verdict: { kind: 'safe' } })
    })
  })

  it('forgets a closed tab', async () => {
    const { guard } = await make(confirmed)
    const record = guard.warn(listed, await guard.judge(listed))
    guard.forgetTab(1)
    expect(record && guard.record(record.id, 1)).toBeUndefined()
  })
})
