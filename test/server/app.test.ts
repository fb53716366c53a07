import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fromBase64, fromHex, toBase64, toHex } from '../../src/bytes.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { hashPrefix } from '../../src/hash/hash-prefix.ts'
import { decodeFilterState } from '../../src/lists/filter-state.ts'
import { keySetFingerprint, singleKey } from '../../src/lists/key-set.ts'
import { applyUpdate } from '../../src/lists/list-update.ts'
import { openStatement } from '../../src/lists/signed-state.ts'
import { TEST_ENTRIES } from '../../src/lists/test-entries.ts'
import { decodeBatch, decodeHashList } from '../../src/protocol/hash-list-message.ts'
import { batchPath, filterPath, LISTS_PATH, searchPath } from '../../src/protocol/paths.ts'
import { decodeSearchAnswer } from '../../src/protocol/search-message.ts'
import { threatTypeNumber } from '../../src/protocol/threat-type.ts'
import type { AnsweredRequest, AppOptions } from '../../src/server/app.ts'
import { createApp } from '../../src/server/app.ts'
import { DEFAULT_LIMITS } from '../../src/server/limits.ts'
import { dataFolder } from '../support/publisher.ts'
import { verifyEd25519 } from '../support/signed-list.ts'

/** A server over what `publish` puts into force. */
function world(options: Partial<AppOptions> = {}) {
  const data = dataFolder()
  const seen: Request[] = []
  const answered: AnsweredRequest[] = []
  const app = createApp({
    store: data.store,
    clock: data.clock,
    logger: data.logger,
    onRequest: (request) => seen.push(request),
    onAnswer: (each) => answered.push(each),
    ...options,
  })
  const publish = async (lines: readonly string[], how: Parameters<typeof data.put>[1] = {}) => {
    const publication = await data.put(lines, how)
    data.store.reload()
    if (data.store.failure) throw data.store.failure
    return publication
  }
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    Promise.resolve(app.fetch(new Request(`http://lists.test${path}`, { headers, method })))
  const bytes = async (path: string, headers: Record<string, string> = {}) => {
    const response = await get(path, headers)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/x-protobuf')
    const body = new Uint8Array(await response.arrayBuffer())
    expect(response.headers.get('content-length')).toBe(String(body.length))
    return body
  }
  return { ...data, app, seen, answered, publish, get, bytes }
}

const json = async (response: Promise<Response>): Promise<unknown> => (await response).json()
const prefix = (expression: string) => fullHash(expression).subarray(0, 4)
const search = (...prefixes: readonly (Uint8Array | string)[]) =>
  `/v5/hashes:search?${prefixes.map((each) => `hashPrefixes=${encodeURIComponent(typeof each === 'string' ? each : toBase64(each))}`).join('&')}`
const refusal = (code: number, status: string, message: string) => ({ error: { code, status, message } })

describe('hashes:search', () => {
  test('answers with the full hashes of a prefix and their threat types', async () => {
    const { publish, bytes } = world()
    await publish(['evil.test'])
    const answer = decodeSearchAnswer(await bytes(searchPath(hashPrefix(fullHash('evil.test/')))))
    expect(answer).toEqual({
      cacheDurationMs: 300_000,
      fullHashes: [{ hash: new Uint8Array(fullHash('evil.test/')), details: [{ threatType: 2, attributes: [] }] }],
    })
    for (const { expression, threatType } of TEST_ENTRIES) {
      const { fullHashes } = decodeSearchAnswer(await bytes(search(prefix(expression))))
      expect(fullHashes[0]?.details).toEqual([{ threatType: threatTypeNumber(threatType), attributes: [] }])
    }
  })

  test('says for how long nothing is known, too', async () => {
    const { publish, bytes } = world()
    await publish(['evil.test'])
    expect(decodeSearchAnswer(await bytes(search(prefix('good.test/'))))).toEqual({ cacheDurationMs: 300_000, fullHashes: [] })
    expect(toHex(await bytes(search(prefix('good.test/'))))).toBe('120308ac02')
  })

  test('joins what several lists say about one hash', async () => {
    const { publish, bytes } = world()
    const items = (expression: string) => [{ entry: { expression, threatType: undefined, line: 1 } }]
    await publish([], {
      lists: [
        { stem: 'se', feeds: [{ name: 'a', items: items('evil.test/') }] },
        { stem: 'mw', feeds: [{ name: 'b', items: items('evil.test/') }] },
      ],
    })
    const { fullHashes } = decodeSearchAnswer(await bytes(search(prefix('evil.test/'))))
    expect(fullHashes.map(({ details }) => details.map(({ threatType }) => threatType))).toEqual([[2, 1]])
  })

  test('takes base64 of either alphabet, padded or not, and a repeated prefix once', async () => {
    const { publish, bytes } = world()
    // Its hash begins with bytes that need + and / in base64.
    const host = Array.from({ length: 100_000 }, (_, i) => `h${i}.test`).find((each) =>
      /^[^+/]*\+.*\/|^[^+/]*\/.*\+/.test(toBase64(prefix(`${each}/`))),
    )
    if (host === undefined) throw new Error('no such host')
    await publish([host])
    const padded = toBase64(prefix(`${host}/`))
    const urlSafe = padded.replaceAll('+', '-').replaceAll('/', '_')
    const forms = [padded, padded.replace(/=+$/, ''), urlSafe, urlSafe.replace(/=+$/, '')]
    for (const form of forms) expect(decodeSearchAnswer(await bytes(search(form))).fullHashes).toHaveLength(1)
    // Not escaped: a plus sign in a query stands for a space.
    expect(decodeSearchAnswer(await bytes(`/v5/hashes:search?hashPrefixes=${padded}`)).fullHashes).toHaveLength(1)
    expect(decodeSearchAnswer(await bytes(search(...forms))).fullHashes).toHaveLength(1)
  })

  test('takes the request as Chromium sends it', async () => {
    const { publish, bytes, get } = world()
    await publish(['evil.test'])
    const request = toBase64(new Uint8Array([0x0a, 4, ...prefix('evil.test/')]))
    const path = `/v5/hashes:search?$req=${encodeURIComponent(request)}&$ct=application/x-protobuf`
    expect(decodeSearchAnswer(await bytes(path)).fullHashes).toHaveLength(1)
    // Chromium's own vector: the prefix "aaaa".
    expect(decodeSearchAnswer(await bytes('/v5/hashes:search?$req=CgRhYWFh&$ct=application/x-protobuf')).fullHashes).toEqual([])
    for (const query of ['$req=CgRhYWFh&$ct=application/json', '$req=!', '$req=/////w==', '$req=']) {
      expect((await get(`/v5/hashes:search?${query}`)).status).toBe(400)
    }
  })

  test('takes up to 1,000 prefixes', async () => {
    const { publish, bytes, get } = world()
    const hosts = Array.from({ length: 1000 }, (_, i) => `evil${i}.test`)
    await publish(hosts)
    const prefixes = hosts.map((host) => prefix(`${host}/`))
    expect(decodeSearchAnswer(await bytes(search(...prefixes))).fullHashes.length).toBe(1000)
    expect(await json(get(search(...prefixes, 'AAAAAA')))).toEqual(refusal(400, 'INVALID_ARGUMENT', 'at most 1000 hashPrefixes'))
  })

  test.each([
    ['', 'hashPrefixes is missing'],
    ['?hashPrefix=AAAAAA', 'hashPrefixes is missing'],
    ['?hashPrefixes=', 'every hash prefix must have 4 bytes'],
    ['?hashPrefixes=AAAA', 'every hash prefix must have 4 bytes'],
    ['?hashPrefixes=AAAAAAA', 'every hash prefix must have 4 bytes'],
    ['?hashPrefixes=AAAAAA&hashPrefixes=AAAAAAAA', 'every hash prefix must have 4 bytes'],
    ['?hashPrefixes=A', 'a hash prefix is not base64'],
    ['?hashPrefixes=%00%00%00%00', 'a hash prefix is not base64'],
    ['?hashPrefixes=%F0%9F%98%80', 'a hash prefix is not base64'],
  ])('refuses %j', async (query, message) => {
    const { publish, get } = world()
    await publish([])
    const response = await get(`/v5/hashes:search${query}`)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual(refusal(400, 'INVALID_ARGUMENT', message))
  })

  test('answers in JSON to who asks for it', async () => {
    const { publish, get } = world()
    await publish(['evil.test'])
    const expected = {
      fullHashes: [{ fullHash: toBase64(fullHash('evil.test/')), fullHashDetails: [{ threatType: 'SOCIAL_ENGINEERING' }] }],
      cacheDuration: '300s',
    }
    const path = search(prefix('evil.test/'))
    expect(await json(get(`${path}&alt=json`))).toEqual(expected)
    expect(await json(get(`${path}&$alt=json;enum-encoding=string`))).toEqual(expected)
    expect(await json(get(path, { accept: 'application/json' }))).toEqual(expected)
    expect((await get(`${path}&alt=proto`, { accept: 'application/json' })).headers.get('content-type')).toBe('application/x-protobuf')
    expect(await json(get(`${search(prefix('good.test/'))}&alt=json`))).toEqual({ cacheDuration: '300s' })
  })

  test('may be kept by the client alone, and differs by Accept', async () => {
    const { publish, get } = world()
    await publish([])
    const { headers } = await get(search(prefix('good.test/')))
    expect(headers.get('cache-control')).toBe('private, max-age=300')
    expect(headers.get('vary')).toBe('Accept')
  })

  test('takes an escaped colon, and nothing else by that name', async () => {
    const { publish, get } = world()
    await publish([])
    expect((await get(search(prefix('a.test/')).replace(':', '%3A'))).status).toBe(200)
    for (const path of ['/v5/hashes', '/v5/hashes:find', '/v5/hashes:search/', '/v5/', '/v5', '/v4/hashes:search', '/v5/hashLists:list']) {
      expect(await json(get(path))).toEqual(refusal(404, 'NOT_FOUND', 'there is nothing at this address'))
    }
  })
})

describe('hash lists', () => {
  test('are sent as they were published', async () => {
    const { publish, bytes, published } = world()
    await publish(['evil.test'])
    const file = published.read('000001', 'se-4b.hashlist')
    expect(await bytes('/v5/hashList/se-4b')).toEqual(file)
    const batch = await bytes(batchPath(['se-4b'], []))
    expect(decodeBatch(batch)).toEqual([decodeHashList(file)])
    expect(applyUpdate(undefined, decodeHashList(file)).has(fullHash('evil.test/'))).toBe(true)
  })

  test('come in the order in which they were asked for, however large', async () => {
    const { publish, bytes } = world()
    const large = {
      name: 'large',
      items: Array.from({ length: 20_000 }, (_, i) => ({ entry: { expression: `e${i}.test/`, threatType: undefined, line: i } })),
    }
    await publish([], { lists: ['se', 'mw', 'pha'].map((stem) => ({ stem, feeds: stem === 'mw' ? [large] : [] })) })
    const updates = decodeBatch(await bytes(batchPath(['pha-4b', 'mw-4b', 'se-4b'], [])))
    expect(updates.map(({ name }) => name)).toEqual(['pha-4b', 'mw-4b', 'se-4b'])
    expect(updates.map((update) => applyUpdate(undefined, update).count)).toEqual([5, 20_005, 5])
  })

  test('change nothing for a client that holds this version, and still bring the signed state', async () => {
    const { publish, bytes, key } = world()
    await publish(['evil.test'])
    const [full] = decodeBatch(await bytes(batchPath(['se-4b'], [])))
    if (full === undefined) throw new Error('no list')
    const [same] = decodeBatch(await bytes(batchPath(['se-4b'], [full.version])))
    expect(same).toEqual({ ...full, partial: true, additions: undefined })
    if (same?.signed === undefined) throw new Error('not signed')
    await openStatement(same.signed, singleKey(key.publicKey), verifyEd25519)
    const list = applyUpdate(undefined, full)
    expect(applyUpdate(list, same).entries).toEqual(list.entries)
    const one = decodeHashList(await bytes(`/v5/hashList/se-4b?version=${encodeURIComponent(toBase64(full.version))}`))
    expect(one).toEqual(same)
    for (const unknown of ['9.9', '1.1x', '\u0000', '1.1 ']) {
      const version = new TextEncoder().encode(unknown)
      expect(decodeBatch(await bytes(batchPath(['se-4b'], [version])))[0]).toMatchObject({ partial: false })
    }
  })

  test('may be cached for the minimum wait', async () => {
    const { publish, get } = world()
    await publish([], { minimumWaitMs: 90_500 })
    const { headers } = await get(batchPath(['se-4b'], []))
    expect(headers.get('cache-control')).toBe('public, max-age=90')
    expect(headers.get('vary')).toBe('Accept')
  })

  test.each([
    ['/v5/hashLists:batchGet', 400, 'INVALID_ARGUMENT', 'names is missing'],
    ['/v5/hashLists:batchGet?names=se-4b&names=se-4b', 400, 'INVALID_ARGUMENT', 'a name is repeated'],
    ['/v5/hashLists:batchGet?names=se-4b&version=a&version=b', 400, 'INVALID_ARGUMENT', 'there are more versions than names'],
    ['/v5/hashLists:batchGet?names=se-4b&version=*', 400, 'INVALID_ARGUMENT', 'a version is not base64'],
    [`/v5/hashLists:batchGet?${Array.from({ length: 65 }, (_, i) => `names=${i}`).join('&')}`, 400, 'INVALID_ARGUMENT', 'at most 64 names'],
    ['/v5/hashLists:batchGet?names=se-4b&names=mw-4b', 404, 'NOT_FOUND', 'there is no list of this name'],
    ['/v5/hashList/mw-4b', 404, 'NOT_FOUND', 'there is no list of this name'],
    ['/v5/hashList/..%2F..%2Fetc%2Fpasswd', 404, 'NOT_FOUND', 'there is no list of this name'],
    ['/v5/hashList/constructor', 404, 'NOT_FOUND', 'there is no list of this name'],
    ['/v5/hashList/%FF', 404, 'NOT_FOUND', 'there is no list of this name'],
  ])('refuses %s', async (path, code, status, message) => {
    const { publish, get } = world()
    await publish([])
    const response = await get(path)
    expect(response.status).toBe(code)
    expect(await response.json()).toEqual(refusal(code, status, message))
  })

  test('are named, without their entries', async () => {
    const { publish, bytes, get } = world()
    await publish(['evil.test'], { lists: ['se', 'mw'].map((stem) => ({ stem, feeds: [] })) })
    const updates = decodeBatch(await bytes(LISTS_PATH))
    expect(updates.map(({ name, additions }) => [name, additions])).toEqual([
      ['se-4b', undefined],
      ['mw-4b', undefined],
    ])
    expect(await json(get(`${LISTS_PATH}?alt=json`))).toMatchObject({
      hashLists: [{ name: 'se-4b', metadata: { threatTypes: ['SOCIAL_ENGINEERING'], hashLength: 'FOUR_BYTES' } }, { name: 'mw-4b' }],
    })
  })

  test('come in JSON as well, with our own fields for who asks for them', async () => {
    const { publish, get, published } = world()
    await publish(['evil.test'])
    const update = decodeHashList(published.read('000001', 'se-4b.hashlist'))
    const plain = await json(get('/v5/hashList/se-4b?alt=json'))
    expect(plain).toMatchObject({
      name: 'se-4b',
      version: toBase64(update.version),
      minimumWaitDuration: '300s',
      sha256Checksum: toBase64(update.checksum),
      additionsFourBytes: { entriesCount: TEST_ENTRIES.length },
    })
    expect(plain).not.toHaveProperty('warySignedState')
    const own = await json(get('/v5/hashList/se-4b?alt=json&wary=1'))
    expect(own).toMatchObject({ warySignedState: { statement: toBase64(update.signed?.statement ?? new Uint8Array()) } })
    expect(await json(get(`${batchPath(['se-4b'], [])}&alt=json`))).toEqual({ hashLists: [plain] })
    const same = await json(get(`${batchPath(['se-4b'], [update.version])}&alt=json&wary=1`))
    expect(same).toMatchObject({ hashLists: [{ partialUpdate: true, warySignedState: {} }] })
    expect(JSON.stringify(same)).not.toContain('additions')
  })
})

describe('filters', () => {
  test('come with a signed statement about exactly these bytes', async () => {
    const { publish, get, published, key } = world()
    await publish(['evil.test'])
    const response = await get(filterPath('se-4b'))
    const body = new Uint8Array(await response.arrayBuffer())
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-length')).toBe(String(body.length))
    expect(body).toEqual(published.read('000001', 'se-4b.filter'))
    const statement = fromBase64(response.headers.get('wary-statement') ?? '')
    const [id = '', signature = ''] = (response.headers.get('wary-signature') ?? '').split(':')
    const signed = { statement, signatures: [{ keyId: fromHex(id), signature: fromBase64(signature) }] }
    const state = decodeFilterState(await openStatement(signed, singleKey(key.publicKey), verifyEd25519))
    expect(state).toMatchObject({ name: 'se-4b', byteLength: body.length, sequence: 1 })
  })

  test('are not sent again to who has them', async () => {
    const { publish, get } = world()
    await publish(['evil.test'])
    const { headers } = await get(filterPath('se-4b'))
    const etag = headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(filterPath('se-4b'), { 'if-none-match': tags })
      expect(again.status).toBe(304)
      expect(await again.text()).toBe('')
      // The statement may be a newer one than the client has.
      expect(again.headers.get('wary-statement')).toBe(headers.get('wary-statement'))
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('access-control-expose-headers')).toMatch(/\bETag\b.*\bWary-Signature, Wary-Statement, Wary-Version$/)
    }
    expect((await get(filterPath('se-4b'), { 'if-none-match': '"other"' })).status).toBe(200)
    await publish(['evil.test'])
    expect((await get(filterPath('se-4b'), { 'if-none-match': etag })).status).toBe(200)
    expect((await get(filterPath('mw-4b'))).status).toBe(404)
  })
})

describe('healthz', () => {
  test('says what is served', async () => {
    const { publish, get, clock } = world()
    const { keyId } = await publish(['evil.test'], { epoch: 2 })
    clock.advance(90_999)
    const response = await get('/healthz')
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      status: 'ok',
      uptimeSeconds: 90,
      version: '000001',
      epoch: 2,
      sequence: 1,
      issuedAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2026-01-08T00:00:00.000Z',
      keyId,
      lists: [{ name: 'se-4b', entries: 6 }],
    })
  })

  test('says when there is nothing, when lists have expired, and when the newest version is damaged', async () => {
    const { publish, put, get, clock, store, folder } = world()
    const empty = await get('/healthz')
    expect([empty.status, await empty.json()]).toEqual([503, { status: 'empty', uptimeSeconds: 0, lists: [] }])
    await publish([], { expiresInMs: 60_000 })
    clock.advance(60_000)
    expect(await json(get('/healthz'))).toMatchObject({ status: 'expired', sequence: 1 })
    await put([])
    rmSync(`${folder}/versions/000002/se-4b.filter`)
    store.reload()
    const degraded = await get('/healthz')
    expect(degraded.status).toBe(200)
    expect(await degraded.json()).toMatchObject({ status: 'degraded', sequence: 1, error: { code: 'publish-damaged' } })
  })
})

describe('pages', () => {
  const at = (host: string, path: string, app: { fetch(request: Request): Response | Promise<Response> }) =>
    Promise.resolve(app.fetch(new Request(`http://${host}${path}`)))

  test('there is one for every test entry, and a safe one', async () => {
    const { app } = world()
    const titles: string[] = []
    for (const expression of [...TEST_ENTRIES.map((entry) => entry.expression), 'safe.wary.test/']) {
      const [host = '', path] = [expression.slice(0, expression.indexOf('/')), expression.slice(expression.indexOf('/'))]
      const response = await at(`${host}:8750`, path, app)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      const html = await response.text()
      expect(html).not.toMatch(/<(script|img|iframe|style)/)
      titles.push(/<title>(.*)<\/title>/.exec(html)?.[1] ?? '')
    }
    expect(new Set(titles).size).toBe(titles.length)
    expect((await at('phishing.wary.test', '/other', app)).status).toBe(404)
    expect((await at('other.wary.test', '/page', app)).status).toBe(404)
  })

  test('the index says what this is and whose key signs', async () => {
    const { publish, app, get } = world()
    expect(await (await get('/')).text()).toContain('Nothing is published yet.')
    const { keys } = await publish([])
    expect(await (await get('/')).text()).toContain(toHex(keySetFingerprint(keys.set)))
    expect((await at('127.0.0.1:8750', '/?x=<script>', app)).status).toBe(200)
  })
})

describe('every answer', () => {
  const ANY = [
    '/',
    '/healthz',
    LISTS_PATH,
    searchPath(hashPrefix(fullHash('a.test/'))),
    filterPath('se-4b'),
    '/nothing',
    '/v5/hashes:search',
    '/v5/hashList/x',
  ]

  test('may be read by any origin, sets no cookie, and says nothing about the caller', async () => {
    const { publish, get } = world()
    await publish([])
    for (const path of ANY) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        const { headers } = await get(path, { origin: 'https://page.test', cookie: 'a=b' }, method)
        expect(headers.get('access-control-allow-origin')).toBe('*')
        expect(headers.get('access-control-allow-credentials')).toBeNull()
        expect(headers.get('set-cookie')).toBeNull()
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        expect(headers.get('referrer-policy')).toBe('no-referrer')
        expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      }
    }
  })

  test('to HEAD is that to GET without the body', async () => {
    const { publish, get } = world()
    await publish(['evil.test'])
    for (const path of ANY) {
      const [full, head] = [await get(path), await get(path, {}, 'HEAD')]
      expect(head.status).toBe(full.status)
      expect(await head.text()).toBe('')
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
        expect(head.headers.get(name)).toBe(full.headers.get(name))
    }
  })

  test('to another method is a refusal that names those that work', async () => {
    const { publish, get } = world()
    await publish([])
    for (const path of ANY) {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
        const response = await get(path, {}, method)
        expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
        expect([response.status, await response.json()]).toEqual([405, refusal(405, 'UNIMPLEMENTED', 'only GET, HEAD and OPTIONS')])
      }
      const preflight = await get(path, { origin: 'https://page.test', 'access-control-request-method': 'GET' }, 'OPTIONS')
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
      expect(preflight.headers.get('access-control-allow-headers')).toContain('If-None-Match')
    }
  })

  test('before anything is published is "not yet", for lists, filters and questions', async () => {
    const { get } = world()
    for (const path of [LISTS_PATH, searchPath(hashPrefix(fullHash('a.test/'))), batchPath(['se-4b'], []), filterPath('se-4b')]) {
      const response = await get(path)
      expect([response.status, await response.json()]).toEqual([503, refusal(503, 'UNAVAILABLE', 'nothing is published yet')])
    }
  })

  test('to an address over 64 KiB is a refusal', async () => {
    const { publish, get, answered } = world()
    await publish([])
    const fits = `/v5/hashes:search?${'x'.repeat(DEFAULT_LIMITS.urlLength - 'http://lists.test/v5/hashes:search?'.length)}`
    expect((await get(fits)).status).toBe(400)
    const response = await get(`${fits}x`)
    expect(response.status).toBe(414)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toEqual(refusal(414, 'INVALID_ARGUMENT', 'an address has at most 65536 characters'))
    expect(answered.map(({ status }) => status)).toEqual([400, 414])
  })

  test('that fails inside says nothing of why, the log does', async () => {
    const { logger, get } = world({
      store: {
        get edition(): never {
          throw new TypeError('secret detail')
        },
      } as never,
    })
    const response = await get(LISTS_PATH)
    expect([response.status, await response.json()]).toEqual([500, refusal(500, 'INTERNAL', 'the server failed; its log says why')])
    expect(logger.lines.at(-1)).toMatchObject({ event: 'request-failed', error: { message: 'TypeError: secret detail' } })
  })
})

test('the log has no query, and a witness has all of it', async () => {
  const { publish, get, answered, seen, logger, clock } = world()
  await publish(['evil.test'])
  const path = searchPath(hashPrefix(fullHash('evil.test/')))
  const response = await get(path, { 'user-agent': 'somebody' })
  await get(path, {}, 'HEAD')
  const bytes = (await response.arrayBuffer()).byteLength
  expect(answered).toEqual([
    { method: 'GET', path: '/v5/hashes:search', status: 200, bytes, ms: 0 },
    { method: 'HEAD', path: '/v5/hashes:search', status: 200, bytes: 0, ms: 0 },
  ])
  expect(seen[0]?.url).toBe(`http://lists.test${path}`)
  expect(JSON.stringify([answered, logger.lines])).not.toContain(path.split('=')[1])
  expect(clock.now()).toBeGreaterThan(0)
})

test('a request ends with the edition that it began with; the next one has the new edition', async () => {
  const { publish, bytes } = world()
  await publish(['old.test'])
  const before = bytes('/v5/hashList/se-4b')
  await publish(['new.test'])
  expect(applyUpdate(undefined, decodeHashList(await before)).has(fullHash('old.test/'))).toBe(true)
  expect(applyUpdate(undefined, decodeHashList(await bytes('/v5/hashList/se-4b'))).has(fullHash('new.test/'))).toBe(true)
})
