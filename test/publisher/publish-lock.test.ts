import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withPublishLock } from '../../src/publisher/publish-lock.ts'
import { temporaryFolder } from '../support/publisher.ts'

/** Id of a process that has ended. */
function deadProcess(): number {
  return spawnSync(process.execPath, ['-e', '']).pid
}

const locked = (message: RegExp) => expect.objectContaining({ code: 'publish-locked', message: expect.stringMatching(message) })

test('one at a time: the second is refused and told by whom', async () => {
  const folder = temporaryFolder()
  let release: () => void = () => undefined
  const first = withPublishLock(folder, () => new Promise<void>((resolve) => (release = resolve)))
  const lock = join(folder, '.publish-lock')
  expect(readFileSync(lock, 'utf8')).toBe(`${process.pid}\n`)
  await expect(withPublishLock(folder, async () => 1)).rejects.toThrow(
    locked(new RegExp(`\\(process ${process.pid}\\): wait for it; .*remove ${lock}`)),
  )
  release()
  await first
  expect(await withPublishLock(folder, async () => 2)).toBe(2)
  expect(readdirSync(folder)).toEqual([])
})

test('is free again after a failure', async () => {
  const folder = temporaryFolder()
  await expect(withPublishLock(folder, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(readdirSync(folder)).toEqual([])
})

test('a lock of a process that is gone is taken over', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, '.publish-lock'), `${deadProcess()}\n`)
  expect(await withPublishLock(folder, async () => 1)).toBe(1)
  expect(readdirSync(folder)).toEqual([])
})

test.each(['', 'nonsense', '-1', '0', '99999999999'])('so is one that names no process (%j)', async (text) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, '.publish-lock'), text)
  expect(await withPublishLock(folder, async () => 1)).toBe(1)
  expect(readdirSync(folder)).toEqual([])
})

test('so is one of an earlier process that had the id of this one, as in containers', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, '.publish-lock'), `${process.pid}\n`)
  expect(await withPublishLock(folder, async () => 1)).toBe(1)
})

test('a lock of a living process holds', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, '.publish-lock'), `${process.ppid}\n`)
  await expect(withPublishLock(folder, async () => 1)).rejects.toThrow(locked(new RegExp(`process ${process.ppid}`)))
  expect(readdirSync(folder)).toEqual(['.publish-lock'])
})

test('a folder that cannot be made is named', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  await expect(withPublishLock(join(file, 'data'), async () => 1)).rejects.toThrow(
    expect.objectContaining({ code: 'publish-failed', message: expect.stringContaining('cannot be written') }),
  )
  expect(existsSync(file)).toBe(true)
})
