import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromHex } from '../../src/bytes.ts'
import { HashList } from '../../src/lists/hash-list.ts'
import { encodeHashList } from '../../src/protocol/hash-list-message.ts'
import { jsonOf, waryHere } from '../support/cli.ts'
import { dataFolder, temporaryFolder } from '../support/publisher.ts'

function listFile(folder: string, entries: readonly string[], version = 1, entryLength: 4 | 8 = 4, name = 'se-4b'): string {
  const path = join(folder, `${readdirSync(folder).length}.hashlist`)
  const list = HashList.fromUnsorted({ name, version: Uint8Array.of(version), entryLength, entries: fromHex(entries.join('')) })
  writeFileSync(
    path,
    encodeHashList({
      name,
      version: list.version,
      partial: false,
      additions: { entryLength, entries: list.entries },
      removals: undefined,
      checksum: list.checksum(),
      minimumWaitMs: 0,
      signed: undefined,
    }),
  )
  return path
}

const diff = (...args: string[]) => waryHere(['list', 'diff', ...args])

test('says what is in one list only, and how large the update is', async () => {
  const folder = temporaryFolder()
  const a = listFile(folder, ['00000001', '00000002', 'ffffffff'], 1)
  const b = listFile(folder, ['00000002', '80000000', 'fffffffe', 'ffffffff'], 2)
  const facts = jsonOf(await diff(a, b, '--json'))
  expect(facts).toEqual({
    from: { name: 'se-4b', version: '01', entries: 3 },
    to: { name: 'se-4b', version: '02', entries: 4 },
    entryLength: 4,
    removals: 1,
    additions: 2,
    kept: 2,
    deltaBytes: expect.any(Number),
    wholeBytes: expect.any(Number),
  })
  expect(jsonOf(await diff(a, b, '--json', '--entries'))).toEqual({ ...facts, removed: ['00000001'], added: ['80000000', 'fffffffe'] })
  const shown = await diff(a, b, '--entries')
  expect([shown.code, shown.stderr]).toEqual([0, ''])
  expect(shown.stdout).toMatch(/only in A +1\n.*only in B +2\n.*in both +2\n/)
  expect(shown.stdout.split('\n').filter((line) => /^[-+]/.test(line))).toEqual(['-00000001', '+80000000', '+fffffffe'])
  expect((await diff(a, a)).stdout).toMatch(/only in A +0\n.*only in B +0\n/)
})

test('agrees with sets of lines', async () => {
  const folder = temporaryFolder()
  const entries = fc.uniqueArray(
    fc.integer({ min: 0, max: 60 }).map((n) => (n * 71_582_788).toString(16).padStart(8, '0')),
    { maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(entries, entries, async (before, after) => {
      const { stdout } = await diff(listFile(folder, before), listFile(folder, after), '--entries')
      const lines = stdout.split('\n').filter((line) => /^[-+]/.test(line))
      const gone = before.filter((each) => !after.includes(each)).map((each) => `-${each}`)
      const come = after.filter((each) => !before.includes(each)).map((each) => `+${each}`)
      expect(lines).toEqual([...gone, ...come].sort((x, y) => (x.slice(1) < y.slice(1) ? -1 : 1)))
    }),
    { numRuns: 50 },
  )
})

test('takes what a publisher keeps: two versions, or a version and a delta to the next', async () => {
  const { put, folder } = dataFolder()
  const hosts = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `evil${from + i}.test`)
  await put(hosts(0, 200))
  await put(hosts(3, 201))
  const file = (version: string, name: string) => join(folder, 'versions', version, name)
  const whole = jsonOf(await diff(file('000001', 'se-4b.hashlist'), file('000002', 'se-4b.hashlist'), '--json'))
  expect(whole).toMatchObject({ removals: 3, additions: 1, kept: 202 })
  expect(jsonOf(await diff(file('000001', 'se-4b.hashlist'), file('000002', 'se-4b.from-1.1.hashlist'), '--json'))).toEqual(whole)
})

test('refuses what cannot be compared', async () => {
  const folder = temporaryFolder()
  const a = listFile(folder, ['00000001'])
  const b = listFile(folder, ['0000000100000000'], 1, 8, 'se-8b')
  const c = listFile(folder, ['00000001'], 1, 4, 'mw-4b')
  expect(await diff(a, b)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^wary: list-format: entries of 4 bytes in .*, of 8 in /),
  })
  expect(await diff(a, c)).toMatchObject({ code: 0, stderr: expect.stringMatching(/^note: .* is about se-4b, but .* about mw-4b/) })
  expect(await diff(a, join(folder, 'nothing'))).toMatchObject({ code: 1, stderr: expect.stringMatching(/^wary: file-failed/) })
  expect(await diff(a)).toMatchObject({ code: 2 })
})
