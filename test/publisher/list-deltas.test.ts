import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { applyUpdate } from '../../src/lists/list-update.ts'
import { decodeHashList } from '../../src/protocol/hash-list-message.ts'
import { finishPublication } from '../../src/publisher/finish-publication.ts'
import { UnsignedStatements } from '../../src/publisher/pending-publication.ts'
import { readStatementFile, signStatementFiles } from '../../src/publisher/sign-statement.ts'
import { keyFiles, statementsIn } from '../support/keys.ts'
import { dataFolder } from '../support/publisher.ts'
import { DAY } from '../support/signed-list.ts'

const hosts = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `evil${from + i}.test`)

function place() {
  const data = dataFolder()
  const { folder, published } = data
  const file = (version: string, name: string) => new Uint8Array(readFileSync(join(folder, 'versions', version, name)))
  const kept = (list = 'se-4b') => readdirSync(join(folder, 'bases', list)).sort()
  const bases = (version: string, list = 'se-4b') =>
    published
      .manifest(version)
      .lists.find(({ name }) => name === list)
      ?.bases?.map(({ version: each }) => each)
  return { ...data, file, kept, bases }
}

test('from every version that is kept there is a delta to the new one, with its version, checksum, wait and signed state', async () => {
  const { put, published, file, bases } = place()
  const lists = []
  for (const [from, to] of [
    [0, 500],
    [20, 510],
    [20, 510],
    [0, 480],
  ] as const) {
    const { version } = await put(hosts(from, to), { minimumWaitMs: 77_000 })
    lists.push(applyUpdate(undefined, decodeHashList(file(version, 'se-4b.hashlist'))))
  }
  expect(bases('000004')).toEqual(['1.3', '1.2', '1.1'])
  expect(published.manifest('000004').lists[0]?.bases?.every(({ list }) => list)).toBe(true)
  const full = decodeHashList(file('000004', 'se-4b.hashlist'))
  for (const [i, list] of lists.slice(0, 3).entries()) {
    const bytes = file('000004', `se-4b.from-1.${i + 1}.hashlist`)
    const delta = decodeHashList(bytes)
    expect(delta).toEqual({ ...full, partial: true, removals: delta.removals, additions: delta.additions })
    expect(bytes.length).toBeLessThan(file('000004', 'se-4b.hashlist').length / 2)
    expect(toHex(applyUpdate(list, delta).entries)).toBe(toHex(lists[3]?.entries ?? new Uint8Array(0)))
  }
  // What changed nothing but the number.
  const same = decodeHashList(file('000003', 'se-4b.from-1.2.hashlist'))
  expect([same.removals, same.additions]).toEqual([undefined, undefined])
})

test('a delta that is no smaller than the whole is not written, and its base stays', async () => {
  const { put, file, published, kept } = place()
  await put(hosts(0, 300))
  await put(hosts(1000, 1003))
  expect(published.manifest('000002').lists[0]?.bases).toMatchObject([{ version: '1.1', list: false }])
  expect(() => file('000002', 'se-4b.from-1.1.hashlist')).toThrow(/ENOENT/)
  await put(hosts(0, 301))
  expect(published.manifest('000003').lists[0]?.bases).toMatchObject([
    { version: '1.2', list: true },
    { version: '1.1', list: true },
  ])
  expect(kept().filter((name) => name.endsWith('.hashlist'))).toEqual(['1.1.hashlist', '1.2.hashlist', '1.3.hashlist'])
})

describe('what is kept', () => {
  test('is no more than so many versions', async () => {
    const { put, bases, kept } = place()
    for (let i = 0; i < 5; i++) await put(hosts(0, 100 + i), { keepVersions: 2 })
    expect(bases('000005')).toEqual(['1.4', '1.3'])
    expect(kept().filter((name) => name.endsWith('.hashlist'))).toEqual(['1.3.hashlist', '1.4.hashlist', '1.5.hashlist'])
    await put(hosts(0, 100), { keepVersions: 0 })
    expect(bases('000006')).toEqual([])
    expect(kept().filter((name) => name.endsWith('.hashlist'))).toEqual(['1.6.hashlist'])
  })

  test('is by default 32 versions of 14 days', async () => {
    const { put, bases, clock, folder } = place()
    for (let i = 0; i < 35; i++) await put(hosts(0, 100 + i))
    expect(bases('000035')).toHaveLength(32)
    expect(bases('000035')?.at(-1)).toBe('1.3')
    clock.advance(14 * DAY)
    await put(hosts(0, 90))
    expect(bases('000036')).toHaveLength(32)
    clock.advance(1000)
    await put(hosts(0, 91))
    expect(bases('000037')).toEqual(['1.36'])
    expect(readdirSync(join(folder, 'versions', '000037')).filter((name) => name.endsWith('.hashlist'))).toHaveLength(2)
  })

  test('is no more than so many bytes, the newest first; the version in force does not count', async () => {
    const { put, bases, kept, folder } = place()
    for (let i = 0; i < 5; i++) await put(hosts(0, 200))
    const size = ['1.4.hashlist', '1.4.filter'].reduce((sum, name) => sum + statSync(join(folder, 'bases', 'se-4b', name)).size, 0)
    await put(hosts(0, 200), { keepBytes: 3 * size })
    expect(bases('000006')).toEqual(['1.5', '1.4', '1.3'])
    await put(hosts(0, 200), { keepBytes: 2 * size - 1 })
    expect(bases('000007')).toEqual(['1.6'])
    await put(hosts(0, 200), { keepBytes: size - 1 })
    expect(bases('000008')).toEqual([])
    expect(kept()).toEqual(['1.8.counting', '1.8.filter', '1.8.hashlist'])
  })

  test('counts copies that are damaged as well', async () => {
    const { put, bases, folder } = place()
    for (let i = 0; i < 3; i++) await put(hosts(0, 200))
    writeFileSync(join(folder, 'bases', 'se-4b', '1.3.filter'), new Uint8Array(100_000))
    await put(hosts(0, 200), { keepBytes: 100_000 })
    expect(bases('000004')).toEqual([])
  })

  test('orders versions by epoch and number, not by their names', async () => {
    const { put, bases } = place()
    for (let i = 0; i < 11; i++) await put(hosts(0, 60 + i))
    await put(hosts(0, 80), { epoch: 10 })
    await put(hosts(0, 81))
    expect(bases('000013')?.slice(0, 4)).toEqual(['10.12', '1.11', '1.10', '1.9'])
  })

  test('goes with a list that is not published any more', async () => {
    const { put, folder } = place()
    const lists = (...stems: string[]) => ({ lists: stems.map((stem) => ({ stem, feeds: [] })) })
    await put([], lists('se', 'mw'))
    await put([], lists('mw'))
    expect(readdirSync(join(folder, 'bases'))).toEqual(['mw-4b'])
  })
})

describe('a copy that is damaged', () => {
  const flipped = (path: string) => {
    const bytes = readFileSync(path)
    const at = Math.floor(bytes.length / 2)
    bytes[at] = (bytes[at] ?? 0) ^ 4
    writeFileSync(path, bytes)
  }
  const cases: [string, (bases: string) => void][] = [
    ['a bit flipped', (bases) => flipped(join(bases, '1.2.hashlist'))],
    ['cut', (bases) => writeFileSync(join(bases, '1.2.hashlist'), readFileSync(join(bases, '1.2.hashlist')).subarray(0, 90))],
    ['empty', (bases) => writeFileSync(join(bases, '1.2.hashlist'), '')],
    ['another version', (bases) => writeFileSync(join(bases, '1.2.hashlist'), readFileSync(join(bases, '1.1.hashlist')))],
    [
      'a delta',
      (bases) => writeFileSync(join(bases, '1.2.hashlist'), readFileSync(join(bases, '../../versions/000003/se-4b.from-1.2.hashlist'))),
    ],
  ]
  test.each(cases)('%s: is named, left out and removed; the others have their deltas', async (_what, damage) => {
    const { put, folder, bases, kept, store } = place()
    for (let i = 0; i < 3; i++) await put(hosts(i, 200))
    damage(join(folder, 'bases', 'se-4b'))
    const { warnings } = await put(hosts(9, 200))
    expect(warnings).toEqual([expect.stringMatching(/^no delta of se-4b from version 1\.2, whose copy is damaged: /)])
    expect(bases('000004')).toEqual(['1.3', '1.1'])
    expect(kept().filter((name) => name.startsWith('1.2'))).toEqual([])
    expect(store.reload()).toBe(true)
    expect((await put(hosts(9, 201))).warnings).toEqual([])
  })

  test('what is no copy at all goes', async () => {
    const { put, folder, kept } = place()
    await put(hosts(0, 10))
    for (const name of ['1.1.hashlist.new', 'x.hashlist', 'notes']) writeFileSync(join(folder, 'bases', 'se-4b', name), 'x')
    expect((await put(hosts(0, 11))).warnings).toEqual([])
    expect(kept().every((name) => /^1\.[12]\.[a-z]+$/.test(name))).toBe(true)
  })

  test('no copies at all cost nothing but the deltas', async () => {
    const { put, folder, bases } = place()
    await put(hosts(0, 10))
    rmSync(join(folder, 'bases'), { recursive: true })
    expect((await put(hosts(0, 11))).warnings).toEqual([])
    expect(bases('000002')).toEqual([])
    await put(hosts(0, 12))
    expect(bases('000003')).toEqual(['1.2'])
  })
})

test('deltas that wait for signatures get those of the whole list', async () => {
  const { put, folder, clock, file, bases, kept } = place()
  const keys = keyFiles('ann')
  const key = keys.key('ann')
  await put(hosts(0, 200), { key })
  await put(hosts(3, 200), { key: new UnsignedStatements() })
  const toSign = join(folder, 'pending', 'to-sign')
  expect(statementsIn(toSign)).toHaveLength(2)
  expect(kept().some((name) => name.startsWith('1.2'))).toBe(false)
  signStatementFiles(statementsIn(toSign).map(readStatementFile), keys.path('ann'))
  await finishPublication({ dataFolder: folder, clock })
  const [full, delta] = ['se-4b.hashlist', 'se-4b.from-1.1.hashlist'].map((name) => decodeHashList(file('000002', name)))
  expect(full?.signed?.signatures).toHaveLength(1)
  expect(delta?.signed).toEqual(full?.signed)
  expect(existsSync(join(folder, 'bases', 'se-4b', '1.2.hashlist'))).toBe(true)
  await put(hosts(4, 200), { key })
  expect(bases('000003')).toEqual(['1.2', '1.1'])
})
