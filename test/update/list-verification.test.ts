import { expect, it } from 'vitest'
import { HashList } from '../../src/lists/hash-list.ts'
import { type KeySet, makeKeySet, singleKey } from '../../src/lists/key-set.ts'
import { type Verification, verifyList } from '../../src/update/list-verification.ts'
import { FakeClock, T0 } from '../support/fakes.ts'
import { fullUpdate, type ListPlan, nothingNew, planned, storedList, TestPublisher, verifyEd25519 } from '../support/signed-list.ts'

const publisher = new TestPublisher()

function verification(change: Partial<Verification> = {}): Verification {
  return {
    source: 'http://lists.test',
    rate: 1e-3,
    clock: new FakeClock(),
    pause: async () => undefined,
    signal: new AbortController().signal,
    keys: singleKey(publisher.publicKey),
    verify: verifyEd25519,
    onBuild: () => undefined,
    ...change,
  }
}

const plan: ListPlan = { expressions: ['evil.test/'], issuedAt: T0 + 5000 }

it('takes a first list with filter and state', async () => {
  let built = 0
  const { stored, change } = await verifyList(fullUpdate(publisher, plan), undefined, verification({ onBuild: () => built++ }))
  const { list, state } = planned(plan)
  expect(change).toBe('entries')
  expect(stored.state).toEqual(state)
  expect(stored.list).toMatchObject({ entries: list.entries })
  expect(stored.filter.count).toBe(list.count)
  expect(stored.updatedAt).toBe(T0)
  expect(built).toBe(1)
})

it('asks for as many keys as the key set says', async () => {
  const both = [new TestPublisher().publicKey, publisher.publicKey]
  const verified = (keys: KeySet) => verifyList(fullUpdate(publisher, plan), undefined, verification({ keys }))
  expect((await verified(makeKeySet(1, 1, both))).change).toBe('entries')
  await expect(verified(makeKeySet(1, 2, both))).rejects.toMatchObject({ code: 'state-threshold' })
  await expect(verified(singleKey(new TestPublisher().publicKey))).rejects.toMatchObject({ code: 'state-key-unknown' })
})

it('returns the held list itself when nothing is new', async () => {
  const held = storedList(plan)
  expect(await verifyList(nothingNew(publisher, plan), held, verification())).toEqual({ stored: held, change: 'none' })
})

it('refuses "nothing new" with the checksum of another list', async () => {
  const answer = { ...nothingNew(publisher, plan), checksum: new Uint8Array(32) }
  await expect(verifyList(answer, storedList(plan), verification())).rejects.toMatchObject({ code: 'list-checksum' })
  const right = { ...answer, checksum: planned(plan).list.checksum() }
  expect((await verifyList(right, storedList(plan), verification())).change).toBe('none')
})

it('refuses "nothing new" with the state of another list', async () => {
  const other = nothingNew(publisher, { ...plan, expressions: ['other.test/'], sequence: 2 })
  const answer = { ...other, version: storedList(plan).list.version }
  await expect(verifyList(answer, storedList(plan), verification())).rejects.toMatchObject({ code: 'state-mismatch' })
})

it('takes the new version of equal entries, but not an older state of them', async () => {
  const held = storedList(plan)
  const answer = { ...fullUpdate(publisher, { ...plan, issuedAt: T0 }), version: new Uint8Array([9]) }
  const { stored, change } = await verifyList(answer, held, verification())
  expect(change).toBe('state')
  expect([...stored.list.version]).toEqual([9])
  expect(stored.state).toBe(held.state)
  expect(stored.filter).toBe(held.filter)
})

it('takes a later sequence of equal entries without building', async () => {
  const held = storedList(plan)
  const later = fullUpdate(publisher, { ...plan, sequence: 2, issuedAt: T0 })
  const onBuild = () => {
    throw new Error('built')
  }
  const { stored, change } = await verifyList(later, held, verification({ onBuild }))
  expect([change, stored.state?.sequence]).toEqual(['state', 2])
})

it('builds anew when the entries have another length', async () => {
  const held = storedList(plan)
  const list = HashList.fromSorted({ name: 'se-4b', version: new Uint8Array([1, 0]), entryLength: 8, entries: new Uint8Array(8) })
  const { change } = await verifyList(fullUpdate(publisher, { ...plan, sequence: 2 }), { ...held, list }, verification())
  expect(change).toBe('entries')
})

it('names the test entry that a list does not hold', async () => {
  const answer = fullUpdate(publisher, { ...plan, testEntries: false })
  await expect(verifyList(answer, undefined, verification())).rejects.toMatchObject({
    code: 'list-self-test',
    message: 'se-4b does not hold the test entry phishing.wary.test/',
  })
})
