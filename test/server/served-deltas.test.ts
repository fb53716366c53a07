import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fromBase64 } from '../../src/bytes.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { applyDelta } from '../../src/filter/bloom-delta.ts'
import { decodeFilterState } from '../../src/lists/filter-state.ts'
import type { ListUpdate } from '../../src/lists/list-update.ts'
import { decodeHashList, encodeHashList } from '../../src/protocol/hash-list-message.ts'
import { filterPath } from '../../src/protocol/paths.ts'
import { PublishedFolder } from '../../src/publisher/published-folder.ts'
import { createApp } from '../../src/server/app.ts'
import { PublishedStore } from '../../src/server/published-store.ts'
import { dataFolder } from '../support/publisher.ts'

const hosts = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `evil${from + i}.test`)

/** Three versions, of which the last is served, with deltas from the other two. */
async function place() {
  const data = dataFolder()
  for (let i = 0; i < 3; i++) await data.put(hosts(20 * i, 1000 + i))
  const file = (name: string, version = '000003') => join(data.folder, 'versions', version, name)
  const app = createApp({ store: data.store, clock: data.clock, logger: data.logger })
  const get = async (path: string) => app.fetch(new Request(`http://lists.test${path}`))
  const body = async (path: string) => new Uint8Array(await (await get(path)).arrayBuffer())
  const list = async (version: string) => decodeHashList(await body(`/v5/hashList/se-4b?version=${btoa(version)}`))
  return { ...data, file, get, body, list }
}

describe('a filter', () => {
  test('comes as the bits that differ to who holds a former one, with the statement about what they make', async () => {
    const { store, get, published } = await place()
    store.reload()
    const whole = published.read('000003', 'se-4b.filter')
    for (const sequence of [1, 2]) {
      const response = await get(filterPath('se-4b', { epoch: 1, sequence }))
      expect(response.headers.get('wary-filter-delta')).toBe('1')
      expect(response.headers.get('content-type')).toBe('application/octet-stream')
      expect(response.headers.get('wary-version')).toBe('1.3')
      const state = decodeFilterState(fromBase64(response.headers.get('wary-statement') ?? ''))
      expect(state).toMatchObject({ sequence: 3, byteLength: whole.length })
      const delta = new Uint8Array(await response.arrayBuffer())
      expect(delta.length).toBeLessThan(whole.length / 4)
      expect(applyDelta(BloomFilter.fromBytes(published.read(`00000${sequence}`, 'se-4b.filter')), delta).toBytes()).toEqual(whole)
    }
  })

  test('that is the one in force already comes as an empty delta', async () => {
    const { store, body, get, published } = await place()
    store.reload()
    const path = filterPath('se-4b', { epoch: 1, sequence: 3 })
    const delta = await body(path)
    expect(delta.length).toBe(48)
    const whole = published.read('000003', 'se-4b.filter')
    expect(applyDelta(BloomFilter.fromBytes(whole), delta).toBytes()).toEqual(whole)
    expect((await get(path)).headers.get('wary-filter-delta')).toBe('1')
  })

  test('of a version that nobody knows comes whole', async () => {
    const { store, get, published } = await place()
    store.reload()
    for (const from of ['1.4', '2.1', '0.0', '1.01']) {
      const response = await get(`${filterPath('se-4b')}?from=${from}`)
      expect([response.status, response.headers.get('wary-filter-delta')]).toEqual([200, null])
      expect(response.headers.get('wary-version')).toBe('1.3')
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(published.read('000003', 'se-4b.filter'))
    }
  })

  test.each(['', '1', '1.', 'a.b', '1.2.3', '-1.2', '1.2%00', '../x', `${'1'.repeat(17)}.1`])('from %j is a refusal', async (from) => {
    const { store, get } = await place()
    store.reload()
    expect((await get(`${filterPath('se-4b')}?from=${from}`)).status).toBe(400)
  })
})

describe('a delta that is damaged', () => {
  type World = Awaited<ReturnType<typeof place>>
  const LIST = 'se-4b.from-1.1.hashlist'
  const FILTER = 'se-4b.from-1.1.filter'
  const rewritten = ({ file }: World, change: (update: ListUpdate) => Partial<ListUpdate>): void => {
    const update = decodeHashList(readFileSync(file(LIST)))
    writeFileSync(file(LIST), encodeHashList({ ...update, ...change(update) }))
  }
  const flip = (path: string, at: number): void => {
    const bytes = readFileSync(path)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(path, bytes)
  }
  const cases: [string, string, (world: World) => void][] = [
    ['list: gone', LIST, ({ file }) => rmSync(file(LIST))],
    ['list: empty', LIST, ({ file }) => writeFileSync(file(LIST), '')],
    ['list: cut', LIST, ({ file }) => writeFileSync(file(LIST), readFileSync(file(LIST)).subarray(0, 40))],
    ['list: not partial', LIST, (world) => rewritten(world, () => ({ partial: false, removals: undefined }))],
    ['list: of another name', LIST, (world) => rewritten(world, () => ({ name: 'mw-4b' }))],
    ['list: to another version', LIST, (world) => rewritten(world, () => ({ version: new TextEncoder().encode('1.2') }))],
    ['list: with another checksum', LIST, (world) => rewritten(world, () => ({ checksum: new Uint8Array(32) }))],
    ['list: not signed', LIST, (world) => rewritten(world, () => ({ signed: undefined }))],
    ['list: with another wait', LIST, (world) => rewritten(world, () => ({ minimumWaitMs: 1000 }))],
    [
      'list: signed otherwise',
      LIST,
      (world) => rewritten(world, ({ signed }) => (signed ? { signed: { ...signed, signatures: [] } } : {})),
    ],
    [
      'list: with entries of another length',
      LIST,
      (world) => rewritten(world, () => ({ additions: { entryLength: 8, entries: new Uint8Array(8) } })),
    ],
    ['list: that of the former version', LIST, ({ file }) => writeFileSync(file(LIST), readFileSync(file(LIST, '000002')))],
    ['filter: gone', FILTER, ({ file }) => rmSync(file(FILTER))],
    ['filter: empty', FILTER, ({ file }) => writeFileSync(file(FILTER), '')],
    ['filter: a bit flipped', FILTER, ({ file }) => flip(file(FILTER), 60)],
    ['filter: no delta', FILTER, ({ file }) => writeFileSync(file(FILTER), readFileSync(file('se-4b.filter')))],
    ['filter: that of the former version', FILTER, ({ file }) => writeFileSync(file(FILTER), readFileSync(file(FILTER, '000002')))],
  ]

  test.each(cases)('%s: is logged and left out; the whole is served, and the other deltas', async (_what, name, damage) => {
    const world = await place()
    damage(world)
    const { store, logger, list, get } = world
    expect(store.reload()).toBe(true)
    expect(store.failure).toBeUndefined()
    expect(logger.events()).toEqual(['delta-refused', 'edition'])
    expect(logger.lines[0]).toMatchObject({ facts: { file: name } })
    const ofList = name === LIST
    expect([(await list('1.1')).partial, (await list('1.2')).partial, (await list('1.3')).partial]).toEqual([!ofList, true, true])
    const deltas = [1, 2, 3].map(async (sequence) =>
      (await get(filterPath('se-4b', { epoch: 1, sequence }))).headers.get('wary-filter-delta'),
    )
    expect(await Promise.all(deltas)).toEqual([ofList ? '1' : null, '1', '1'])
  })

  test('of a manifest that names what is no version: the publication is refused', async () => {
    const { file, folder, logger } = await place()
    const path = file('manifest.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"1.1"', '"../../1.1"'))
    const store = new PublishedStore({ folder: new PublishedFolder(folder), logger })
    expect([store.reload(), store.failure?.code]).toEqual([false, 'publish-damaged'])
  })

  test('of a folder that older publishers wrote there is none, and it is served', async () => {
    const { file, store, list, logger } = await place()
    const manifest: unknown = JSON.parse(readFileSync(file('manifest.json'), 'utf8'), (key: string, value: unknown) =>
      key === 'bases' ? undefined : value,
    )
    writeFileSync(file('manifest.json'), JSON.stringify(manifest))
    expect(store.reload()).toBe(true)
    expect(logger.events()).toEqual(['edition'])
    expect([(await list('1.1')).partial, (await list('1.3')).partial]).toEqual([false, true])
  })
})
