import { describe, expect, test } from 'vitest'
import { concatBytes, toBase64, toHex } from '../../src/bytes.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { hashPrefix } from '../../src/hash/hash-prefix.ts'
import { applyUpdate, type ListUpdate } from '../../src/lists/list-update.ts'
import { decodeBatch, decodeHashList } from '../../src/protocol/hash-list-message.ts'
import { batchPath, filterPath, LISTS_PATH, searchPath } from '../../src/protocol/paths.ts'
import { createApp } from '../../src/server/app.ts'
import { dataFolder } from '../support/publisher.ts'

const hosts = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `evil${from + i}.test`)

function world() {
  const data = dataFolder()
  const app = createApp({ store: data.store, clock: data.clock, logger: data.logger })
  const publish = async (lines: readonly string[], how: Parameters<typeof data.put>[1] = {}) => {
    const publication = await data.put(lines, how)
    data.store.reload()
    if (data.store.failure) throw data.store.failure
    return publication
  }
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.fetch(new Request(`http://lists.test${path}`, { headers, method }))
  const body = async (path: string, headers: Record<string, string> = {}) => {
    const response = await get(path, headers)
    expect(response.status).toBe(200)
    return new Uint8Array(await response.arrayBuffer())
  }
  return { ...data, app, publish, get, body }
}

const listPath = (name: string, version?: Uint8Array) =>
  `/v5/hashList/${name}${version ? `?version=${encodeURIComponent(toBase64(version))}` : ''}`
const text = (version: string) => new TextEncoder().encode(version)

describe('a client that holds a version', () => {
  test('gets what changes since then, of any version that is kept, with the signed state of the whole', async () => {
    const { publish, body } = world()
    const held = []
    for (const [from, to] of [
      [0, 400],
      [10, 420],
      [10, 420],
      [5, 430],
    ] as const) {
      await publish(hosts(from, to))
      held.push(applyUpdate(undefined, decodeHashList(await body('/v5/hashList/se-4b'))))
    }
    const whole = await body('/v5/hashList/se-4b')
    const full = decodeHashList(whole)
    for (const list of held) {
      const bytes = await body(listPath('se-4b', list.version))
      const delta = decodeHashList(bytes)
      expect(delta).toMatchObject({ partial: true, version: full.version, checksum: full.checksum, signed: full.signed })
      expect(bytes.length).toBeLessThan(whole.length / 2)
      expect(toHex(applyUpdate(list, delta).entries)).toBe(toHex(held[3]?.entries ?? new Uint8Array(0)))
      expect(decodeBatch(await body(batchPath(['se-4b'], [list.version])))).toEqual([delta])
    }
  })

  test('gets the whole list for a version that nobody has kept, or that is none', async () => {
    const { publish, body } = world()
    for (let i = 0; i < 4; i++) await publish(hosts(i, 200), { keepVersions: 2 })
    expect(decodeHashList(await body(listPath('se-4b', text('1.2')))).partial).toBe(true)
    for (const version of ['1.1', '1.9', '2.3', '1.03', '']) {
      expect(decodeHashList(await body(listPath('se-4b', text(version)))).partial).toBe(false)
    }
    expect(decodeHashList(await body(listPath('se-4b', new Uint8Array([0xff, 0xfe])))).partial).toBe(false)
  })

  test('gets each list of a batch by the version of that list', async () => {
    const { publish, body } = world()
    const both = (from: number) => ({
      lists: ['se', 'mw'].map((stem) => ({
        stem,
        feeds: [
          {
            name: stem,
            items: hosts(from, 200).map((host) => ({ entry: { expression: `${stem}.${host}/`, threatType: undefined, line: 1 } })),
          },
        ],
      })),
    })
    const whole = async () => decodeBatch(await body(batchPath(['se-4b', 'mw-4b'], []))).map((each) => applyUpdate(undefined, each))
    await publish([], both(0))
    const [se] = await whole()
    await publish([], both(1))
    const [, mw] = await whole()
    await publish([], both(2))
    const now = await whole()
    const deltas = decodeBatch(await body(batchPath(['mw-4b', 'se-4b'], [text('1.2'), text('1.1')])))
    expect(deltas.map(({ name, partial }) => [name, partial])).toEqual([
      ['mw-4b', true],
      ['se-4b', true],
    ])
    expect(applyUpdate(mw, deltas[0] as ListUpdate).entries).toEqual(now[1]?.entries)
    expect(applyUpdate(se, deltas[1] as ListUpdate).entries).toEqual(now[0]?.entries)
    const mixed = decodeBatch(await body(batchPath(['mw-4b', 'se-4b'], [text('7.7'), text('1.2')])))
    expect(mixed.map(({ partial }) => partial)).toEqual([false, true])
  })

  test('gets it in JSON too', async () => {
    const { publish, get } = world()
    await publish(hosts(0, 100))
    await publish(hosts(1, 101))
    const path = `${listPath('se-4b', text('1.1'))}&alt=json`
    const plain: unknown = await (await get(path)).json()
    expect(plain).toMatchObject({ partialUpdate: true, compressedRemovals: {}, additionsFourBytes: {}, version: toBase64(text('1.2')) })
    expect(plain).not.toHaveProperty('warySignedState')
    expect(await (await get(`${path}&wary=1`)).json()).toMatchObject({ partialUpdate: true, warySignedState: {} })
    expect(await (await get(`${batchPath(['se-4b'], [text('1.1')])}&alt=json`)).json()).toEqual({ hashLists: [plain] })
  })
})

describe('every published answer', () => {
  const PATHS = [
    '/v5/hashList/se-4b',
    '/v5/hashList/se-4b?alt=json',
    '/v5/hashList/se-4b?alt=json&wary=1',
    listPath('se-4b', text('1.1')),
    listPath('se-4b', text('1.2')),
    batchPath(['se-4b'], []),
    `${batchPath(['se-4b'], [])}&alt=json`,
    batchPath(['se-4b'], [text('1.1')]),
    LISTS_PATH,
    filterPath('se-4b'),
    filterPath('se-4b', { epoch: 1, sequence: 1 }),
    filterPath('se-4b', { epoch: 1, sequence: 2 }),
  ]
  async function two() {
    const it = world()
    await it.publish(hosts(0, 300))
    await it.publish(hosts(1, 301), { minimumWaitMs: 120_000 })
    return it
  }

  test('has a strong tag of its own, and is not sent again to who has it', async () => {
    const { get, publish } = await two()
    const tags = new Map<string, string>()
    for (const path of PATHS) {
      const first = await get(path)
      const etag = first.headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[0-9a-z.-]+"$/)
      expect(tags.get(etag)).toBeUndefined()
      tags.set(etag, path)
      for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const again = await get(path, { 'if-none-match': condition })
        expect([again.status, await again.text()]).toEqual([304, ''])
        for (const name of [
          'etag',
          'cache-control',
          'vary',
          'access-control-allow-origin',
          'wary-statement',
          'wary-filter-delta',
          'wary-version',
        ])
          expect(again.headers.get(name)).toBe(first.headers.get(name))
      }
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    }
    await publish(hosts(1, 302))
    for (const [etag, path] of tags) expect((await get(path, { 'if-none-match': etag })).status).toBe(200)
  })

  test('may be kept by any cache as long as clients are asked to wait, and not beyond its expiry', async () => {
    const { get, clock } = await two()
    const control = async (path: string) => (await get(path)).headers.get('cache-control')
    for (const path of PATHS) expect(await control(path)).toBe('public, max-age=120')
    clock.advance(7 * 86_400_000 - 59_001)
    for (const path of PATHS) expect(await control(path)).toBe('public, max-age=59')
    clock.advance(86_400_000)
    for (const path of PATHS) expect(await control(path)).toBe('public, max-age=0')
  })

  test('varies by what really chose its form', async () => {
    const { get } = await two()
    const vary = async (path: string) => (await get(path)).headers.get('vary')
    expect(await vary('/v5/hashList/se-4b')).toBe('Accept')
    expect(await vary('/v5/hashList/se-4b?alt=proto')).toBeNull()
    expect(await vary('/v5/hashList/se-4b?alt=json')).toBeNull()
    expect(await vary(filterPath('se-4b'))).toBeNull()
    const [proto, json] = [await get(LISTS_PATH), await get(LISTS_PATH, { accept: 'application/json' })]
    expect(proto.headers.get('etag')).not.toBe(json.headers.get('etag'))
    expect((await get(LISTS_PATH, { accept: 'application/json', 'if-none-match': proto.headers.get('etag') ?? '' })).status).toBe(200)
  })

  test('can be fetched in parts, also by who was interrupted', async () => {
    const { get, body } = await two()
    for (const path of PATHS) {
      const whole = await body(path)
      const { headers } = await get(path)
      const etag = headers.get('etag') ?? ''
      expect(headers.get('accept-ranges')).toBe('bytes')
      const parts: Uint8Array[] = []
      const step = Math.ceil(whole.length / 3)
      for (let at = 0; at < whole.length; at += step) {
        const part = await get(path, { range: `bytes=${at}-${at + step - 1}`, 'if-range': etag })
        expect(part.status).toBe(206)
        const end = Math.min(at + step, whole.length)
        expect(part.headers.get('content-range')).toBe(`bytes ${at}-${end - 1}/${whole.length}`)
        expect(part.headers.get('content-length')).toBe(String(end - at))
        for (const name of ['etag', 'content-type', 'cache-control', 'wary-statement'])
          expect(part.headers.get(name)).toBe(headers.get(name))
        parts.push(new Uint8Array(await part.arrayBuffer()))
      }
      expect(concatBytes(parts)).toEqual(whole)
      const beyond = await get(path, { range: `bytes=${whole.length}-`, 'if-range': etag })
      expect([beyond.status, beyond.headers.get('content-range'), await beyond.text()]).toEqual([416, `bytes */${whole.length}`, ''])
      expect((await get(path, { range: 'bytes=1-', 'if-none-match': etag })).status).toBe(304)
      const head = await get(path, { range: 'bytes=1-' }, 'HEAD')
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)])
    }
  })

  test('comes whole to who was interrupted while it changed', async () => {
    const { get, publish } = await two()
    for (const path of PATHS) {
      const etag = (await get(path)).headers.get('etag') ?? ''
      await publish(hosts(1, 303))
      const rest = await get(path, { range: 'bytes=10-', 'if-range': etag })
      expect(rest.status).toBe(200)
      expect(rest.headers.get('content-range')).toBeNull()
      expect(rest.headers.get('etag')).not.toBe(etag)
    }
  })

  test('may be asked for in parts, and read, by any origin', async () => {
    const { get } = await two()
    const { headers } = await get('/v5/hashList/se-4b', {}, 'OPTIONS')
    for (const name of ['Range', 'If-Range', 'If-None-Match']) expect(headers.get('access-control-allow-headers')).toContain(name)
    for (const name of ['Content-Range', 'ETag', 'Wary-Filter-Delta', 'Wary-Version'])
      expect((await get('/v5/hashList/se-4b')).headers.get('access-control-expose-headers')).toContain(name)
  })

  test('is none of those that say something about a person', async () => {
    const { get } = await two()
    const { headers, status } = await get(searchPath(hashPrefix(fullHash('evil5.test/'))), { range: 'bytes=0-0' })
    expect([status, headers.get('cache-control'), headers.get('etag'), headers.get('accept-ranges')]).toEqual([
      200,
      'private, max-age=300',
      null,
      null,
    ])
  })
})
