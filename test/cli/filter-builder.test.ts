import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { KIND_NAMES, verifiedFilter } from '../../src/cli/filter-kinds.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { CuckooFilter } from '../../src/filter/cuckoo.ts'
import { PagedBloomFilter } from '../../src/filter/paged-bloom.ts'
import { ScalableBloomFilter } from '../../src/filter/scalable-bloom.ts'
import { jsonOf, waryHere } from '../support/cli.ts'
import { dataFolder, temporaryFolder } from '../support/publisher.ts'

const KEYS = Array.from({ length: 3000 }, (_, i) => `key ${i}`)

/** A file with every key three times, in three orders, with empty lines and both ends of lines. */
function keyFile(folder = temporaryFolder()): string {
  const path = join(folder, 'keys.txt')
  const lines = [...KEYS, '', ...KEYS.toReversed(), '', ...KEYS]
  writeFileSync(path, lines.map((line, i) => line + (i % 2 === 0 ? '\n' : '\r\n')).join(''))
  return path
}

describe.each(KIND_NAMES)('%s', (kind) => {
  test('holds every key once, of a file or of standard input, and keeps the rate', async () => {
    const keys = keyFile()
    const out = join(temporaryFolder(), 'f')
    const built = await waryHere(['filter', 'build', keys, '--kind', kind, '--rate', '0.01', '--out', out, '--json'])
    expect(built).toMatchObject({ code: 0, stderr: '' })
    const facts = jsonOf(built)
    expect(facts).toMatchObject({ file: out, kind, entries: KEYS.length })
    expect(facts.expectedRate).toBeLessThanOrEqual(0.01)
    const filter = verifiedFilter(readFileSync(out))
    expect(KEYS.filter((key) => !filter.mightContain(key))).toEqual([])
    const strangers = Array.from({ length: 10_000 }, (_, i) => `stranger ${i}`)
    expect(strangers.filter((key) => filter.mightContain(key)).length).toBeLessThan(150)

    const again = join(temporaryFolder(), 'f')
    const stdin = async () => readFileSync(keys)
    expect(await waryHere(['filter', 'build', '--kind', kind, '--rate', '0.01', '--out', again], { stdin })).toMatchObject({ code: 0 })
    expect(readFileSync(again)).toEqual(readFileSync(out))
  })

  test('the order of the lines makes no difference', async () => {
    const folder = temporaryFolder()
    const [one, other] = [join(folder, '1'), join(folder, '2')]
    writeFileSync(join(folder, 'a'), KEYS.join('\n'))
    writeFileSync(join(folder, 'b'), KEYS.toReversed().join('\n'))
    await waryHere(['filter', 'build', join(folder, 'a'), '--kind', kind, '--out', one])
    await waryHere(['filter', 'build', join(folder, 'b'), '--kind', kind, '--out', other])
    expect(readFileSync(one)).toEqual(readFileSync(other))
  })

  test('takes the entries of a published list', async () => {
    const { folder, put } = dataFolder()
    await put(['evil.test', 'worse.test'])
    const list = join(folder, 'versions', '000001', 'se-4b.hashlist')
    const out = join(folder, 'f')
    expect(await waryHere(['filter', 'build', '--kind', kind, '--hash-list', list, '--out', out])).toMatchObject({ code: 0 })
    // phishing.wary.test/
    expect(await waryHere(['filter', 'query', out, '--hash', '85b49f5b'])).toMatchObject({ code: 1, stdout: '  maybe  85b49f5b\n' })
  })

  test('no key at all', async () => {
    const out = join(temporaryFolder(), 'f')
    expect(jsonOf(await waryHere(['filter', 'build', '--kind', kind, '--out', out, '--json']))).toMatchObject({
      entries: 0,
      expectedRate: 0,
      bitsPerEntry: null,
      leastBitsPerEntry: null,
    })
    expect(await waryHere(['filter', 'query', out, 'x'])).toMatchObject({ code: 0 })
  })

  test('another seed makes another file', async () => {
    const keys = keyFile()
    const [one, other] = [join(temporaryFolder(), 'f'), join(temporaryFolder(), 'f')]
    await waryHere(['filter', 'build', keys, '--kind', kind, '--out', one])
    expect(jsonOf(await waryHere(['filter', 'build', keys, '--kind', kind, '--seed', '4294967295', '--out', other, '--json'])).seed).toBe(
      4294967295,
    )
    const filter = verifiedFilter(readFileSync(other))
    expect(KEYS.filter((key) => !filter.mightContain(key))).toEqual([])
    expect(readFileSync(one)).not.toEqual(readFileSync(other))
  })
})

test('with a capacity, a Bloom filter takes keys as they come, and repeats count', async () => {
  const keys = keyFile()
  const out = join(temporaryFolder(), 'f')
  const { stderr } = await waryHere(['filter', 'build', keys, '--capacity', '5000', '--rate', '0.01', '--out', out])
  expect(stderr).toBe('note: 9000 keys in room for 5000; there will be more false positives than 0.01\n')
  const expected = BloomFilter.create({ capacity: 5000, rate: 0.01 })
  for (const key of [...KEYS, ...KEYS, ...KEYS]) expected.add(key)
  expect(readFileSync(out)).toEqual(Buffer.from(expected.toBytes()))
})

test.each([
  ['paged-bloom', PagedBloomFilter.create({ capacity: 5000, rate: 0.01 })],
  ['scalable-bloom', ScalableBloomFilter.create({ capacity: 500, rate: 0.01 })],
])('with a capacity, a %s filter takes keys as they come, and repeats count', async (kind, expected) => {
  const out = join(temporaryFolder(), 'f')
  const args = ['filter', 'build', keyFile(), '--kind', kind, '--capacity', String(expected.capacity), '--rate', '0.01', '--out', out]
  expect(await waryHere(args)).toMatchObject({ code: 0 })
  for (const key of [...KEYS, ...KEYS.toReversed(), ...KEYS]) expected.add(key)
  expect(readFileSync(out)).toEqual(Buffer.from(expected.toBytes()))
})

test('no false positive is dropped: what is deleted takes no other key with it', async () => {
  // At this rate a third of all keys would be taken for known when they come.
  const out = join(temporaryFolder(), 'f')
  await waryHere(['filter', 'build', keyFile(), '--kind', 'cuckoo', '--rate', '0.45', '--out', out])
  const filter = CuckooFilter.verified(new Uint8Array(readFileSync(out)))
  for (const key of KEYS.slice(0, 1500)) expect(filter.delete(key)).toBe(true)
  expect(KEYS.slice(1500).filter((key) => !filter.mightContain(key))).toEqual([])
  for (const key of KEYS.slice(1500)) expect(filter.delete(key)).toBe(true)
  expect(filter.count).toBe(0)
})

test.each(['cuckoo', 'quotient'])('a %s filter without room for all keys is refused, and nothing is written', async (kind) => {
  const folder = temporaryFolder()
  const keys = keyFile(folder)
  mkdirSync(join(folder, 'out'))
  const refused = await waryHere(['filter', 'build', keys, '--kind', kind, '--capacity', '100', '--out', join(folder, 'out', 'f')])
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(new RegExp(`^wary: filter-parameter: 3000 keys are too many for a ${kind} filter with room for \\d+ `))
  expect(() => readFileSync(join(folder, 'out', 'f'))).toThrow('ENOENT')
})

test('a quotient filter may have room for more keys than were asked for, but not at the rate: then it says so', async () => {
  const out = join(temporaryFolder(), 'f')
  const built = await waryHere(['filter', 'build', keyFile(), '--kind', 'quotient', '--capacity', '2000', '--out', out])
  expect(built.code).toBe(0)
  expect(built.stderr).toBe('note: 3000 keys in room for 2000; there will be more false positives than 0.001\n')
})

test('a line of more than 4 MiB is refused by its number', async () => {
  const folder = temporaryFolder()
  const keys = join(folder, 'keys.txt')
  writeFileSync(keys, `a\nb\n${'x'.repeat(4 * 1024 * 1024 + 1)}\nc\n`)
  const { code, stderr } = await waryHere(['filter', 'build', keys, '--out', join(folder, 'f')])
  expect({ code, stderr }).toEqual({ code: 1, stderr: `wary: feed-format: ${keys}: line 3 has more than 4 MiB\n` })
})

test('long work says how far it is, on standard error only', async () => {
  let now = 0
  const out = join(temporaryFolder(), 'f')
  const chunk = (from: number) => new TextEncoder().encode(Array.from({ length: 5000 }, (_, i) => `key ${from + i}\n`).join(''))
  const built = await waryHere(['filter', 'build', '--out', out, '--json'], {
    clock: { now: () => now },
    stdinChunks: async function* () {
      yield chunk(0)
      now = 1500
      yield chunk(5000)
      now = 2000
      yield chunk(10_000)
    },
  })
  expect(built.stderr).toBe('8,192 keys read so far\n')
  expect(jsonOf(built).entries).toBe(15_000)
})

test.each(['bloom', 'cuckoo', 'quotient'])('a %s filter that cannot be is refused before a key is read', async (kind) => {
  const args = ['filter', 'build', '--kind', kind, '--capacity', '9999999999', '--out', join(temporaryFolder(), 'f')]
  const refused = await waryHere(args, {
    stdinChunks: () => {
      throw new Error('was read')
    },
  })
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^wary: filter-parameter: /) })
})

test('a binary fuse filter has no capacity', async () => {
  const { code, stderr } = await waryHere([
    'filter',
    'build',
    '--kind',
    'binary-fuse',
    '--capacity',
    '10',
    '--out',
    join(temporaryFolder(), 'f'),
  ])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^wary: usage: a binary-fuse filter takes no key later, so it has no --capacity /),
  })
})

test.each(['bloomy', ''])('refuses the kind %j', async (kind) => {
  const { code, stderr } = await waryHere(['filter', 'build', '--kind', kind, '--out', join(temporaryFolder(), 'f')])
  expect(code).toBe(2)
  expect(stderr).toContain(`Allowed choices are ${KIND_NAMES.join(', ')}.`)
})

test.each(['0', '-1', '1.5', '1e-3', 'many', '9007199254740993'])('refuses room for %s keys', async (capacity) => {
  const { code, stderr } = await waryHere(['filter', 'build', '--capacity', capacity, '--out', join(temporaryFolder(), 'f')])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^wary: usage: option '--capacity <N>' argument '.*' is invalid\. It must be a whole number from 1 to /)
})

test('room for keys is said as numbers are written elsewhere', async () => {
  const out = join(temporaryFolder(), 'f')
  expect(jsonOf(await waryHere(['filter', 'build', '--capacity', '1e4', '--out', out, '--json'])).capacity).toBe(10_000)
})
