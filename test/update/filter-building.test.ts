import { expect, it } from 'vitest'
import { concatBytes } from '../../src/bytes.ts'
import type { HeldFilter } from '../../src/filter/held-filter.ts'
import { highHalf, lowHalf } from '../../src/filter/ready-hash.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { HashList } from '../../src/lists/hash-list.ts'
import { buildFilter } from '../../src/update/filter-building.ts'
import { nextTask } from '../../src/update/in-slices.ts'
import { FakeClock } from '../support/fakes.ts'

function listOf(count: number): HashList {
  const entries = concatBytes(Array.from({ length: count }, (_, i) => fullHash(`evil${i}.test/`).subarray(0, 8)))
  return HashList.fromUnsorted({ name: 'se-8b', version: new Uint8Array([1]), entryLength: 8, entries })
}

function has(filter: HeldFilter, hash: Uint8Array): boolean {
  return filter.mightContainHash(highHalf(hash), lowHalf(hash))
}

const signal = new AbortController().signal

it('holds every entry, at about the rate asked for', async () => {
  const list = listOf(20_000)
  const filter = await buildFilter(list, { rate: 1e-2, clock: new FakeClock(), pause: async () => undefined, signal })
  for (let at = 0; at < list.entries.length; at += 8) expect(has(filter, list.entries.subarray(at, at + 8))).toBe(true)
  let wrong = 0
  for (let i = 0; i < 20_000; i++) if (has(filter, fullHash(`good${i}.test/`))) wrong++
  expect(wrong / 20_000).toBeLessThan(1.5e-2)
})

it('builds the filter of an empty list', async () => {
  const list = listOf(0)
  const filter = await buildFilter(list, { rate: 1e-3, clock: new FakeClock(), pause: nextTask, signal })
  expect(has(filter, fullHash('good.test/'))).toBe(false)
})

it('pauses by the clock, and by count when the clock stands still', async () => {
  const list = listOf(140_000)
  let pauses = 0
  const pause = async () => {
    pauses++
  }
  await buildFilter(list, { rate: 1e-3, clock: new FakeClock(), pause, signal })
  expect(pauses).toBe(2)
  pauses = 0
  let now = 0
  await buildFilter(list, { rate: 1e-3, clock: { now: () => (now += 4) }, pause, signal })
  expect(pauses).toBeGreaterThan(20)
})

it('lets other work run meanwhile and stops when aborted', async () => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new Error('enough')), 0)
  let now = 0
  const building = buildFilter(listOf(40_000), {
    rate: 1e-3,
    clock: { now: () => (now += 20) },
    pause: nextTask,
    signal: controller.signal,
  })
  await expect(building).rejects.toThrow('enough')
})
