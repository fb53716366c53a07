import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { readPlain } from '../../src/feeds/plain.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { addEntries } from '../../src/filter/ready-hash.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { decodeFilterState } from '../../src/lists/filter-state.ts'
import { singleKey } from '../../src/lists/key-set.ts'
import { applyUpdate } from '../../src/lists/list-update.ts'
import { checkState, decodeListState, openStatement } from '../../src/lists/signed-state.ts'
import { TEST_ENTRIES } from '../../src/lists/test-entries.ts'
import { decodeHashList } from '../../src/protocol/hash-list-message.ts'
import { decodeSignedState } from '../../src/protocol/signed-state-message.ts'
import { FullHashFile } from '../../src/publisher/full-hash-file.ts'
import type { PublishedFolder } from '../../src/publisher/published-folder.ts'
import { PSL_VERSION } from '../../src/url/public-suffix.ts'
import { T0 } from '../support/fakes.ts'
import { dataFolder } from '../support/publisher.ts'
import { DAY, TestPublisher, verifyEd25519 } from '../support/signed-list.ts'

const failing = (code: string, message: RegExp) => expect.objectContaining({ code, message: expect.stringMatching(message) })
const feed = (name: string, ...lines: string[]) => ({ name, items: readPlain(lines.join('\n')) })
const version = (folder: PublishedFolder) => folder.current()?.version

/** What a published version says about one list, read as a client would. */
function readList(folder: PublishedFolder, name: string, at = version(folder) ?? '') {
  const update = decodeHashList(folder.read(at, `${name}.hashlist`))
  return {
    update,
    list: applyUpdate(undefined, update),
    fullHashes: new FullHashFile(folder.read(at, `${name}.fullhashes`)),
    filter: folder.read(at, `${name}.filter`),
    filterState: decodeSignedState(folder.read(at, `${name}.filter.state`)),
  }
}

describe('a publication', () => {
  test('says what was published', async () => {
    const { put, key } = dataFolder()
    const publication = await put(['evil.test', 'evil.test', 'phishing.wary.test', 'co.uk'])
    expect(publication).toMatchObject({
      version: '000001',
      epoch: 1,
      sequence: 1,
      issuedAt: T0,
      expiresAt: T0 + 7 * DAY,
      publicKey: toHex(key.publicKey),
      keyId: toHex(key.id),
      warnings: [],
      lists: [
        {
          name: 'se-4b',
          entries: TEST_ENTRIES.length + 1,
          entryLength: 4,
          feeds: [{ name: 'test', accepted: 3, repeated: 2, rejects: [{ line: 4, text: 'co.uk' }] }],
        },
      ],
    })
  })

  test('holds a list that a client takes, with the test entries and a signed state', async () => {
    const { put, key, published } = dataFolder()
    await put(['evil.test', 'other.test/page.html?x=1'], { minimumWaitMs: 90_000, epoch: 3, expiresInMs: DAY })
    const { update, list } = readList(published, 'se-4b')
    expect(update).toMatchObject({ name: 'se-4b', partial: false, removals: undefined, minimumWaitMs: 90_000 })
    expect(Buffer.from(update.version).toString()).toBe('3.1')
    for (const { expression } of TEST_ENTRIES) expect(list.has(fullHash(expression))).toBe(true)
    for (const expression of ['evil.test/', 'other.test/page.html?x=1']) expect(list.has(fullHash(expression))).toBe(true)
    expect(list.has(fullHash('other.test/'))).toBe(false)
    if (update.signed === undefined) throw new Error('not signed')
    const state = decodeListState(await openStatement(update.signed, singleKey(key.publicKey), verifyEd25519))
    checkState(state, list)
    expect(state).toMatchObject({ epoch: 3, sequence: 1, pslVersion: PSL_VERSION, issuedAt: T0, expiresAt: T0 + DAY })
    await expect(openStatement(update.signed, singleKey(new TestPublisher().publicKey), verifyEd25519)).rejects.toThrow(
      failing('state-key-unknown', /./),
    )
  })

  test('holds a filter of all entries, of a size that stays while the list changes a little, and its signed state', async () => {
    const { put, key, published } = dataFolder()
    await put(Array.from({ length: 500 }, (_, i) => `evil${i}.test`))
    const { list, filter, filterState } = readList(published, 'se-4b')
    const built = BloomFilter.create({ capacity: 512, rate: 1e-3 })
    addEntries(built, list.entries, 4)
    expect(filter).toEqual(built.toBytes())
    expect(BloomFilter.fromBytes(filter).expectedRate()).toBeLessThanOrEqual(1e-3)
    const state = decodeFilterState(await openStatement(filterState, singleKey(key.publicKey), verifyEd25519))
    expect(state).toMatchObject({ name: 'se-4b', epoch: 1, sequence: 1, entryCount: 505, byteLength: filter.length, issuedAt: T0 })
    expect(toHex(state.checksum)).toBe(createHash('sha256').update(filter).digest('hex'))
  })

  test('holds the full hashes, with the threat types of their feeds', async () => {
    const { put, published } = dataFolder()
    const items = [
      { entry: { expression: 'a.test/', threatType: undefined, line: 1 } },
      { entry: { expression: 'b.test/', threatType: 'MALWARE' as const, line: 2 } },
      { entry: { expression: 'a.test/', threatType: 'MALWARE' as const, line: 3 } },
    ]
    await put([], { lists: [{ stem: 'uws', feeds: [{ name: 'typed', items }] }] })
    const { fullHashes } = readList(published, 'uws-4b')
    const types = (expression: string) => fullHashes.withPrefix(fullHash(expression)).flatMap(({ threatTypes }) => threatTypes)
    expect(types('a.test/')).toEqual(['MALWARE', 'UNWANTED_SOFTWARE'])
    expect(types('b.test/')).toEqual(['MALWARE'])
    for (const { expression, threatType } of TEST_ENTRIES) expect(types(expression)).toEqual([threatType])
  })

  test('has 8-byte entries above 100,000', async () => {
    const { put, published } = dataFolder()
    const lines = Array.from({ length: 100_000 - TEST_ENTRIES.length }, (_, i) => `evil${i}.test`)
    expect((await put(lines)).lists[0]).toMatchObject({ name: 'se-4b', entryLength: 4 })
    const second = await put([...lines, 'one-more.test'])
    expect(second.lists[0]).toMatchObject({ name: 'se-8b', entryLength: 8, entries: 100_001 })
    expect(second.warnings).toEqual(['the list se-4b of the former version is not published any more'])
    expect(readList(published, 'se-8b').list.has(fullHash('one-more.test/'))).toBe(true)
    // Around the border it stays as it is, so that clients get deltas; well below, it goes back.
    const third = await put(lines.slice(0, 90_000))
    expect(third.lists[0]).toMatchObject({ name: 'se-8b', entries: 90_000 + TEST_ENTRIES.length })
    expect(third.lists[0]?.deltas).toHaveLength(1)
    expect((await put(lines.slice(0, 79_000))).lists[0]).toMatchObject({ name: 'se-4b' })
    expect((await put(lines.slice(0, 90_000))).lists[0]).toMatchObject({ name: 'se-4b' })
  })

  test('may have several lists of several feeds, and says progress', async () => {
    const { put, published } = dataFolder()
    const steps: string[] = []
    const lists = [
      { stem: 'se', feeds: [feed('first', 'a.test', 'b.test'), feed('second', 'b.test', 'c.test')] },
      { stem: 'mw', feeds: [feed('third', 'd.test')] },
      { stem: 'pha', feeds: [] },
    ]
    const { lists: published_ } = await put([], { lists, onProgress: (step) => steps.push(step) })
    expect(
      published_.map(({ name, entries, feeds }) => [
        name,
        entries,
        ...feeds.map((each) => `${each.name} ${each.accepted} ${each.repeated}`),
      ]),
    ).toEqual([
      ['se-4b', 8, 'first 2 0', 'second 2 1'],
      ['mw-4b', 6, 'third 1 0'],
      ['pha-4b', 5],
    ])
    expect(steps).toContain('reading second')
    expect(steps.at(-1)).toBe('writing')
    expect(published.manifest('000001').lists.map(({ name }) => name)).toEqual(['se-4b', 'mw-4b', 'pha-4b'])
  })

  test('is the same bytes for the same feeds, whatever their order', async () => {
    const first = dataFolder()
    await first.put(['a.test', 'b.test'])
    await first.put(['b.test', 'a.test'])
    expect(readList(first.published, 'se-4b').list.entries).toEqual(readList(first.published, 'se-4b', '000001').list.entries)
    for (const name of ['se-4b.filter', 'se-4b.fullhashes']) {
      expect(first.published.read('000002', name)).toEqual(first.published.read('000001', name))
    }
  })
})

describe('publishing again', () => {
  test('raises the sequence and keeps the epoch unless told to raise it', async () => {
    const { put, published } = dataFolder()
    const numbers = async (options = {}) => {
      const { epoch, sequence } = await put(['a.test'], options)
      return [epoch, sequence, version(published)]
    }
    expect(await numbers()).toEqual([1, 1, '000001'])
    expect(await numbers()).toEqual([1, 2, '000002'])
    expect(await numbers({ epoch: 4 })).toEqual([4, 3, '000003'])
    expect(await numbers()).toEqual([4, 4, '000004'])
    await expect(put(['a.test'], { epoch: 3 })).rejects.toThrow(failing('publish-failed', /cannot go back from 4 to 3/))
    expect(version(published)).toBe('000004')
  })

  test('keeps the last three versions and nothing else', async () => {
    const { put, folder } = dataFolder()
    for (let i = 0; i < 5; i++) await put([`a${i}.test`])
    mkdirSync(join(folder, 'versions', '.tmp-1-000009'))
    await put(['b.test'])
    expect(readdirSync(join(folder, 'versions')).sort()).toEqual(['000004', '000005', '000006'])
    expect(readdirSync(folder).sort()).toEqual(['bases', 'current', 'versions'])
  })

  test('never gives a number twice, also after somebody went back to an older version', async () => {
    const { put, folder, published } = dataFolder()
    for (let i = 0; i < 3; i++) await put([`a${i}.test`])
    writeFileSync(join(folder, 'current'), '000001\n')
    expect((await put(['b.test'])).sequence).toBe(4)
    rmSync(join(folder, 'current'))
    expect(version(published)).toBeUndefined()
    expect((await put(['b.test'])).sequence).toBe(5)
  })

  test('refuses to guess the epoch of a damaged folder, and goes on when it is told', async () => {
    const { put, folder, published } = dataFolder()
    await put(['a.test'])
    writeFileSync(join(folder, 'versions', '000001', 'manifest.json'), '{"format": 1')
    await expect(put(['a.test'])).rejects.toThrow(failing('publish-damaged', /version 000001: manifest\.json/))
    expect(await put(['a.test'], { epoch: 2 })).toMatchObject({ epoch: 2, sequence: 2 })
    writeFileSync(join(folder, 'current'), 'nonsense')
    await expect(put(['a.test'])).rejects.toThrow(failing('publish-damaged', /names no version/))
    expect(await put(['a.test'], { epoch: 3 })).toMatchObject({ epoch: 3, sequence: 3 })
    expect(version(published)).toBe('000003')
  })
})

describe('what cannot be published', () => {
  test.each([
    ['an unknown list', { lists: [{ stem: 'xx', feeds: [] }] }, 'publish-failed', /there is no list xx: choose mw, se, uws, pha/],
    ['a list by a name of every object', { lists: [{ stem: 'constructor', feeds: [] }] }, 'publish-failed', /there is no list constructor/],
    [
      'a list twice',
      {
        lists: [
          { stem: 'se', feeds: [] },
          { stem: 'se', feeds: [] },
        ],
      },
      'publish-failed',
      /se-4b is named twice/,
    ],
    ['no list', { lists: [] }, 'publish-failed', /no list is named/],
    ['what is past before it is out', { expiresInMs: 0 }, 'publish-failed', /a minute at least and ten years at most/],
    ['what never ends', { expiresInMs: Number.POSITIVE_INFINITY }, 'publish-failed', /ten years at most/],
    ['a filter rate that none has', { filterRate: 2 }, 'filter-parameter', /between 0 and 1/],
    ['an epoch that no number is', { epoch: 1.5 }, 'state-format', /cannot hold the number 1\.5/],
  ])('%s', async (_what, options, code, message) => {
    const { put, folder } = dataFolder()
    await expect(put(['a.test'], options)).rejects.toThrow(failing(code, message))
    expect(readdirSync(folder)).toEqual([])
  })

  test('a feed that is broken as a whole, and the former version stays', async () => {
    const { put, published, folder } = dataFolder()
    await put(['a.test'])
    const broken = {
      name: 'broken',
      get items(): never {
        throw new TypeError('no such feed')
      },
    }
    await expect(put([], { lists: [{ stem: 'se', feeds: [broken] }] })).rejects.toThrow('no such feed')
    expect(version(published)).toBe('000001')
    expect(readdirSync(folder).sort()).toEqual(['bases', 'current', 'versions'])
  })

  test('anything while another publish runs', async () => {
    const { put, folder } = dataFolder()
    writeFileSync(join(folder, '.publish-lock'), `${process.ppid}\n`)
    await expect(put(['a.test'])).rejects.toThrow(failing('publish-locked', new RegExp(`process ${process.ppid}`)))
    expect(existsSync(join(folder, 'versions'))).toBe(false)
  })
})

test('a publication can be read by anybody: nothing of the private key is in it', async () => {
  const { put, folder } = dataFolder()
  await put(['a.test'])
  for (const name of readdirSync(join(folder, 'versions', '000001'))) {
    expect(readFileSync(join(folder, 'versions', '000001', name)).includes('PRIVATE')).toBe(false)
  }
})
