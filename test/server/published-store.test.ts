import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { encodeFilterState } from '../../src/lists/filter-state.ts'
import { encodeSignedState } from '../../src/protocol/signed-state-message.ts'
import { FullHashCollection } from '../../src/publisher/full-hash-file.ts'
import type { Signer } from '../../src/publisher/key-file.ts'
import { PublishedFolder } from '../../src/publisher/published-folder.ts'
import { PublishedStore } from '../../src/server/published-store.ts'
import { RecordingLogger } from '../support/fakes.ts'
import { dataFolder } from '../support/publisher.ts'
import { TestPublisher } from '../support/signed-list.ts'

const knows = (store: PublishedStore, host: string) =>
  store.edition?.lists.get('se-4b')?.fullHashes.withPrefix(fullHash(`${host}/`)).length === 1
const file = (folder: string, version: string, name: string) => join(folder, 'versions', version, name)

test('follows what is published, and costs nothing while it stays', async () => {
  const { put, store, logger } = dataFolder()
  expect(store.reload()).toBe(false)
  expect([store.edition, store.failure]).toEqual([undefined, undefined])
  await put(['old.test'])
  expect([store.reload(), store.reload()]).toEqual([true, false])
  expect(knows(store, 'old.test')).toBe(true)
  await put(['new.test'])
  expect(store.reload()).toBe(true)
  expect([knows(store, 'old.test'), knows(store, 'new.test')]).toEqual([false, true])
  expect(logger.events()).toEqual(['edition', 'edition'])
})

test('notices a folder that was made anew with the same version number', async () => {
  const { put, store, folder } = dataFolder()
  await put(['old.test'])
  store.reload()
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  expect(store.reload()).toBe(false)
  expect(knows(store, 'old.test')).toBe(true)
  await put(['new.test'])
  expect(store.edition?.version).toBe('000001')
  expect(store.reload()).toBe(true)
  expect(knows(store, 'new.test')).toBe(true)
})

describe('a damaged version', () => {
  const flip = (path: string, at: number) => {
    const bytes = readFileSync(path)
    const index = at < 0 ? bytes.length + at : at
    bytes[index] = (bytes[index] ?? 0) ^ 1
    writeFileSync(path, bytes)
  }
  const { key: stranger } = new TestPublisher()
  const cases: [string, (folder: string, key: Signer) => void, string][] = [
    ['an entry flipped', (folder) => flip(file(folder, '000002', 'se-4b.hashlist'), 30), 'list-'],
    [
      'the list cut',
      (folder) =>
        writeFileSync(file(folder, '000002', 'se-4b.hashlist'), readFileSync(file(folder, '000002', 'se-4b.hashlist')).subarray(0, 60)),
      'list-',
    ],
    [
      'the list of another version',
      (folder) => writeFileSync(file(folder, '000002', 'se-4b.hashlist'), readFileSync(file(folder, '000001', 'se-4b.hashlist'))),
      'state-mismatch',
    ],
    [
      'the full hashes of another version',
      (folder) => writeFileSync(file(folder, '000002', 'se-4b.fullhashes'), readFileSync(file(folder, '000001', 'se-4b.fullhashes'))),
      'publish-damaged',
    ],
    [
      'a full hash too many',
      (folder) => writeFileSync(file(folder, '000002', 'se-4b.fullhashes'), hashes('new.test/', 'more.test/')),
      'publish-damaged',
    ],
    ['a full hash too few', (folder) => writeFileSync(file(folder, '000002', 'se-4b.fullhashes'), hashes()), 'publish-damaged'],
    ['a full hash flipped', (folder) => flip(file(folder, '000002', 'se-4b.fullhashes'), 20), 'publish-damaged'],
    ['the filter flipped', (folder) => flip(file(folder, '000002', 'se-4b.filter'), -1), 'state-mismatch'],
    [
      'the filter of another version',
      (folder) => writeFileSync(file(folder, '000002', 'se-4b.filter'), readFileSync(file(folder, '000001', 'se-4b.filter'))),
      'state-mismatch',
    ],
    [
      'the filter signed by a stranger',
      (folder) => writeFileSync(file(folder, '000002', 'se-4b.filter.state'), strange(folder)),
      'state-key-unknown',
    ],
    [
      'a filter that denies an entry, signed by the publisher',
      (folder, key) => {
        const bytes = BloomFilter.create({ capacity: 6, rate: 1e-3 }).toBytes()
        writeFileSync(file(folder, '000002', 'se-4b.filter'), bytes)
        writeFileSync(file(folder, '000002', 'se-4b.filter.state'), signedFilter(bytes, key))
      },
      'publish-damaged',
    ],
    ['a signature flipped', (folder) => flip(file(folder, '000002', 'se-4b.filter.state'), -1), 'state-signature'],
    ['no filter state', (folder) => writeFileSync(file(folder, '000002', 'se-4b.filter.state'), 'nonsense'), 'state-format'],
    ['no manifest', (folder) => rmSync(file(folder, '000002', 'manifest.json')), 'publish-damaged'],
    ['a manifest of another edition', (folder) => manifest(folder, (text) => text.replace('"epoch": 1', '"epoch": 0')), 'state-mismatch'],
    ['a manifest with another list', (folder) => manifest(folder, (text) => text.replace('se-4b', 'mw-4b')), 'publish-damaged'],
    ['no version', (folder) => rmSync(join(folder, 'versions', '000002'), { recursive: true }), 'publish-damaged'],
    ['a pointer to nowhere', (folder) => writeFileSync(join(folder, 'current'), '../../etc\n'), 'publish-damaged'],
  ]

  function hashes(...expressions: string[]): Uint8Array {
    const collection = new FullHashCollection()
    for (const expression of expressions) collection.add(fullHash(expression), 'MALWARE')
    return collection.toBytes()
  }
  function manifest(folder: string, change: (text: string) => string): void {
    const path = file(folder, '000002', 'manifest.json')
    writeFileSync(path, change(readFileSync(path, 'utf8')))
  }
  function strange(folder: string): Uint8Array {
    return signedFilter(readFileSync(file(folder, '000002', 'se-4b.filter')), stranger)
  }
  function signedFilter(bytes: Uint8Array, key: Signer): Uint8Array {
    const checksum = createHash('sha256').update(bytes).digest()
    const about = { name: 'se-4b', epoch: 1, sequence: 2, entryCount: 6, byteLength: bytes.length, issuedAt: 0, expiresAt: 1e12 }
    return encodeSignedState(key.signed(encodeFilterState({ ...about, checksum })))
  }

  test.each(cases)('%s: is named, the former one stays, the next good one is taken', async (_what, damage, code) => {
    const { put, store, folder, logger, key } = dataFolder()
    await put(['old.test', 'shared.test'])
    store.reload()
    await put(['new.test'])
    damage(folder, key)
    expect(store.reload()).toBe(false)
    expect(store.failure?.code).toContain(code)
    expect(knows(store, 'old.test')).toBe(true)
    expect(store.edition?.version).toBe('000001')
    expect(logger.lines.at(-1)).toMatchObject({ event: 'edition-refused', facts: { served: '000001' } })
    // A server that starts now has no former one.
    const late = new PublishedStore({ folder: new PublishedFolder(folder), logger: new RecordingLogger() })
    expect([late.reload(), late.edition, late.failure?.code]).toEqual([false, undefined, store.failure?.code])
    await put(['newer.test'], { epoch: 1 })
    expect(store.reload()).toBe(true)
    expect(store.failure).toBeUndefined()
    expect(knows(store, 'newer.test')).toBe(true)
  })

  test('is logged once and read again less and less often, so that a version that is still being copied is served in the end', async () => {
    const { put, store, folder, logger } = dataFolder()
    await put(['old.test'])
    renameSync(join(folder, 'versions', '000001'), join(folder, 'versions', 'coming'))
    store.reload()
    renameSync(join(folder, 'versions', 'coming'), join(folder, 'versions', '000001'))
    const calls: number[] = []
    for (let call = 1; call <= 3 && calls.length === 0; call++) if (store.reload()) calls.push(call)
    expect(calls).toEqual([2])

    rmSync(file(folder, '000001', 'se-4b.filter'))
    await put(['new.test'])
    rmSync(file(folder, '000002', 'se-4b.filter'))
    let reads = 0
    const counting = new PublishedFolder(folder)
    const manifestOf = counting.manifest.bind(counting)
    counting.manifest = (version) => {
      reads++
      return manifestOf(version)
    }
    const other = new PublishedStore({ folder: counting, logger })
    const before = logger.lines.length
    for (let second = 0; second < 600; second++) other.reload()
    expect(reads).toBeLessThan(20)
    expect(reads).toBeGreaterThan(10)
    expect(logger.lines.length - before).toBe(1)
  })
})
