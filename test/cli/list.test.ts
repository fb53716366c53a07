import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromHex, toHex } from '../../src/bytes.ts'
import { applyUpdate, type ListUpdate } from '../../src/lists/list-update.ts'
import { decodeHashList, encodeHashList } from '../../src/protocol/hash-list-message.ts'
import { jsonOf, wary, waryHere, waryInShell } from '../support/cli.ts'
import { dataFolder, temporaryFolder } from '../support/publisher.ts'
import { planned, TestPublisher } from '../support/signed-list.ts'

const SIZES = [4, 8, 16, 32] as const
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const fullHash = (text: string): string => sha256(new TextEncoder().encode(text))
/** In order, without repeats. */
const sorted = (entries: readonly string[]): string[] => [...new Set(entries)].sort()
const checksumOf = (entries: readonly string[]): string => sha256(fromHex(sorted(entries).join('')))

/** A file of `update`, by default a full one of 4-byte entries whose checksum holds. */
function listFile(update: Partial<ListUpdate>, entries: readonly string[] = [], folder = temporaryFolder()): string {
  const path = join(folder, `list${readdirSync(folder).length}.hashlist`)
  writeFileSync(
    path,
    encodeHashList({
      name: 'se-4b',
      version: Uint8Array.of(1),
      partial: false,
      additions: { entryLength: 4, entries: fromHex(sorted(entries).join('')) },
      removals: undefined,
      checksum: fromHex(checksumOf(entries)),
      minimumWaitMs: 0,
      signed: undefined,
      ...update,
    }),
  )
  return path
}

function input(lines: readonly string[] | string): string {
  const path = join(temporaryFolder(), 'hashes.txt')
  writeFileSync(path, typeof lines === 'string' ? lines : lines.join('\n'))
  return path
}

test('as programs: what encode writes, show reads', async () => {
  const cwd = temporaryFolder()
  const hashes = ['a.test/', 'b.test/', 'c.test/', 'a.test/'].map(fullHash)
  const entries = sorted(hashes.map((hash) => hash.slice(0, 8)))
  const made = await wary(['list', 'encode', '--name', 'se-4b', '--size', '4', '--out', 'se.hashlist'], { cwd, stdin: hashes.join('\r\n') })
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const checksum = checksumOf(entries)
  expect(made.stdout).toBe(
    `Wrote se.hashlist\n  version   ${checksum.slice(0, 16)}\n  entries   3 of 4 bytes (1 repeated)\n  checksum  ${checksum}\n` +
      `  file      ${readFileSync(join(cwd, 'se.hashlist')).length} bytes\n`,
  )
  expect(readdirSync(cwd)).toEqual(['se.hashlist'])
  const shown = await wary(['list', 'show', 'se.hashlist', '--entries'], { cwd })
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toMatch(/^ {2}name {10}se-4b\n/)
  expect(shown.stdout).toContain(`\n  checksum      ${checksum}\n  announced     ${checksum}\n  holds         yes\n`)
  expect(shown.stdout).toMatch(new RegExp(`\\n  signed state  none\\n\\n${entries.join('\\n')}\\n$`))
})

test('as a program: without --out, the list itself and nothing else is on standard output', async () => {
  const out = join(temporaryFolder(), 'a.hashlist')
  const hashes = Array.from({ length: 3000 }, (_, i) => fullHash(`${i}.test/`))
  const piped = await waryInShell(`"$@" > '${out}'`, ['list', 'encode', '--name', 'mw-32b', '--size', '32'], `${hashes.join('\n')}\n`)
  expect(piped).toEqual({ code: 0, stdout: '', stderr: '' })
  const list = applyUpdate(undefined, decodeHashList(readFileSync(out)))
  expect(toHex(list.entries)).toBe(sorted(hashes).join(''))
})

test('any hashes of any length in any order become the list of their first bytes', async () => {
  const folder = temporaryFolder()
  const out = join(folder, 'out')
  // Few first bytes, so that there are repeats.
  const hash = fc.tuple(fc.constantFrom('00000000', 'FFFFFFFF', 'ffffffff', '0000000a'), fc.uint8Array({ minLength: 28, maxLength: 40 }))
  const size = fc.constantFrom(...SIZES)
  await fc.assert(
    fc.asyncProperty(fc.array(hash, { minLength: 1, maxLength: 30 }), size, async (parts, size) => {
      const hashes = parts.map(([start, rest]) => start + toHex(rest))
      const wanted = sorted(hashes.map((text) => text.toLowerCase().slice(0, 2 * size)))
      const stdin = async () => new TextEncoder().encode(hashes.join('\n'))
      const made = await waryHere(['list', 'encode', '-', '--name', 'mine', '--size', String(size), '--out', out, '--json'], { stdin })
      const facts = jsonOf(made)
      const checksum = checksumOf(wanted)
      expect(facts).toEqual({
        file: out,
        name: 'mine',
        version: checksum.slice(0, 16),
        entryLength: size,
        entries: wanted.length,
        repeated: hashes.length - wanted.length,
        checksum,
        bytes: readFileSync(out).length,
      })
      const shown = await waryHere(['list', 'show', out, '--json', '--entries'])
      expect([shown.code, jsonOf(shown)]).toEqual([
        0,
        {
          name: 'mine',
          version: checksum.slice(0, 16),
          partial: false,
          entryLength: size,
          count: wanted.length,
          additions: wanted.length,
          removals: 0,
          checksum,
          expectedChecksum: checksum,
          holds: true,
          bytes: facts.bytes,
          bitsPerEntry: (8 * Number(facts.bytes)) / wanted.length,
          minimumWaitMs: 0,
          signedState: null,
          entries: wanted,
        },
      ])
    }),
    { numRuns: 60 },
  )
})

test('takes the version that it is given, and makes the same file of the same entries', async () => {
  const [one, other] = [fullHash('a'), fullHash('b')]
  const folder = temporaryFolder()
  const bytes = async (hashes: readonly string[], ...flags: string[]) => {
    const out = join(folder, 'out')
    const run = await waryHere(['list', 'encode', input(hashes), '--name', 'x-8b', '--size', '8', '--out', out, ...flags])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    return readFileSync(out)
  }
  expect(await bytes([one, other])).toEqual(await bytes(['', other, other.toUpperCase(), '', one, '']))
  expect(toHex(decodeHashList(await bytes([one], '--hash-version', '00fF')).version)).toBe('00ff')
})

test.each([
  ['line 2: 3 bytes, but an entry has 4', '00112233\n001122\n'],
  ['line 3: an odd number of hexadecimal digits', '\n\n0011223\n'],
  ['line 1: not hexadecimal', '0011223g'],
  ['line 1: not hexadecimal', '00112233 \n'],
  ['line 1: not hexadecimal', '0x11223344\n'],
  ['line 1: not hexadecimal', '٠٠١١٢٢٣٣'],
  ['line 2: more than 4096 characters', `00112233\n${'0'.repeat(4098)}\n`],
])('refuses a file: %s; and leaves no file', async (reason, text) => {
  const path = input(text)
  const out = join(temporaryFolder(), 'out')
  for (const flags of [['--out', out], []]) {
    expect(await waryHere(['list', 'encode', path, '--name', 'se-4b', '--size', '4', ...flags])).toEqual({
      code: 1,
      stdout: '',
      stderr: `wary: feed-format: ${path}: ${reason}\n`,
    })
  }
  expect(existsSync(out)).toBe(false)
})

test('says where a name and an entry length disagree, and knows an empty list', async () => {
  const out = join(temporaryFolder(), 'out')
  const encode = (name: string, text: string) => waryHere(['list', 'encode', input(text), '--name', name, '--size', '8', '--out', out])
  expect(await encode('se-4b', fullHash('a'))).toMatchObject({
    code: 0,
    stderr: 'note: by its name, se-4b has entries of 4 bytes, not 8\n',
  })
  expect(await encode('mine', fullHash('a'))).toMatchObject({ code: 0, stderr: '' })
  expect(await encode('mine-8b', '')).toMatchObject({ code: 0, stderr: 'note: there is no entry in it\n' })
  const shown = jsonOf(await waryHere(['list', 'show', out, '--entries', '--json']))
  expect(shown).toMatchObject({ count: 0, entries: [], holds: true, bitsPerEntry: null, checksum: checksumOf([]) })
  for (const name of ['mine', 'mine-4b'])
    expect((await encode(name, '\n')).stderr).toMatch(/^wary: feed-format: there is no entry; [^\n]*-8b\n$/)
})

test('shows what is published, with its signed state', async () => {
  const { folder, put, key } = dataFolder()
  await put(['evil.test'], { minimumWaitMs: 300_000 })
  const path = join(folder, 'versions', '000001', 'se-4b.hashlist')
  const facts = jsonOf(await waryHere(['list', 'show', path, '--json']))
  expect(facts).toEqual({
    name: 'se-4b',
    version: toHex(new TextEncoder().encode('1.1')),
    partial: false,
    entryLength: 4,
    count: 6,
    additions: 6,
    removals: 0,
    checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
    expectedChecksum: facts.checksum,
    holds: true,
    bytes: readFileSync(path).length,
    bitsPerEntry: (8 * readFileSync(path).length) / 6,
    minimumWaitMs: 300_000,
    signedState: {
      name: 'se-4b',
      epoch: 1,
      sequence: 1,
      entries: 6,
      issuedAt: '2026-01-01T00:00:00Z',
      expiresAt: '2026-01-08T00:00:00Z',
      keyIds: [toHex(key.id)],
      matches: true,
      verified: false,
    },
    entries: 6,
  })
  const { code, stdout } = await waryHere(['list', 'show', path])
  expect(code).toBe(0)
  expect(stdout).toContain('\n  signed state  se-4b, epoch 1 sequence 1, 6 entries\n')
  expect(stdout).toContain(`key ${toHex(key.id)}; not verified here, that takes the public key\n`)
  expect(stdout).toMatch(/it is about these entries\n$/)

  // The same statement beside other entries.
  const moved = listFile({ signed: decodeHashList(readFileSync(path)).signed }, ['00000001'])
  expect(jsonOf(await waryHere(['list', 'show', moved, '--json']))).toMatchObject({ holds: true, signedState: { matches: false } })
  expect((await waryHere(['list', 'show', moved])).stdout).toMatch(/it is NOT about these entries\n$/)
})

test('a checksum that does not hold is shown, and is exit code 1', async () => {
  const path = listFile({ checksum: new Uint8Array(32).fill(7) }, ['0000000a', '0000000b'])
  const json = await waryHere(['list', 'show', path, '--json', '--entries'])
  expect([json.code, json.stderr, jsonOf(json)]).toEqual([
    1,
    '',
    expect.objectContaining({
      holds: false,
      checksum: checksumOf(['0000000a', '0000000b']),
      expectedChecksum: '07'.repeat(32),
      entries: ['0000000a', '0000000b'],
    }),
  ])
  expect(await waryHere(['list', 'show', path])).toMatchObject({ code: 1, stdout: expect.stringContaining('\n  holds         NO\n') })
  const none = await waryHere(['list', 'show', listFile({ checksum: new Uint8Array() }, ['0000000a']), '--json'])
  expect([none.code, jsonOf(none)]).toEqual([0, expect.objectContaining({ holds: null, expectedChecksum: null })])
})

test('applies a partial update to its base', async () => {
  const before = ['00000001', '00000002', '00000003']
  const after = ['00000002', '00000004']
  const base = listFile({}, before)
  const partial: Partial<ListUpdate> = {
    partial: true,
    version: Uint8Array.of(2),
    additions: { entryLength: 4, entries: fromHex('00000004') },
    removals: Uint32Array.of(0, 2),
    checksum: fromHex(checksumOf(after)),
  }
  const path = listFile(partial)
  const shown = await waryHere(['list', 'show', path, '--base', base, '--json', '--entries'])
  expect([shown.code, shown.stderr, jsonOf(shown)]).toEqual([
    0,
    '',
    expect.objectContaining({ version: '02', partial: true, count: 2, additions: 1, removals: 2, holds: true, entries: after }),
  ])
  expect(await waryHere(['list', 'show', path])).toEqual({
    code: 1,
    stdout: '',
    stderr: `wary: list-missing: ${path} only changes another version of se-4b; name that file by --base FILE\n`,
  })
  // Another base than it is made for, one that cannot be, one that is partial itself, and one that is damaged.
  const other = await waryHere(['list', 'show', path, '--base', listFile({}, ['00000007', '00000008', '00000009']), '--json'])
  expect([other.code, jsonOf(other)]).toEqual([1, expect.objectContaining({ holds: false })])
  const failures = await Promise.all(
    [listFile({}, ['00000001']), path, listFile({ checksum: new Uint8Array(32) }, before)].map((wrong) =>
      waryHere(['list', 'show', path, '--base', wrong]),
    ),
  )
  expect(failures.map(({ code, stdout }) => [code, stdout])).toEqual(failures.map(() => [1, '']))
  expect(failures.map(({ stderr }) => /^wary: ([a-z-]+): [^\n]+\n$/.exec(stderr)?.[1])).toEqual([
    'list-format',
    'list-format',
    'list-checksum',
  ])

  const renamed = await waryHere(['list', 'show', path, '--base', listFile({ name: 'mw-4b' }, before), '--json'])
  expect(renamed.stderr).toBe(`note: ${path} is about se-4b, but the base about mw-4b\n`)
  expect(jsonOf(renamed)).toMatchObject({ holds: true })
  expect((await waryHere(['list', 'show', base, '--base', base])).stderr).toBe(`note: ${base} is a whole list; --base changes nothing\n`)
})

test('names damage, also of a file that is cut anywhere', async () => {
  const { folder, put } = dataFolder()
  await put(['evil.test'])
  const whole = readFileSync(join(folder, 'versions', '000001', 'se-4b.hashlist'))
  const path = join(folder, 'cut')
  for (let length = 0; length < whole.length; length++) {
    writeFileSync(path, whole.subarray(0, length))
    const { code, stdout, stderr } = await waryHere(['list', 'show', path, '--json'])
    // A cut between two fields is a message too: it lacks the checksum, or the statement.
    if (stdout !== '') expect(jsonOf({ code, stdout, stderr })).not.toMatchObject({ holds: true, signedState: { matches: true } })
    else expect([code, stderr]).toEqual([1, expect.stringMatching(/^wary: (list|state)-format: [^\n]*cut: [^\n]+\n$/)])
  }
  writeFileSync(path, '<html>\u001b[31m')
  expect((await waryHere(['list', 'show', path])).stderr).toMatch(/^wary: list-format: \P{C}*; give a LIST\.hashlist file\P{C}*\n$/u)
  const missing = { code: 1, stdout: '', stderr: `wary: file-failed: ${folder}/no: no such file or directory\n` }
  expect(await waryHere(['list', 'show', `${folder}/no`])).toEqual(missing)
  expect(await waryHere(['list', 'encode', `${folder}/no`, '--name', 'a', '--size', '4'])).toEqual(missing)
})

test('refuses a signed state of a year that no calendar has', async () => {
  const { state } = planned({ expiresAt: 8.9e15 })
  const path = listFile({ signed: new TestPublisher().sign(state) }, ['00000001'])
  expect(await waryHere(['list', 'show', path])).toEqual({
    code: 1,
    stdout: '',
    stderr: `wary: state-format: ${path}: a time is out of range\n`,
  })
})

test('nothing in a file can steer the terminal', async () => {
  const path = listFile({ name: 'a\u001b[2J\u202e-4b' }, ['0000000a'])
  for (const flags of [[], ['--json'], ['--json', '--entries']]) {
    const { code, stdout, stderr } = await waryHere(['list', 'show', path, ...flags])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u)
  }
})

test('prints many entries in large pieces', async () => {
  const count = 200_000
  const entries = Array.from({ length: count }, (_, i) => (i * 7).toString(16).padStart(8, '0'))
  const path = listFile({}, entries)
  const writes: number[] = []
  const digest = createHash('sha256')
  const stdoutBytes = async (bytes: Uint8Array) => {
    writes.push(bytes.length)
    digest.update(bytes)
    bytes.fill(0)
  }
  expect(await waryHere(['list', 'show', path, '--entries'], { stdoutBytes })).toMatchObject({ code: 0 })
  expect(Math.max(...writes)).toBeLessThan(72 * 1024)
  expect(writes.length).toBeLessThan(40)
  expect(digest.digest('hex')).toBe(fullHash(`\n${entries.join('\n')}\n`))
})

test.each([
  [['list', 'show']],
  [['list', 'show', 'a', 'b']],
  [['list', 'encode', '--size', '4']],
  [['list', 'encode', '--name', 'se-4b']],
  [['list', 'encode', '--name', 'se-4b', '--size', '5']],
  [['list', 'encode', '--name', 'se-4b', '--size', '0x4']],
  [['list', 'encode', '--name', '', '--size', '4']],
  [['list', 'encode', '--name', 'a b', '--size', '4']],
  [['list', 'encode', '--name', 'a/../b', '--size', '4']],
  [['list', 'encode', '--name', 'n'.repeat(65), '--size', '4']],
  [['list', 'encode', '--name', 'a', '--size', '4', '--hash-version', 'abc']],
  [['list', 'encode', '--name', 'a', '--size', '4', '--json']],
])('%j is a wrong command line', async (args) => {
  const { code, stdout, stderr } = await waryHere(args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(new RegExp(`^wary: usage: [^\\n]+\\("wary list ${args[1]} --help" says more\\)\\n$`))
})

test.each([['list'], ['list', 'show'], ['list', 'encode']])('%s %s has help with an example', async (...command) => {
  const { code, stdout } = await waryHere([...command, '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain(`Usage: ${['wary', ...command].join(' ')} `)
  expect(stdout).toMatch(/\nExample:\n {2}wary list /)
})
