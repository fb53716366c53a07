import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { QuotientFilter } from '../../src/filter/quotient.ts'
import { waryHere } from '../support/cli.ts'
import { temporaryFolder } from '../support/publisher.ts'

function filterFile(
  keys: readonly (string | Uint8Array)[],
  filter: BloomFilter | QuotientFilter = QuotientFilter.create({ capacity: 100, rate: 1e-6 }),
): string {
  const path = join(temporaryFolder(), 'f')
  for (const key of keys) filter.add(key)
  writeFileSync(path, filter.toBytes())
  return path
}

const stdin = (text: string) => ({ stdin: async () => new TextEncoder().encode(text) })

test('answers each line of standard input by a line', async () => {
  const path = filterFile(['evil.test', 'worse.test'])
  expect(await waryHere(['filter', 'query', path, '-'], stdin('evil.test\r\n\ngood.test\nworse.test'))).toEqual({
    code: 1,
    stdout: '  maybe  evil.test\n  no     \n  no     good.test\n  maybe  worse.test\n',
    stderr: '',
  })
  expect(await waryHere(['filter', 'query', path, '-'], stdin('good.test\n'))).toMatchObject({ code: 0, stdout: '  no     good.test\n' })
  expect(await waryHere(['filter', 'query', path, '-'], stdin(''))).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await waryHere(['filter', 'query', path, '-', '--json'], stdin('evil.test\na"\u001b[2J\n'))).toEqual({
    code: 1,
    stdout: '{"key":"evil.test","answer":"maybe"}\n{"key":"a\\"\\u001b[2J","answer":"no"}\n',
    stderr: '',
  })
})

test('what is asked cannot steer the terminal', async () => {
  const { stdout } = await waryHere(['filter', 'query', filterFile([]), '-'], stdin('\u001b[2Jx\u202e\n'))
  expect(stdout).toBe('  no     \ufffd[2Jx\ufffd\n')
})

test('keys in hexadecimal, from standard input too; what is none is refused', async () => {
  const path = filterFile([new Uint8Array([0xc0, 0xff, 0xee])])
  expect(await waryHere(['filter', 'query', path, '--hex', '-'], stdin('C0ffee\n00\n'))).toMatchObject({
    code: 1,
    stdout: '  maybe  C0ffee\n  no     00\n',
  })
  expect(await waryHere(['filter', 'query', path, '--hex', 'c0ffe'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('usage: c0ffe is not hexadecimal'),
  })
  expect(await waryHere(['filter', 'query', path, '--hex', '-'], stdin('c0ffee\nxyz\n'))).toMatchObject({ code: 2 })
  expect(await waryHere(['filter', 'query', path, '--hash', 'c0ffee'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('they have 4 bytes or more'),
  })
})

test('a hyphen among other keys is a key', async () => {
  const path = filterFile(['-'])
  expect(await waryHere(['filter', 'query', path, 'a', '-'])).toMatchObject({ code: 1, stdout: '  no     a\n  maybe  -\n' })
})

test('each answer is out before the next question is read', async () => {
  const path = filterFile(['evil.test'], BloomFilter.create({ capacity: 10, rate: 0.01 }))
  const seen: string[] = []
  await waryHere(['filter', 'query', path, '-'], {
    stdinChunks: async function* () {
      for (const key of ['evil.test', 'good.test']) {
        yield new TextEncoder().encode(`${key}\n`)
        seen.push(`${key} answered`)
      }
    },
    stdoutBytes: async (bytes) => {
      seen.push(new TextDecoder().decode(bytes))
    },
  })
  expect(seen).toEqual(['  maybe  evil.test\n', 'evil.test answered', '  no     good.test\n', 'good.test answered'])
})

test('a damaged filter answers nothing', async () => {
  const path = filterFile(['evil.test'])
  const bytes = readFileSync(path)
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) ^ 1
  writeFileSync(path, bytes)
  expect(await waryHere(['filter', 'query', path, 'evil.test'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `wary: filter-format: ${path}: the checksum does not hold; give a LIST.filter file, or one that "wary filter build" made\n`,
  })
})
