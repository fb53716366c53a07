import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { keySetFingerprint, singleKey } from '../../src/lists/key-set.ts'
import { decodeHashList } from '../../src/protocol/hash-list-message.ts'
import { createKeyFile } from '../../src/publisher/key-file.ts'
import { jsonOf, wary, waryHere } from '../support/cli.ts'
import { FakeClock } from '../support/fakes.ts'
import { temporaryFolder } from '../support/publisher.ts'

/** A folder with a key and feeds, and `publish` in it. */
function place(feeds: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder()
  const key = createKeyFile(join(folder, 'wary.key'))
  for (const [name, text] of Object.entries(feeds)) writeFileSync(join(folder, name), text)
  const options = ['--key', join(folder, 'wary.key'), '--data', join(folder, 'data')]
  const feed = (name: string, format = 'plain') => ['--feed', `${format}:${join(folder, name)}`]
  return { folder, key, feed, publish: (...args: string[]) => waryHere(['publish', ...args, ...options]) }
}

test('as a program: publishes the installed feed with the default names, progress on standard error', async () => {
  const { folder, key } = place()
  const { code, stdout, stderr } = await wary(['publish', '--feed', 'eth-phishing-detect:npm'], { cwd: folder })
  expect(code).toBe(0)
  expect(stdout).toContain('Published version 000001 in ./wary-data')
  expect(stdout).toContain(toHex(key.publicKey))
  expect(stdout).toContain('se-4b: 13,752 entries of 4 bytes')
  expect(stdout).toContain('eth-phishing-detect:npm: 13,747 accepted (0 repeated), 5 rejected')
  expect(stdout).toMatch(/^ {2}line 9267 {2}a host without a dot {10}com12786312634$/m)
  expect(stderr).toMatch(/^reading eth-phishing-detect:npm\n.*\nwriting\n$/)
  expect(readFileSync(join(folder, 'wary-data', 'current'), 'utf8')).toBe('000001\n')
})

test('as a program: fails in one line, with what to do, and publishes nothing', async () => {
  const { folder } = place({ 'empty.txt': '# nothing\n' })
  const runs = await Promise.all([
    wary(['publish', '--feed', 'plain:empty.txt'], { cwd: folder }),
    wary(['publish', '--feed', 'plain:empty.txt', '--key', 'other.key'], { cwd: folder }),
  ])
  expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual([
    [1, ''],
    [1, ''],
  ])
  expect(runs.map(({ stderr }) => stderr)).toEqual([
    'wary: feed-format: plain:empty.txt: there is no entry in it; nothing was published\n',
    'wary: key-file: other.key is not there: wary keygen makes one\n',
  ])
  expect(existsSync(join(folder, 'wary-data'))).toBe(false)
})

test('prints JSON with times, sizes, and rejects by line and reason', async () => {
  const { publish, feed, folder, key } = place({ 'feed.txt': 'evil.test\nevil.test\n\nlocalhost\nshared.test/page?q\n' })
  const facts = jsonOf(await publish(...feed('feed.txt'), '--epoch', '3', '--expires-days', '0.5', '--json'))
  const name = `plain:${join(folder, 'feed.txt')}`
  const fingerprint = toHex(keySetFingerprint(singleKey(key.publicKey)))
  expect(facts).toEqual({
    data: join(folder, 'data'),
    version: '000001',
    epoch: 3,
    sequence: 1,
    issuedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    publicKey: toHex(key.publicKey),
    keyId: toHex(key.id),
    fingerprint,
    subscribeLink: `https://lists.example/#wary=${fingerprint}`,
    toSign: [],
    lists: [
      {
        name: 'se-4b',
        entries: 7,
        entryLength: 4,
        listBytes: expect.any(Number),
        fullHashBytes: 12 + 33 * 7 + 32,
        filterBytes: expect.any(Number),
        deltas: [],
        feeds: [
          {
            name,
            accepted: 3,
            repeated: 1,
            rejected: 1,
            rejects: [{ line: 4, text: 'localhost', reason: 'an address of this device' }],
          },
        ],
      },
    ],
    warnings: [],
  })
  expect(Date.parse(String(facts.expiresAt)) - Date.parse(String(facts.issuedAt))).toBe(12 * 60 * 60 * 1000)
})

test('shows ten rejects of a feed, or all', async () => {
  const { publish, feed } = place({ 'feed.txt': `evil.test\n${'localhost\n'.repeat(25)}` })
  const some = await publish(...feed('feed.txt'))
  expect(some.stdout.match(/^ {2}line /gm)).toHaveLength(10)
  expect(some.stdout).toContain('... and 15 more: --rejects shows them')
  const all = await publish(...feed('feed.txt'), '--rejects')
  expect(all.stdout.match(/^ {2}line /gm)).toHaveLength(25)
  expect(all.stdout).not.toContain('more')
  const lists = jsonOf(await publish(...feed('feed.txt'), '--json')).lists
  expect(lists).toMatchObject([{ feeds: [{ rejected: 25, rejects: expect.objectContaining({ length: 10 }) }] }])
})

test('makes several lists at once, and says which one is gone afterwards', async () => {
  const { publish, feed } = place({ 'a.txt': 'phish.test', 'b.txt': 'malware.test\nmore.test' })
  const both = jsonOf(await publish('--list', 'se', ...feed('a.txt'), '--list', 'mw', ...feed('b.txt'), ...feed('a.txt'), '--json'))
  expect(both.lists).toMatchObject([
    { name: 'se-4b', entries: 6, feeds: [{ accepted: 1 }] },
    { name: 'mw-4b', entries: 8, feeds: [{ accepted: 2 }, { accepted: 1 }] },
  ])
  const one = await publish(...feed('b.txt'), '--list', 'mw', '--json')
  expect(one.stderr).toContain('note: the list se-4b of the former version is not published any more\n')
  expect(jsonOf(one)).toMatchObject({ sequence: 2, lists: [{ name: 'mw-4b' }], warnings: [expect.stringContaining('se-4b')] })
})

test('asks clients to wait as long as it is told', async () => {
  const { publish, feed, folder } = place({ 'a.txt': 'evil.test' })
  await publish(...feed('a.txt'), '--minimum-wait', '3600')
  expect(decodeHashList(readFileSync(join(folder, 'data/versions/000001/se-4b.hashlist'))).minimumWaitMs).toBe(3_600_000)
})

test.each([
  ['plain', 'localhost\n', /no line of it can be used, the first is line 1: an address of this device/],
  ['eth-phishing-detect', '{"version":2,\u001b[31m', /not JSON: line 1, column 14/],
  ['eth-phishing-detect', '{"version":1}', /version 2/],
  ['eth-phishing-detect', '{"version":2,"blacklist":[],"whitelist":[]}', /there is no entry in it/],
])('an unusable feed (%s: %j) leaves the former version as it is', async (format, text, reason) => {
  const { publish, feed, folder } = place({ 'good.txt': 'evil.test', feed: text })
  await publish(...feed('good.txt'))
  const failed = await publish(...feed('good.txt'), ...feed('feed', format))
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).toMatch(/^wary: feed-format: [^\n]*; nothing was published\n$/)
  expect(failed.stderr).toMatch(reason)
  expect(readFileSync(join(folder, 'data/current'), 'utf8')).toBe('000001\n')
})

test('names a feed that is not there, a lower epoch, and another publish', async () => {
  const { publish, feed, folder } = place({ 'a.txt': 'evil.test' })
  expect(await publish(...feed('nosuch'))).toMatchObject({
    code: 1,
    stderr: `wary: file-failed: ${join(folder, 'nosuch')}: no such file or directory\n`,
  })
  expect((await publish('--feed', 'plain:npm')).stderr).toMatch(/^wary: file-failed: npm: /)
  await publish(...feed('a.txt'), '--epoch', '5')
  expect((await publish(...feed('a.txt'), '--epoch', '4')).stderr).toContain('wary: publish-failed: the epoch cannot go back from 5 to 4')
  const lock = join(folder, 'data', '.publish-lock')
  writeFileSync(lock, `${process.ppid}\n`)
  onTestFinished(() => rmSync(lock, { force: true }))
  const locked = await publish(...feed('a.txt'))
  expect(locked.code).toBe(1)
  expect(locked.stderr).toContain(`wary: publish-locked: another publish runs in this folder (process ${process.ppid})`)
})

test('nothing of a feed can steer the terminal or hide in the JSON', async () => {
  const hostile = [
    'ok.test',
    'x\u001b[2Jy.test',
    'r\u202eevil.test',
    'bell\u0007.test',
    `${'long'.repeat(100_000)}.test`,
    'c1\u009b31m.test',
    'de\u007fl.test',
  ]
  const { publish, feed } = place({ 'feed.txt': hostile.join('\r\n') })
  for (const flags of [[], ['--json']]) {
    const { code, stdout, stderr } = await publish(...feed('feed.txt'), ...flags)
    expect(code).toBe(0)
    expect(stdout + stderr).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u)
    expect(stdout.length).toBeLessThan(4000)
  }
})

test('takes a file with a byte order mark, and refuses bytes that are no UTF-8', async () => {
  const { publish, feed, folder } = place()
  writeFileSync(join(folder, 'feed.txt'), Buffer.concat([Buffer.from('\ufeffevil.test\nb'), Buffer.from([0xff]), Buffer.from('d.test\n')]))
  expect(jsonOf(await publish(...feed('feed.txt'), '--json')).lists).toMatchObject([{ feeds: [{ accepted: 1, rejects: [{ line: 2 }] }] }])
})

test('takes the time from its clock', async () => {
  const { folder, feed } = place({ 'a.txt': 'evil.test' })
  const clock = new FakeClock()
  const run = await waryHere(['publish', ...feed('a.txt'), '--key', join(folder, 'wary.key'), '--data', join(folder, 'data'), '--json'], {
    clock,
  })
  expect(jsonOf(run)).toMatchObject({ issuedAt: '2026-01-01T00:00:00Z', expiresAt: '2026-01-08T00:00:00Z' })
})

test('says the deltas to former versions, as many as are to be kept', async () => {
  const { publish, feed, folder } = place({ 'feed.txt': Array.from({ length: 300 }, (_, i) => `evil${i}.test`).join('\n') })
  for (let i = 0; i < 4; i++) await publish(...feed('feed.txt'))
  expect((await publish(...feed('feed.txt'), '--keep-versions', '2')).stdout).toMatch(
    /^Deltas from 2 former versions; from 1\.4: list \d+ bytes, filter \d+ bytes$/m,
  )
  const lists = jsonOf(await publish(...feed('feed.txt'), '--keep-days', '0.5', '--json')).lists
  expect(lists).toMatchObject([{ deltas: ['1.5', '1.4', '1.3'].map((from) => ({ from, listBytes: expect.any(Number), filterBytes: 48 })) }])
  expect(readdirSync(join(folder, 'data', 'bases', 'se-4b'))).toContain('1.3.hashlist')
  for (const wrong of [
    ['--keep-versions', '-1'],
    ['--keep-days', '0'],
  ])
    expect((await publish(...feed('feed.txt'), ...wrong)).code).toBe(2)
})
