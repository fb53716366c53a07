import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../src/errors.ts'
import { WaryError } from '../../src/errors.ts'
import { highHalf, lowHalf } from '../../src/filter/ready-hash.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { type KeySet, singleKey } from '../../src/lists/key-set.ts'
import { type ListUpdate, updatedList } from '../../src/lists/list-update.ts'
import type { StoredList } from '../../src/ports.ts'
import { encodeBatch, encodeHashList } from '../../src/protocol/hash-list-message.ts'
import { BLANK_MEMORY } from '../../src/update/source.ts'
import type { UpdateProgress } from '../../src/update/update-status.ts'
import { Updater, type UpdaterOptions } from '../../src/update/updater.ts'
import { WarySource, type WarySourceOptions } from '../../src/update/wary-source.ts'
import { FakeClock, fixedRandom, MemoryListStore, MemoryRecordStore, RecordingLogger, T0 } from '../support/fakes.ts'
import { type Answer, announcing, endless, HttpServer, html, protobuf, silent, status, truncated } from '../support/http-server.ts'
import { DAY, fullUpdate, nothingNew, storedList, TestPublisher, verifyEd25519 } from '../support/signed-list.ts'

const MINUTE = 60_000
const publisher = new TestPublisher()
const stranger = new TestPublisher()

let server: HttpServer
let clock: FakeClock
let store: MemoryListStore
let record: MemoryRecordStore
let logger: RecordingLogger
let source: { readonly server: string; readonly keys: KeySet; readonly lists: readonly string[] } | undefined
let swaps: (readonly StoredList[])[]

beforeEach(async () => {
  server = await HttpServer.start(serving(fullUpdate(publisher, { expressions: ['evil.test/'], minimumWaitMs: 30 * MINUTE })))
  clock = new FakeClock()
  store = new MemoryListStore()
  record = new MemoryRecordStore()
  logger = new RecordingLogger()
  source = { server: server.origin, keys: singleKey(publisher.publicKey), lists: ['se-4b'] }
  swaps = []
})
afterEach(() => server.stop())

function serving(...updates: ListUpdate[]): Answer {
  return protobuf(encodeBatch(updates))
}

type Change = Partial<UpdaterOptions & Pick<WarySourceOptions, 'fetch' | 'pause' | 'timeoutMs' | 'idleTimeoutMs' | 'seed'>>

function updater(options: Change = {}): Updater {
  const common = { fetch, clock, logger, verify: verifyEd25519, timeoutMs: 2000, ...options }
  return new Updater({
    store,
    record,
    clock,
    random: fixedRandom(0.5),
    logger,
    source: () => source && new WarySource({ ...common, id: source.server, ...source, trust: { keys: source.keys } }),
    onSwap: (lists) => swaps.push(lists),
    ...options,
  })
}

function holds(lists: readonly StoredList[], expression: string): boolean {
  const hash = fullHash(expression)
  return lists.some(({ list, filter }) => list.has(hash) && filter.mightContainHash(highHalf(hash), lowHalf(hash, list.entryLength)))
}

describe('Updater', () => {
  it('downloads, verifies, stores and swaps in the first list', async () => {
    const first = updater()
    await first.ready
    expect(first.lists).toEqual([])
    expect(first.status()).toEqual({
      lastAttemptAt: undefined,
      lastSuccessAt: undefined,
      notBefore: undefined,
      failures: 0,
      lastError: undefined,
      progress: undefined,
      remarks: [],
    })
    expect(await first.update()).toBe('updated')
    expect(holds(first.lists, 'evil.test/')).toBe(true)
    expect(holds(first.lists, 'phishing.wary.test/')).toBe(true)
    expect(holds(first.lists, 'good.test/')).toBe(false)
    expect(first.lists).toMatchObject([{ updatedAt: T0, state: { sequence: 1 } }])
    expect(swaps).toEqual([first.lists])
    expect([...store.lists.values()]).toEqual(first.lists)
    expect(first.status()).toMatchObject({
      lastAttemptAt: T0,
      lastSuccessAt: T0,
      notBefore: T0 + 30 * MINUTE,
      failures: 0,
      lastError: undefined,
    })
    expect(logger.events()).toEqual(['update'])
  })

  it('asks for all lists in one request, with the versions held', async () => {
    source = { server: `${server.origin}/`, keys: singleKey(publisher.publicKey), lists: ['se-4b', 'mw-8b'] }
    server.answer = serving(
      fullUpdate(publisher, { name: 'mw-8b', sequence: 5 }),
      fullUpdate(publisher),
      fullUpdate(publisher, { name: 'pha-4b' }),
    )
    const both = updater()
    expect(await both.update()).toBe('updated')
    expect(both.lists.map(({ list }) => list.name)).toEqual(['se-4b', 'mw-8b'])
    await both.update()
    expect(server.seen.length).toBe(2)
    const query = new URL(server.seen[1]?.target ?? '', server.origin)
    expect(query.pathname).toBe('/v5/hashLists:batchGet')
    expect(query.searchParams.getAll('names')).toEqual(['se-4b', 'mw-8b'])
    expect(query.searchParams.getAll('version').map((text) => [...Buffer.from(text, 'base64')])).toEqual([
      [1, 1],
      [1, 5],
    ])
  })

  it('is not configured without a source or a list', async () => {
    const idle = updater()
    const keys = singleKey(publisher.publicKey)
    for (const none of [undefined, { server: server.origin, keys, lists: [] }]) {
      source = none
      expect(await idle.update()).toBe('not-configured')
    }
    expect(server.seen).toEqual([])
    expect(record.saved).toEqual([])
  })

  it('swaps in a newer list, built anew', async () => {
    const both = updater()
    await both.update()
    clock.advance(30 * MINUTE)
    server.answer = serving(fullUpdate(publisher, { expressions: ['worse.test/'], sequence: 2 }))
    expect(await both.update()).toBe('updated')
    expect(holds(both.lists, 'evil.test/')).toBe(false)
    expect(holds(both.lists, 'worse.test/')).toBe(true)
    expect(swaps.length).toBe(2)
  })

  it('takes a newer signed state of an unchanged list without building anew', async () => {
    const both = updater()
    await both.update()
    const [before] = both.lists
    clock.advance(DAY)
    server.answer = serving(nothingNew(publisher, { expressions: ['evil.test/'], issuedAt: T0 + DAY, expiresAt: T0 + 4 * DAY }))
    expect(await both.update()).toBe('unchanged')
    const [after] = both.lists
    expect(after?.list).toBe(before?.list)
    expect(after?.filter).toBe(before?.filter)
    expect(after?.state?.expiresAt).toBe(T0 + 4 * DAY)
    expect(after?.updatedAt).toBe(T0)
    expect([...store.lists.values()]).toEqual(both.lists)
    expect(swaps.length).toBe(2)
    expect(both.status()).toMatchObject({ lastSuccessAt: T0 + DAY, failures: 0 })
  })

  it('neither stores nor swaps when nothing at all is new', async () => {
    const both = updater()
    await both.update()
    clock.advance(DAY)
    for (const answer of [nothingNew(publisher, { expressions: ['evil.test/'] }), fullUpdate(publisher, { expressions: ['evil.test/'] })]) {
      server.answer = serving(answer)
      expect(await both.update()).toBe('unchanged')
    }
    expect([store.replaced, swaps.length]).toEqual([1, 1])
  })

  it('keeps the newer of two signed states of the same version', async () => {
    server.answer = serving(fullUpdate(publisher, { issuedAt: T0 + 1000 }))
    const both = updater()
    await both.update()
    server.answer = serving(nothingNew(publisher, { issuedAt: T0 }))
    expect(await both.update({ force: true })).toBe('unchanged')
    expect(both.lists[0]?.state?.issuedAt).toBe(T0 + 1000)
  })

  it('survives the worker', async () => {
    await updater().update()
    const next = updater()
    await next.ready
    expect(holds(next.lists, 'evil.test/')).toBe(true)
    expect(swaps.length).toBe(1)
    expect(await next.update({ force: true })).toBe('too-early')
    expect(next.status()).toMatchObject({ lastSuccessAt: T0, notBefore: T0 + 30 * MINUTE })
  })

  it('shows progress: bytes, verifying, building, storing', async () => {
    const body = encodeBatch([fullUpdate(publisher, { expressions: Array.from({ length: 80_000 }, (_, i) => `evil${i}.test/`) })])
    const seen: (UpdateProgress | undefined)[] = []
    const look = () => {
      seen.push(watched.status().progress)
    }
    let sent = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        look()
        if (sent === body.length) return controller.close()
        const chunk = body.slice(sent, sent + 50_000)
        sent += chunk.length
        controller.enqueue(chunk)
      },
    })
    const headers = { 'content-type': 'application/x-protobuf', 'content-length': String(body.length) }
    const watched = updater({
      fetch: async () => new Response(stream, { headers }),
      pause: async () => look(),
      store: Object.assign(new MemoryListStore(), { replace: async () => look() }),
    })
    expect(await watched.update()).toBe('updated')
    const phases = seen.flatMap((progress) => progress?.phase ?? [])
    expect([...new Set(phases)]).toEqual(['downloading', 'verifying', 'building', 'storing'])
    expect(seen).toContainEqual({ phase: 'downloading', receivedBytes: 50_000, totalBytes: body.length })
    expect(watched.status().progress).toBeUndefined()
  })

  it('joins an update that runs', async () => {
    const one = updater()
    const outcomes = await Promise.all([one.update(), one.update({ force: true }), one.update()])
    expect(outcomes).toEqual(['updated', 'updated', 'updated'])
    expect(server.seen.length).toBe(1)
  })

  it('removes lists that are no longer wanted', async () => {
    source = { server: server.origin, keys: singleKey(publisher.publicKey), lists: ['se-4b', 'mw-4b'] }
    server.answer = serving(fullUpdate(publisher), fullUpdate(publisher, { name: 'mw-4b' }))
    const shrinking = updater()
    await shrinking.update()
    source = { ...source, lists: ['se-4b'] }
    await shrinking.update()
    expect(shrinking.lists.map(({ list }) => list.name)).toEqual(['se-4b'])
    expect([...store.lists.keys()]).toEqual(['se-4b'])
    expect(swaps.at(-1)).toEqual(shrinking.lists)
  })
})

describe('Updater and lists that came with the extension', () => {
  const seeded = (plan: Parameters<typeof fullUpdate>[1]) =>
    updater({ seed: async (name) => (name === 'se-4b' ? encodeHashList(fullUpdate(publisher, plan)) : undefined) })

  it('protects by them before the first update, and counts it as none', async () => {
    const first = seeded({ expressions: ['old.test/'] })
    await first.ready
    expect(holds(first.lists, 'old.test/')).toBe(true)
    expect(first.status()).toMatchObject({ lastSuccessAt: undefined, failures: 0, progress: undefined })
    expect([...store.lists.values()]).toEqual(first.lists)
    server.answer = serving(fullUpdate(publisher, { expressions: ['evil.test/'], sequence: 2 }))
    expect(await first.update()).toBe('updated')
    expect(holds(first.lists, 'old.test/')).toBe(false)
  })

  it('takes one that has expired, as stale, and none that somebody else signed', async () => {
    const stale = seeded({ expiresAt: T0 - 1000, issuedAt: T0 - DAY })
    await stale.ready
    expect(stale.lists[0]?.state?.expiresAt).toBe(T0 - 1000)
    store = new MemoryListStore()
    record = new MemoryRecordStore()
    const foreign = updater({ seed: async () => encodeHashList(fullUpdate(stranger)) })
    await foreign.ready
    expect(foreign.lists).toEqual([])
    expect(logger.lines.at(-1)).toMatchObject({ event: 'bundled-list-refused', error: { code: 'state-key-unknown' } })
  })

  it('never puts an older one in place of a newer one, not even of one that was lost', async () => {
    server.answer = serving(fullUpdate(publisher, { expressions: ['evil.test/'], sequence: 5 }))
    await updater().update()
    const held = seeded({ expressions: ['old.test/'], sequence: 4 })
    await held.ready
    expect(held.lists[0]?.state?.sequence).toBe(5)
    store.lists.clear()
    const lost = seeded({ expressions: ['old.test/'], sequence: 4 })
    await lost.ready
    expect(lost.lists).toEqual([])
    expect(lost.damage?.code).toBe('storage-evicted')
    expect(logger.lines.at(-1)).toMatchObject({ event: 'bundled-list-refused', error: { code: 'state-rollback' } })
  })
})

describe('Updater and what must not happen', () => {
  it('refuses an older list even after the database is gone', async () => {
    server.answer = serving(fullUpdate(publisher, { sequence: 5 }))
    await updater().update()
    store.lists.clear()
    server.answer = serving(fullUpdate(publisher, { sequence: 4 }))
    const robbed = updater()
    await robbed.ready
    expect(robbed.damage?.code).toBe('storage-evicted')
    expect(await robbed.update()).toBe('failed')
    expect(robbed.status().lastError?.code).toBe('state-rollback')
  })

  it('runs in one context alone, and not at all without a network, which counts as no attempt', async () => {
    expect(await updater({ exclusive: async () => undefined }).update()).toBe('elsewhere')
    expect(await updater({ network: () => 'offline' }).update()).toBe('offline')
    expect(record.saved).toEqual([])
    expect(server.seen).toEqual([])
  })

  it('where data is to be saved, updates every six hours while its lists are fresh, and whenever somebody asks', async () => {
    const HOUR = 60 * MINUTE
    server.answer = serving(fullUpdate(publisher, { expressions: ['evil.test/'], expiresAt: T0 + 20 * HOUR }))
    const saving = updater({ network: () => 'metered' })
    // No list yet: it is fetched all the same.
    expect(await saving.update()).toBe('updated')
    server.answer = serving(nothingNew(publisher, { expressions: ['evil.test/'], expiresAt: T0 + 20 * HOUR }))
    clock.advance(6 * HOUR - 1)
    expect(await saving.update()).toBe('too-early')
    expect(await saving.update({ force: true })).toBe('unchanged')
    clock.advance(6 * HOUR - 1)
    expect(await saving.update()).toBe('too-early')
    expect(await saving.update({ urgent: true })).toBe('unchanged')
    clock.advance(2.5 * HOUR)
    // Less than six hours before the expiry.
    expect(await saving.update()).toBe('unchanged')
  })
})

describe('Updater and bad answers', () => {
  const good = () => fullUpdate(publisher, { expressions: ['evil.test/', 'worse.test/'], sequence: 2 })
  const withEntry = (update: ListUpdate): ListUpdate => {
    const entries = update.additions?.entries.slice() ?? new Uint8Array(0)
    // The first entry one lower: the order holds.
    const view = new DataView(entries.buffer)
    view.setUint32(0, view.getUint32(0) - 1)
    return { ...update, additions: { entryLength: 4, entries } }
  }
  const signedBy = (other: TestPublisher): ListUpdate => {
    const update = good()
    return { ...update, signed: fullUpdate(other, { expressions: ['evil.test/', 'worse.test/'], sequence: 2 }).signed }
  }
  const forged = (): ListUpdate => {
    const update = good()
    const signatures =
      update.signed?.signatures.map(({ keyId, signature }) => ({ keyId, signature: signature.map((byte) => byte ^ 1) })) ?? []
    return { ...update, signed: { statement: update.signed?.statement ?? new Uint8Array(0), signatures } }
  }

  const checksummed = (update: ListUpdate): ListUpdate => ({ ...update, checksum: updatedList(undefined, update).checksum() })

  const cases: [string, ErrorCode, () => Answer][] = [
    ['tampered list', 'list-checksum', () => serving(withEntry(good()))],
    ['tampered list without checksum', 'list-checksum', () => serving({ ...withEntry(good()), checksum: new Uint8Array(0) })],
    ['tampered list with a checksum of its own', 'state-mismatch', () => serving(checksummed(withEntry(good())))],
    ['wrong key', 'state-key-unknown', () => serving(signedBy(stranger))],
    ['forged signature', 'state-signature', () => serving(forged())],
    ['no signed state', 'state-missing', () => serving({ ...good(), signed: undefined })],
    ["another list's state", 'state-mismatch', () => serving({ ...good(), signed: fullUpdate(publisher, { sequence: 2 }).signed })],
    ['older sequence', 'state-rollback', () => serving(fullUpdate(publisher, { epoch: 1, sequence: 0 }))],
    ['older epoch', 'state-rollback', () => serving(fullUpdate(publisher, { epoch: 0, sequence: 9 }))],
    ['same sequence, other entries', 'state-rollback', () => serving(fullUpdate(publisher, { expressions: ['worse.test/'], sequence: 1 }))],
    ['expired state', 'state-expired', () => serving(fullUpdate(publisher, { sequence: 2, expiresAt: T0 + 60 * MINUTE }))],
    [
      'no test entries',
      'list-self-test',
      () => serving(fullUpdate(publisher, { expressions: ['a.test/'], sequence: 2, testEntries: false })),
    ],
    ['another list', 'list-missing', () => serving(fullUpdate(publisher, { name: 'mw-4b', sequence: 2 }))],
    ['an empty batch', 'list-missing', () => protobuf(new Uint8Array(0))],
    ['the list twice', 'list-format', () => serving(good(), good())],
    ['noise', 'list-format', () => protobuf(new Uint8Array(500).fill(0xfe))],
    ['truncated body', 'http-truncated', () => truncated(encodeBatch([good()]), 60)],
    ['500', 'http-status', () => status(500, { error: { code: 500, message: 'out of order', status: 'INTERNAL' } })],
    ['HTML instead of protobuf', 'http-type', () => html()],
    ['Content-Length of 2 GB', 'http-too-large', () => announcing(2 * 1024 ** 3)],
    ['a body without end', 'http-too-large', () => endless(8 * 1024 * 1024)],
    ['silence', 'http-timeout', () => silent()],
  ]

  it.each(cases)('%s: %s, the old list stays, the next try backs off', async (_, code, answer) => {
    const careful = updater({ idleTimeoutMs: 300 })
    expect(await careful.update()).toBe('updated')
    const before = careful.lists
    const stored = [...store.lists.values()]
    clock.advance(60 * MINUTE)
    server.answer = answer()
    expect(await careful.update()).toBe('failed')
    expect(careful.lists).toBe(before)
    expect([...store.lists.values()]).toEqual(stored)
    expect(swaps.length).toBe(1)
    const now = T0 + 60 * MINUTE
    expect(careful.status()).toMatchObject({
      lastAttemptAt: now,
      lastSuccessAt: T0,
      failures: 1,
      notBefore: now + 22.5 * MINUTE,
      lastError: { code },
      progress: undefined,
    })
    expect(logger.lines.at(-1)).toMatchObject({ event: 'update-failed', error: { code } })
    // The next try waits, a person's does not.
    const requests = server.seen.length
    expect(await careful.update()).toBe('too-early')
    expect(server.seen.length).toBe(requests)
    expect(await careful.update({ force: true })).toBe('failed')
    expect(careful.status()).toMatchObject({ failures: 2, notBefore: now + 45 * MINUTE })
    clock.advance(45 * MINUTE)
    server.answer = serving(good())
    expect(await careful.update()).toBe('updated')
    expect(careful.status()).toMatchObject({ failures: 0, lastError: undefined })
    expect(holds(careful.lists, 'worse.test/')).toBe(true)
  })

  it('names a body that is shorter than announced and cannot be read', async () => {
    const body = encodeBatch([good()])
    const headers = { 'content-type': 'application/x-protobuf', 'content-length': String(body.length) }
    const cut = updater({ fetch: async () => new Response(body.slice(0, 60), { headers }) })
    expect(await cut.update()).toBe('failed')
    expect(cut.status().lastError?.code).toBe('http-truncated')
  })

  it('says the status and the message of the server', async () => {
    server.answer = status(429, { error: { code: 429, message: 'quota used up', status: 'RESOURCE_EXHAUSTED' } })
    const refused = updater()
    await refused.update()
    expect(refused.status().lastError).toEqual({ code: 'http-status', message: 'the server answered 429: quota used up' })
  })

  it('names a server that is down', async () => {
    await server.stop()
    const alone = updater()
    expect(await alone.update()).toBe('failed')
    expect(alone.status().lastError?.code).toBe('http-network')
  })

  it('refuses an entry length that the name denies', async () => {
    const update = fullUpdate(publisher, { name: 'se-8b' })
    server.answer = serving({ ...update, name: 'se-4b' })
    const strict = updater()
    await strict.update()
    expect(strict.status().lastError?.code).toBe('list-format')
  })

  it('refuses a list of a kind that it does not know', async () => {
    source = { server: server.origin, keys: singleKey(publisher.publicKey), lists: ['gc-4b'] }
    server.answer = serving({ ...fullUpdate(publisher), name: 'gc-4b' })
    const strict = updater()
    await strict.update()
    expect(strict.status().lastError?.code).toBe('list-format')
  })

  it('swaps none of the lists when one of them is bad', async () => {
    source = { server: server.origin, keys: singleKey(publisher.publicKey), lists: ['se-4b', 'mw-4b'] }
    server.answer = serving(fullUpdate(publisher), fullUpdate(stranger, { name: 'mw-4b' }))
    const strict = updater()
    expect(await strict.update()).toBe('failed')
    expect([strict.lists, store.lists.size, swaps]).toEqual([[], 0, []])
  })

  it('asks for a full update at once when a partial one does not fit', async () => {
    const both = updater()
    await both.update()
    clock.advance(30 * MINUTE)
    const full = fullUpdate(publisher, { expressions: ['worse.test/'], sequence: 2 })
    const bad: ListUpdate = { ...full, partial: true, additions: undefined, removals: new Uint32Array([0]) }
    server.answer = (request, response) => {
      const versions = new URL(request.url ?? '', server.origin).searchParams.getAll('version').filter((text) => text !== '')
      serving(versions.length > 0 ? bad : full)(request, response)
    }
    expect(await both.update()).toBe('updated')
    expect(server.seen.length).toBe(3)
    expect(holds(both.lists, 'worse.test/')).toBe(true)
    expect(logger.events()).toEqual(['update', 'update-again', 'update'])
  })

  it('applies a partial update', async () => {
    const both = updater()
    await both.update()
    const full = fullUpdate(publisher, { expressions: ['evil.test/', 'worse.test/'], sequence: 2 })
    const addition = fullHash('worse.test/').slice(0, 4)
    server.answer = serving({ ...full, partial: true, additions: { entryLength: 4, entries: addition } })
    clock.advance(30 * MINUTE)
    expect(await both.update()).toBe('updated')
    expect(both.lists[0]?.list).toMatchObject({ entries: full.additions?.entries })
  })
})

describe('Updater and its waits', () => {
  it('obeys the minimum wait even when forced, and says until when', async () => {
    const patient = updater()
    await patient.update()
    clock.advance(30 * MINUTE - 1)
    expect(await patient.update({ force: true })).toBe('too-early')
    expect(patient.status().notBefore).toBe(T0 + 30 * MINUTE)
    expect(server.seen.length).toBe(1)
    clock.advance(1)
    await patient.update()
    expect(server.seen.length).toBe(2)
  })

  it('does not wait for a list that is wanted and not held', async () => {
    const growing = updater()
    await growing.update()
    source = { server: server.origin, keys: singleKey(publisher.publicKey), lists: ['se-4b', 'mw-4b'] }
    server.answer = serving(fullUpdate(publisher, { expressions: ['evil.test/'] }), fullUpdate(publisher, { name: 'mw-4b' }))
    expect(await growing.update()).toBe('updated')
  })

  it('records the attempt before the request, as interrupted', async () => {
    let during: unknown
    const watched = updater({
      fetch: (url, init) => {
        during = record.record
        return fetch(url, init)
      },
    })
    await watched.update()
    expect(during).toMatchObject({ lastAttemptAt: T0, failures: 1, notBefore: T0 + MINUTE, lastError: { code: 'internal' } })
  })

  it('waits after a worker that died during an attempt', async () => {
    void updater({ fetch: () => new Promise(() => undefined) }).update()
    while (record.saved.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    const next = updater()
    expect(await next.update()).toBe('too-early')
    clock.advance(MINUTE)
    expect(await next.update()).toBe('updated')
  })

  it('works with a record that can be neither read nor written', async () => {
    record.fail = new Error('no room')
    const blind = updater()
    expect(await blind.update()).toBe('updated')
    expect(logger.events()).toContain('update-record-load')
    expect(logger.events()).toContain('update-record-save')
  })
})

describe('Updater and its store', () => {
  it('says why stored lists cannot be read, and replaces them at once', async () => {
    store.failLoad = new WaryError('storage-damaged', 'page 3 of se-4b is missing')
    record.record = {
      source: undefined,
      memory: BLANK_MEMORY,
      remarks: [],
      lastAttemptAt: T0,
      lastSuccessAt: T0,
      notBefore: T0 + 30 * MINUTE,
      failures: 0,
      lastError: undefined,
    }
    const damaged = updater()
    await damaged.ready
    expect(damaged.damage?.code).toBe('storage-damaged')
    expect(damaged.lists).toEqual([])
    expect(await damaged.update()).toBe('updated')
    expect(damaged.damage).toBeUndefined()
  })

  it.each([
    [new WaryError('storage-quota', 'no room for 2 MB'), 'storage-quota'],
    [new Error('gone'), 'storage-failed'],
  ] as const)('names a store that fails', async (error, code) => {
    store.failReplace = error
    const full = updater()
    expect(await full.update()).toBe('failed')
    expect(full.status().lastError?.code).toBe(code)
    expect([full.lists, swaps]).toEqual([[], []])
  })

  it('has in force what the store has, when it fails between two lists', async () => {
    source = { server: server.origin, keys: singleKey(publisher.publicKey), lists: ['se-4b', 'mw-4b'] }
    server.answer = serving(fullUpdate(publisher), fullUpdate(publisher, { name: 'mw-4b' }))
    const half = updater({
      store: Object.assign(new MemoryListStore(), {
        replace: async ({ list }: StoredList) => {
          if (list.name === 'mw-4b') throw new WaryError('storage-quota', 'no room')
        },
      }),
    })
    expect(await half.update()).toBe('failed')
    expect(half.lists.map(({ list }) => list.name)).toEqual(['se-4b'])
    expect(swaps).toEqual([half.lists])
  })
})

describe('Updater and a change of source', () => {
  it('forgets the lists of another server, also across a restart', async () => {
    await updater().update()
    const other = await HttpServer.start(serving(fullUpdate(stranger, { expressions: ['other.test/'], sequence: 0 })))
    source = { server: other.origin, keys: singleKey(stranger.publicKey), lists: ['se-4b'] }
    const next = updater()
    await next.ready
    expect([next.lists, store.lists.size, swaps.at(-1)]).toEqual([[], 0, []])
    expect(await next.update()).toBe('updated')
    expect(new URL(other.seen[0]?.target ?? '', other.origin).searchParams.getAll('version').join('')).toBe('')
    expect(holds(next.lists, 'other.test/')).toBe(true)
    await other.stop()
  })

  it('forgets them at the next update where nobody called reset', async () => {
    const same = updater()
    await same.update()
    source = { server: server.origin, keys: singleKey(stranger.publicKey), lists: ['se-4b'] }
    expect(await same.update()).toBe('failed')
    expect(same.status().lastError?.code).toBe('state-key-unknown')
    expect([same.lists, store.lists.size, swaps.at(-1)]).toEqual([[], 0, []])
  })

  it('keeps the old lists out of force when the store cannot remove them, and tries again', async () => {
    const same = updater()
    await same.update()
    source = { server: server.origin, keys: singleKey(stranger.publicKey), lists: ['se-4b'] }
    server.answer = serving(fullUpdate(stranger, { sequence: 0 }))
    store.failKeepOnly = new Error('locked')
    await expect(same.reset()).rejects.toThrow('locked')
    expect(same.lists).toEqual([])
    expect(await same.update({ force: true })).toBe('failed')
    store.failKeepOnly = undefined
    expect(await same.update({ force: true })).toBe('updated')
  })

  it('reset ends a running update and leaves nothing', async () => {
    store.lists.set('se-4b', storedList())
    server.answer = silent()
    const busy = updater()
    const going = busy.update()
    while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    const resetting = busy.reset()
    expect(await going).toBe('aborted')
    await resetting
    expect(busy.status()).toMatchObject({ lastAttemptAt: undefined, failures: 0, lastError: undefined, progress: undefined })
    expect([busy.lists, store.lists.size, swaps]).toEqual([[], 0, [[]]])
  })

  it('reset waits for an update that is being stored, and removes it too', async () => {
    let storing: (() => void) | undefined
    let replace: Promise<void> | undefined
    const slow = new (class extends MemoryListStore {
      override replace(stored: StoredList): Promise<void> {
        replace = new Promise<void>((resolve) => {
          storing = resolve
        }).then(() => super.replace(stored))
        return replace
      }
    })()
    const busy = updater({ store: slow })
    const going = busy.update()
    while (!storing) await new Promise((resolve) => setTimeout(resolve, 1))
    const resetting = busy.reset()
    setTimeout(storing, 20)
    expect(await going).toBe('updated')
    await resetting
    expect([busy.lists, slow.lists.size, swaps.at(-1)]).toEqual([[], 0, []])
    expect(record.record).toMatchObject({ lastSuccessAt: undefined, notBefore: undefined })
  })

  it('update waits for a reset', async () => {
    const slow = new (class extends MemoryListStore {
      override async keepOnly(names: readonly string[]): Promise<void> {
        if (names.length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
        await super.keepOnly(names)
      }
    })()
    const body = encodeBatch([fullUpdate(publisher)])
    const busy = updater({
      store: slow,
      fetch: async () => new Response(body.slice(), { headers: { 'content-type': 'application/x-protobuf' } }),
      pause: async () => undefined,
    })
    await busy.ready
    const resetting = busy.reset()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await busy.update()).toBe('updated')
    await resetting
    expect([...slow.lists.values()]).toEqual(busy.lists)
    expect(busy.lists.length).toBe(1)
  })

  it("ends by the caller's signal without counting a failure", async () => {
    server.answer = silent()
    const controller = new AbortController()
    const busy = updater()
    const going = busy.update({ signal: controller.signal })
    while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    controller.abort()
    expect(await going).toBe('aborted')
    expect(busy.status()).toMatchObject({ lastAttemptAt: T0, failures: 0, lastError: undefined })
    expect(record.record).toMatchObject({ failures: 0, lastError: undefined })
    expect(await busy.update({ signal: controller.signal })).toBe('aborted')
    server.answer = serving(fullUpdate(publisher))
    expect(await busy.update()).toBe('updated')
  })

  it.each([
    ['a new list', fullUpdate(publisher)],
    ['a new signed state', nothingNew(publisher, { expressions: ['evil.test/'], issuedAt: T0 + 1000 })],
  ])('aborts between download and swap of %s, and stores nothing', async (_, answer) => {
    if (answer.partial) store.lists.set('se-4b', storedList({ expressions: ['evil.test/'] }))
    server.answer = serving(answer)
    const controller = new AbortController()
    let pauses = 0
    const slow = updater({
      pause: async () => {
        if (++pauses === 2) controller.abort()
      },
    })
    expect(await slow.update({ signal: controller.signal })).toBe('aborted')
    expect([store.replaced, swaps]).toEqual([0, []])
  })
})
