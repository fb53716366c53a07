import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { applyDelta } from '../../src/filter/bloom-delta.ts'
import { CountingBloomFilter } from '../../src/filter/counting-bloom.ts'
import { addEntries } from '../../src/filter/ready-hash.ts'
import { applyUpdate } from '../../src/lists/list-update.ts'
import { decodeHashList } from '../../src/protocol/hash-list-message.ts'
import { dataFolder } from '../support/publisher.ts'

const hosts = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `evil${from + i}.test`)

function place() {
  const data = dataFolder()
  const { folder, published } = data
  const now = () => published.current()?.version ?? ''
  const filter = (version = now()) => published.read(version, 'se-4b.filter')
  /** Built of all entries, in the shape of the one that was published. */
  const fresh = () => {
    const { capacity } = BloomFilter.fromBytes(filter())
    const list = applyUpdate(undefined, decodeHashList(published.read(now(), 'se-4b.hashlist')))
    const built = BloomFilter.create({ capacity, rate: 1e-3 })
    addEntries(built, list.entries, list.entryLength)
    return built.toBytes()
  }
  const kept = (name: string) => join(folder, 'bases', 'se-4b', name)
  const bases = () => published.manifest(now()).lists[0]?.bases ?? []
  return { ...data, now, filter, fresh, kept, bases }
}

test('whatever comes and goes, the filter is the one that is built of all entries', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(300), fc.nat(400)), { minLength: 2, maxLength: 6 }), async (steps) => {
      const { put, filter, fresh, folder } = place()
      for (const [from, length] of steps) {
        expect((await put(hosts(from, from + length))).warnings).toEqual([])
        expect(filter()).toEqual(fresh())
      }
      rmSync(folder, { recursive: true })
    }),
    { numRuns: 15 },
  )
})

test('from every version of the same shape there is a delta, which makes the new filter of the old one', async () => {
  const { put, filter, bases, published, now } = place()
  await put(hosts(0, 2000))
  await put(hosts(20, 2020))
  await put(hosts(40, 2030))
  expect(bases()).toEqual([
    { version: '1.2', list: true, filter: true },
    { version: '1.1', list: true, filter: true },
  ])
  for (const [from, folder] of [
    ['1.1', '000001'],
    ['1.2', '000002'],
  ] as const) {
    const delta = published.read(now(), `se-4b.from-${from}.filter`)
    expect(delta.length).toBeLessThan(filter().length / 8)
    expect(applyDelta(BloomFilter.fromBytes(filter(folder)), delta).toBytes()).toEqual(filter())
  }
})

test('a list that outgrows its class gets another shape, and no delta from the former one', async () => {
  const { put, filter, fresh, bases } = place()
  await put(hosts(0, 500))
  const { warnings } = await put(hosts(0, 600))
  expect([warnings, BloomFilter.fromBytes(filter()).capacity]).toEqual([[], 640])
  expect(bases()).toEqual([{ version: '1.1', list: true, filter: false }])
  expect(filter()).toEqual(fresh())
  // Within 70 % it stays, below it shrinks.
  await put(hosts(0, 450))
  expect(BloomFilter.fromBytes(filter()).capacity).toBe(640)
  await put(hosts(0, 400))
  expect(BloomFilter.fromBytes(filter()).capacity).toBe(416)
})

test('another rate is another shape', async () => {
  const { put, filter, bases } = place()
  await put(hosts(0, 500))
  await put(hosts(0, 501), { filterRate: 1e-4 })
  expect(bases()).toEqual([{ version: '1.1', list: true, filter: false }])
  expect(BloomFilter.fromBytes(filter()).expectedRate()).toBeLessThan(1e-4)
})

test('a delta that is no smaller than the filter is not written', async () => {
  const { put, bases } = place()
  await put(hosts(0, 500))
  await put(hosts(1000, 1500))
  expect(bases()).toMatchObject([{ version: '1.1', filter: false }])
})

describe('a counting filter', () => {
  test('is kept of the newest version only, and served to nobody', async () => {
    const { put, kept, folder } = place()
    for (let i = 0; i < 3; i++) await put(hosts(i, 100))
    expect(readdirSync(kept('')).filter((name) => name.endsWith('.counting'))).toEqual(['1.3.counting'])
    expect(readdirSync(join(folder, 'versions', '000003')).filter((name) => name.endsWith('.counting'))).toEqual([])
  })

  test('that is missing costs time only, and the shape stays', async () => {
    const { put, kept, filter, fresh } = place()
    await put(hosts(0, 500))
    rmSync(kept('1.1.counting'))
    expect((await put(hosts(0, 400))).warnings).toEqual([])
    expect(BloomFilter.fromBytes(filter()).capacity).toBe(512)
    expect(filter()).toEqual(fresh())
  })

  const damages: [string, (kept: (name: string) => string) => void][] = [
    [
      'a bit of it flipped',
      (kept) => {
        const bytes = readFileSync(kept('1.2.counting'))
        bytes[100] = (bytes[100] ?? 0) ^ 1
        writeFileSync(kept('1.2.counting'), bytes)
      },
    ],
    ['cut', (kept) => writeFileSync(kept('1.2.counting'), readFileSync(kept('1.2.counting')).subarray(0, 50))],
    ['that of another version', (kept) => copyFileSync(kept('1.2.counting'), kept('1.1.counting'))],
    [
      'one key more than the list',
      (kept) => {
        const counting = CountingBloomFilter.fromBytes(new Uint8Array(readFileSync(kept('1.2.counting'))))
        counting.add('x')
        writeFileSync(kept('1.2.counting'), counting.toBytes())
      },
    ],
    ['another filter', (kept) => copyFileSync(kept('1.2.filter'), kept('1.2.counting'))],
  ]
  test.each(damages)('that is damaged, %s, is never used', async (what, damage) => {
    const { put, kept, filter, fresh } = place()
    await put(hosts(0, 300))
    await put(hosts(10, 310))
    damage(kept)
    if (what === 'that of another version') rmSync(kept('1.2.counting'))
    const { warnings } = await put(hosts(20, 320))
    expect(warnings).toEqual([expect.stringMatching(/^the filter of se-4b was built anew: the counting filter that is kept is /)])
    expect(filter()).toEqual(fresh())
    expect((await put(hosts(21, 320))).warnings).toEqual([])
    expect(filter()).toEqual(fresh())
  })
})

test('whole copies of another list, as long as this one, never make a filter that denies what is listed', async () => {
  const { put, kept, filter, fresh } = place()
  const other = place()
  await put(hosts(0, 300))
  await other.put(hosts(1000, 1300))
  for (const name of ['1.1.counting', '1.1.filter']) copyFileSync(other.kept(name), kept(name))
  // Nothing goes, so nothing that should be in is missed while taking out.
  expect((await put(hosts(0, 301))).warnings).toEqual([
    'the filter of se-4b was built anew: the counting filter that is kept is not that of version 1.1',
  ])
  expect(filter()).toEqual(fresh())
})

test('whole copies of another list, where what goes is not in them, are noticed too', async () => {
  const { put, kept, filter, fresh } = place()
  const other = place()
  await put(hosts(0, 300))
  await other.put(hosts(1000, 1300))
  for (const name of ['1.1.counting', '1.1.filter']) copyFileSync(other.kept(name), kept(name))
  expect((await put(hosts(50, 300))).warnings).toEqual([
    'the filter of se-4b was built anew: the counting filter that is kept is not that of version 1.1',
  ])
  expect(filter()).toEqual(fresh())
})

test('a copy of a filter that is damaged is named, and its list has its delta all the same', async () => {
  const { put, kept, bases } = place()
  await put(hosts(0, 300))
  await put(hosts(1, 300))
  writeFileSync(kept('1.1.filter'), 'x')
  expect((await put(hosts(2, 300))).warnings).toEqual([
    expect.stringMatching(/^no delta of the filter from version 1\.1, whose copy is damaged: /),
  ])
  expect(bases()).toEqual([
    { version: '1.2', list: true, filter: true },
    { version: '1.1', list: true, filter: false },
  ])
})
