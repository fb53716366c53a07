import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fullHash } from '../../src/hash/full-hash.ts'
import { type FileSystem, realFileSystem } from '../../src/publisher/file-system.ts'
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

/** What a server that starts now serves from `folder`: by the host that only this or that version lists. */
function served(folder: string): string {
  const store = new PublishedStore({ folder: new PublishedFolder(folder), logger: new RecordingLogger() })
  store.reload()
  if (store.failure) throw store.failure
  const lists = store.edition?.lists.get('se-4b')
  return ['old.test', 'new.test', 'later.test'].filter((host) => lists?.fullHashes.withPrefix(fullHash(`${host}/`)).length === 1).join(' ')
}

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

/** Five files, their folder, its name; the pointer, its name; then what no longer matters. */
const STEPS = ['makeFolder', ...Array<string>(5).fill('write'), 'syncFolder', 'rename', 'syncFolder', 'write', 'rename', 'syncFolder']
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
        expect(readdirSync(folder).sort()).toEqual(['current', 'versions'])
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
  expect((await put(['new.test'], { files })).warnings).toEqual(['Error: EBUSY: in use'])
  expect(served(folder)).toBe('new.test')
})

test('the very first publish leaves nothing when it fails', async () => {
  const { put, folder, store } = dataFolder()
  await expect(put(['new.test'], { files: faulty(3, 'once', true) })).rejects.toThrow(expect.objectContaining({ code: 'publish-failed' }))
  expect(readdirSync(join(folder, 'versions'))).toEqual([])
  expect(store.reload()).toBe(false)
  expect(store.failure).toBeUndefined()
})
