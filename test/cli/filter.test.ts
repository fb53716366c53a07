import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { optimalSize, textbookSize } from '../../src/filter/parameters.ts'
import { jsonOf, wary, waryHere } from '../support/cli.ts'
import { dataFolder, temporaryFolder } from '../support/publisher.ts'

test('as a program: builds from standard input, describes, and answers by exit code', async () => {
  const cwd = temporaryFolder()
  const built = await wary(['filter', 'build', '--out', 'names.filter'], { cwd, stdin: 'evil.test\r\n\nworse.test\nevil.test' })
  expect(built).toMatchObject({ code: 0, stderr: '' })
  expect(built.stdout).toMatch(/^Wrote names\.filter\n.* {2}entries {13}2 of 2\n/s)
  expect(readdirSync(cwd)).toEqual(['names.filter'])
  const [info, maybe, missing] = await Promise.all([
    wary(['filter', 'info', 'names.filter'], { cwd }),
    wary(['filter', 'query', 'names.filter', 'good.test', 'evil.test'], { cwd }),
    wary(['filter', 'query', 'nosuch.filter', 'good.test'], { cwd }),
  ])
  expect(info.stdout).toBe(`${built.stdout.replace('Wrote ', '')}  checksum            holds\n`)
  const no = await waryHere(['filter', 'query', join(cwd, 'names.filter'), 'good.test', 'better.test'])
  expect(no).toEqual({ code: 0, stdout: '  no  good.test\n  no  better.test\n', stderr: '' })
  expect(maybe).toEqual({ code: 1, stdout: '  no     good.test\n  maybe  evil.test\n', stderr: '' })
  expect(missing).toEqual({ code: 1, stdout: '', stderr: 'wary: file-failed: nosuch.filter: no such file or directory\n' })
})

test('keeps the rate that is asked for, for the capacity that is asked for', async () => {
  const out = join(temporaryFolder(), 'f')
  const stdin = async () => new TextEncoder().encode('a\nb\nc')
  const facts = jsonOf(await waryHere(['filter', 'build', '-', '--rate', '1e-2', '--capacity', '1000', '--out', out, '--json'], { stdin }))
  const size = optimalSize(1000, 0.01)
  expect(facts).toMatchObject({
    file: out,
    kind: 'bloom',
    ...size,
    seed: 0,
    capacity: 1000,
    entries: 3,
    bytes: 48 + Math.ceil(size.bits / 8),
  })
  expect(facts.rateWhenFull).toBeLessThanOrEqual(0.01)
  expect(facts.rateWhenFull).toBeGreaterThan(0.0099)
  expect(facts.expectedRate).toBeLessThan(1e-9)
  // Three keys of seven probes each, hardly any of them in the same place.
  expect(Number(facts.fill) * size.bits).toBeGreaterThan(18)
  const textbook = textbookSize(1000, Number(facts.rateWhenFull))
  expect(facts.textbook).toMatchObject(textbook)
  expect(jsonOf(await waryHere(['filter', 'info', out, '--json']))).toEqual({ ...facts, formatVersion: 2, holds: true })
})

test('says when there are more keys than room', async () => {
  const out = join(temporaryFolder(), 'f')
  const keys = join(temporaryFolder(), 'keys.txt')
  writeFileSync(keys, Array.from({ length: 100 }, (_, i) => `key${i}`).join('\n'))
  const built = await waryHere(['filter', 'build', keys, '--capacity', '10', '--out', out])
  expect(built).toMatchObject({ code: 0, stderr: 'note: 100 keys in room for 10; there will be more false positives than 0.001\n' })
  const filter = BloomFilter.fromBytes(readFileSync(out))
  expect(filter.count).toBe(100)
  expect(filter.mightContain('key99')).toBe(true)
})

test('builds of a published list what is published with it', async () => {
  const { folder, put } = dataFolder()
  await put(['evil.test', 'worse.test'])
  const version = join(folder, 'versions', '000001')
  const out = join(folder, 'again.filter')
  expect(await waryHere(['filter', 'build', '--hash-list', join(version, 'se-4b.hashlist'), '--out', out])).toMatchObject({ code: 0 })
  expect(readFileSync(out)).toEqual(readFileSync(join(version, 'se-4b.filter')))
  // phishing.wary.test/
  expect(jsonOf(await waryHere(['filter', 'query', out, '--hash', '85b49f5b', '00000000', '--json']))).toEqual({
    file: out,
    answers: [
      { key: '85b49f5b', answer: 'maybe' },
      { key: '00000000', answer: 'no' },
    ],
  })
})

test('refuses what is no filter or no list, and leaves no half file', async () => {
  const folder = temporaryFolder()
  const junk = join(folder, 'junk')
  writeFileSync(junk, 'junk'.repeat(20))
  const out = join(folder, 'out')
  expect((await waryHere(['filter', 'info', junk])).stderr).toMatch(
    /^wary: filter-format: .*junk: not a filter file; give a LIST\.filter file/,
  )
  expect((await waryHere(['filter', 'query', junk, 'x'])).code).toBe(1)
  expect((await waryHere(['filter', 'build', '--hash-list', junk, '--out', out])).stderr).toMatch(/^wary: list-format: /)
  const nowhere = await waryHere(['filter', 'build', junk, '--out', join(folder, 'no', 'f')])
  expect(nowhere).toMatchObject({ code: 1, stderr: `wary: file-failed: ${join(folder, 'no', 'f')}: no such file or directory\n` })
  const folderItself = await waryHere(['filter', 'build', junk, '--out', folder])
  expect(folderItself).toMatchObject({ code: 1, stderr: expect.stringMatching(/^wary: file-failed: /) })
  const huge = await waryHere(['filter', 'build', junk, '--capacity', '9999999999', '--out', out])
  expect(huge).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^wary: filter-parameter: .*\("wary filter build --help" says more\)\n$/),
  })
  expect(existsSync(out)).toBe(false)
  expect(readdirSync(folder)).toEqual(['junk'])
})

test('an empty list of keys makes a filter that holds nothing', async () => {
  const out = join(temporaryFolder(), 'f')
  expect(jsonOf(await waryHere(['filter', 'build', '--out', out, '--json']))).toMatchObject({
    entries: 0,
    capacity: 1,
    fill: 0,
    expectedRate: 0,
  })
  expect((await waryHere(['filter', 'query', out, ''])).code).toBe(0)
})
