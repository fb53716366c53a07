import { describe, expect, it } from 'vitest'
import { singleKey } from '../../src/lists/key-set.ts'
import { encodeBatch } from '../../src/protocol/hash-list-message.ts'
import { clockSkew } from '../../src/update/clock-skew.ts'
import { Updater } from '../../src/update/updater.ts'
import { WarySource } from '../../src/update/wary-source.ts'
import { FakeClock, fixedRandom, MemoryListStore, MemoryRecordStore, RecordingLogger, T0 } from '../support/fakes.ts'
import { DAY, fullUpdate, type ListPlan, TestPublisher, verifyEd25519 } from '../support/signed-list.ts'

const HOUR = 60 * 60_000
const publisher = new TestPublisher()

describe('clockSkew', () => {
  const skew = (headers: Record<string, string>) => clockSkew(new Headers(headers), T0)
  const date = (at: number) => new Date(at).toUTCString()

  it('is what the server’s clock is ahead, with the time that the answer has lain in caches', () => {
    expect(skew({ date: date(T0 + 3 * DAY) })).toBe(3 * DAY)
    expect(skew({ date: date(T0 - 400 * DAY) })).toBe(-400 * DAY)
    expect(skew({ date: date(T0 - 90 * 60_000), age: '5400' })).toBeUndefined()
    expect(skew({ date: date(T0 + DAY), age: '3600' })).toBe(DAY + HOUR)
  })

  it('below an hour is none, and where the server does not say', () => {
    expect(skew({ date: date(T0 + HOUR - 1000) })).toBeUndefined()
    expect(skew({ date: date(T0 + HOUR) })).toBe(HOUR)
    expect(skew({})).toBeUndefined()
    expect(skew({ date: 'yesterday' })).toBeUndefined()
    expect(skew({ date: date(T0 - DAY), age: '-5' })).toBe(-DAY)
  })
})

/** A device whose clock is `ahead` of the publisher's and the server's, which agree. */
function device(ahead: number) {
  const clock = new FakeClock(T0 + ahead)
  let answer: ListPlan = {}
  let told = true
  let wrong = ahead
  const source = new WarySource({
    id: 'https://lists.example',
    server: 'https://lists.example',
    trust: { keys: singleKey(publisher.publicKey) },
    lists: ['se-4b'],
    clock,
    logger: new RecordingLogger(),
    verify: verifyEd25519,
    fetch: async () =>
      new Response(encodeBatch([fullUpdate(publisher, answer)]).slice(), {
        headers: { 'content-type': 'application/x-protobuf', ...(told ? { date: new Date(clock.now() - wrong).toUTCString() } : {}) },
      }),
  })
  const store = new MemoryListStore()
  const updater = new Updater({
    store,
    record: new MemoryRecordStore(),
    clock,
    random: fixedRandom(),
    logger: new RecordingLogger(),
    source: () => source,
    onSwap: () => undefined,
  })
  return {
    clock,
    updater,
    serve: (plan: ListPlan) => {
      answer = plan
    },
    hideDate: () => {
      told = false
    },
    setRight: () => {
      clock.advance(-wrong)
      wrong = 0
    },
  }
}

describe('a device whose clock is wrong', () => {
  it('far ahead, takes its first list as stale, knows the reason, and is well again once the clock is right', async () => {
    const { updater, clock, serve, setRight } = device(30 * DAY)
    serve({ expressions: ['evil.test/'] })
    expect(await updater.update()).toBe('updated')
    expect(updater.lists[0]?.state?.expiresAt).toBeLessThan(clock.now())
    expect(updater.status()).toMatchObject({ failures: 0, lastError: undefined, clockSkewMs: -30 * DAY })
    // The next version as well: the one that is held is no fresher.
    serve({ expressions: ['evil.test/'], sequence: 2 })
    clock.advance(HOUR)
    await updater.update()
    expect(updater.lists[0]?.state?.sequence).toBe(2)
    setRight()
    serve({ expressions: ['evil.test/'], sequence: 3 })
    await updater.update()
    expect(updater.lists[0]?.state?.sequence).toBe(3)
    expect(updater.status().clockSkewMs).toBeUndefined()
  })

  it('far behind, takes the list and knows that its clock is behind', async () => {
    const { updater } = device(-400 * DAY)
    expect(await updater.update()).toBe('updated')
    expect(updater.status().clockSkewMs).toBe(400 * DAY)
  })

  it('still takes nothing older than it has seen', async () => {
    const { updater, serve } = device(30 * DAY)
    serve({ sequence: 5 })
    await updater.update()
    serve({ sequence: 4 })
    expect(await updater.update({ force: true, urgent: true })).not.toBe('updated')
    expect(updater.lists[0]?.state?.sequence).toBe(5)
  })

  it('refuses an expired list as before where no server says that the clock is wrong', async () => {
    const { updater, hideDate } = device(30 * DAY)
    hideDate()
    expect(await updater.update()).toBe('failed')
    expect(updater.status().lastError?.code).toBe('state-expired')
    expect(updater.lists).toEqual([])
  })
})

it('a server that lies about the time cannot put an expired list in place of a fresh one', async () => {
  // The device's clock is right; the server says that it is ten days earlier, and sends what expired since.
  const { updater, serve } = device(10 * DAY)
  serve({ sequence: 1, issuedAt: T0 + 9 * DAY, expiresAt: T0 + 20 * DAY })
  await updater.update()
  serve({ sequence: 2, issuedAt: T0, expiresAt: T0 + 3 * DAY })
  await updater.update({ urgent: true })
  expect(updater.lists[0]?.state?.sequence).toBe(1)
})
