import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { applyDelta } from '../../src/filter/bloom-delta.ts'
import { addEntries } from '../../src/filter/ready-hash.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { applyUpdate } from '../../src/lists/list-update.ts'
import { decodeHashList } from '../../src/protocol/hash-list-message.ts'
import { type FileSystem, realFileSystem } from '../../src/publisher/file-system.ts'
import { PublishedBases } from '../../src/publisher/published-bases.ts'
import { PublishedFolder } from '../../src/publisher/published-folder.ts'
import { PublishedStore } from '../../src/server/published-store.ts'
import { RecordingLogger } from '../support/fakes.ts'
import { dataFolder, temporaryFolder } from '../support/publisher.ts'

/**
 * Files whose `failing`th step fails: `once`, as when a disk is full for a moment, or with all that follow, as when the computer is switched off.
 * `torn`: a write that fails has written half of its bytes.
 */
function faulty(failing: number, manner: 'once' | 'from then on', torn: boolean): FileSystem & { readonly steps: string[] } {
  const steps: string[] = []
  const step = (name: string, half?: () => void): void => {
    steps.push(name)
    const fails = manner === 'once' ? steps.length === failing : steps.length >= failing
    if (!fails) return
    half?.()
    throw Object.assign(new Error(`no space left at step ${steps.length}`), { code: 'ENOSPC' })
  }
  return {
    steps,
    makeFolder: (path) => {
      step('makeFolder')
      realFileSystem.makeFolder(path)
    },
    write: (path, bytes) => {
      step('write', torn ? () => realFileSystem.write(path, bytes.subarray(0, bytes.length / 2)) : undefined)
      realFileSystem.write(path, bytes)
    },
    rename: (from, to) => {
      step('rename')
      realFileSystem.rename(from, to)
    },
    syncFolder: (path) => {
      step('syncFolder')
      realFileSystem.syncFolder(path)
    },
    remove: (path) => {
      step('remove')
      realFileSystem.remove(path)
    },
  }
}

/** What a server that starts now serves from `folder`, with every delta whole: by the host that only this or that version lists. */
function served(folder: string): string {
  const logger = new RecordingLogger()
  const store = new PublishedStore({ folder: new PublishedFolder(folder), logger })
  store.reload()
  if (store.failure) throw store.failure
  expect(logger.events()).toEqual(['edition'])
  const lists = store.edition?.lists.get('se-4b')
  return ['old.test', 'new.test', 'later.test'].filter((host) => lists?.fullHashes.withPrefix(fullHash(`${host}/`)).length === 1).join(' ')
}

/** That each version which the newest one has deltas from leads to it, and what is kept is what it names. */
function deltasLead(folder: string): void {
  const published = new PublishedFolder(folder)
  const { version } = published.current() ?? { version: '' }
  const manifest = published.manifest(version)
  const kept = new PublishedBases(folder, realFileSystem)
  const bases = manifest.lists[0]?.bases ?? []
  const own = `${manifest.epoch}.${manifest.sequence}`
  expect(kept.versions('se-4b')).toEqual([own, ...bases.map((base) => base.version)])
  expect(kept.counted('se-4b')).toBe(own)
  const list = applyUpdate(undefined, decodeHashList(published.read(version, 'se-4b.hashlist')))
  for (const { version: from, list: hasList, filter: hasFilter } of bases) {
    const base = kept.read('se-4b', from)
    if (hasList)
      expect(applyUpdate(base.list, decodeHashList(published.read(version, `se-4b.from-${from}.hashlist`))).entries).toEqual(list.entries)
    if (hasFilter)
      expect(applyDelta(base.filter(), published.read(version, `se-4b.from-${from}.filter`)).toBytes()).toEqual(
        published.read(version, 'se-4b.filter'),
      )
  }
  const fresh = BloomFilter.create({ capacity: BloomFilter.fromBytes(published.read(version, 'se-4b.filter')).capacity, rate: 1e-3 })
  addEntries(fresh, list.entries, 4)
  expect(published.read(version, 'se-4b.filter')).toEqual(fresh.toBytes())
}

/** Manifest, list, full hashes, filter and its state, deltas of list and filter. */
const FILES = 7

/** A folder with one version, copied for each attempt because publishing is what takes the time. */
async function before() {
  const world = dataFolder()
  await world.put(['old.test'])
  return {
    ...world,
    copy: () => {
      const folder = temporaryFolder()
      cpSync(world.folder, folder, { recursive: true })
      return folder
    },
  }
}

async function countSteps(): Promise<readonly string[]> {
  const { put, copy } = await before()
  const files = faulty(0, 'once', false)
  await put(['new.test'], { dataFolder: copy(), files })
  return files.steps
}

/** Files, their folder, its name; copies for later deltas, their folders; the pointer, its name; then what no longer matters. */
const STEPS = [
  ...['makeFolder', ...Array<string>(FILES).fill('write'), 'syncFolder', 'rename', 'syncFolder'],
  ...['makeFolder', 'write', 'write', 'write', 'syncFolder', 'syncFolder'],
  ...['write', 'rename', 'syncFolder', 'remove'],
]
const SWAP = STEPS.lastIndexOf('rename') + 1

test('these are the steps of a publish', async () => {
  expect(await countSteps()).toEqual(STEPS)
})

describe.each(['once', 'from then on'] as const)('a step that fails, %s', (manner) => {
  test.each(STEPS.map((name, i) => [i + 1, name] as const))(
    'step %i, %s: the former version is served, or the new one as a whole',
    async (at, _name) => {
      const { put, copy } = await before()
      for (const torn of [false, true]) {
        const folder = copy()
        const files = faulty(at, manner, torn)
        const attempt = put(['new.test'], { dataFolder: folder, files })
        if (at <= SWAP) {
          await expect(attempt).rejects.toThrow(
            expect.objectContaining({
              code: 'publish-failed',
              message: expect.stringMatching(/^nothing was published, the former version stays: .*no space left at step/),
            }),
          )
          expect(served(folder)).toBe('old.test')
          if (manner === 'once') expect(readdirSync(join(folder, 'versions')).filter((name) => name.startsWith('.'))).toEqual([])
        } else {
          expect((await attempt).warnings).not.toEqual([])
          expect(served(folder)).toBe('new.test')
        }
        // The next one finds its way through whatever was left, and cleans it up.
        const { sequence } = await put(['later.test'], { dataFolder: folder })
        expect(sequence).toBeGreaterThan(at <= SWAP ? 1 : 2)
        expect(served(folder)).toBe('later.test')
        deltasLead(folder)
        expect(readdirSync(folder).sort()).toEqual(['bases', 'current', 'versions'])
        expect(readdirSync(join(folder, 'versions')).every((name) => /^\d{6}$/.test(name))).toBe(true)
      }
    },
  )
})

test('old versions that cannot be removed are a warning, not a failure', async () => {
  const { put, folder } = dataFolder()
  for (let i = 0; i < 3; i++) await put(['old.test'])
  const files: FileSystem = {
    ...realFileSystem,
    remove: () => {
      throw Object.assign(new Error('EBUSY: in use'), { code: 'EBUSY' })
    },
  }
  expect((await put(['new.test'], { files })).warnings).toEqual(Array(2).fill('Error: EBUSY: in use'))
  expect(served(folder)).toBe('new.test')
})

test('the very first publish leaves nothing when it fails', async () => {
  const { put, folder, store } = dataFolder()
  await expect(put(['new.test'], { files: faulty(3, 'once', true) })).rejects.toThrow(expect.objectContaining({ code: 'publish-failed' }))
  expect(readdirSync(join(folder, 'versions'))).toEqual([])
  expect(store.reload()).toBe(false)
  expect(store.failure).toBeUndefined()
})
