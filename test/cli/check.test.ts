import { writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import type { Fetch } from '../../src/ports.ts'
import { createApp } from '../../src/server/app.ts'
import { serve } from '../../src/server/serve.ts'
import { jsonOf, wary, waryHere } from '../support/cli.ts'
import { dataFolder, temporaryFolder } from '../support/publisher.ts'
import { DAY } from '../support/signed-list.ts'

const SERVER = 'https://lists.test'

/** A published folder whose statements hold now, and a fetch that reaches its server without a socket. */
async function published(...lines: string[]) {
  const data = dataFolder()
  data.clock.advance(Date.now() - data.clock.now())
  await data.put(lines)
  data.store.reload()
  const app = createApp(data)
  const targets: string[] = []
  const faults: { search?: () => Response } = {}
  const fetch: Fetch = async (url, init) => {
    targets.push(url.slice(SERVER.length))
    if (faults.search !== undefined && url.includes('hashes:search')) return faults.search()
    return app.fetch(new Request(url, init))
  }
  const key = toHex(data.key.publicKey)
  return { ...data, app, targets, faults, fetch, key, remote: ['--server', SERVER, '--key', key] }
}

const prefix = (expression: string): string => toHex(fullHash(expression)).slice(0, 8)

test('as a program: checks against a folder, by exit code', async () => {
  const { folder } = await published('evil.test')
  const [safe, threat] = await Promise.all([
    wary(['check', 'https://good.test/a/b?c', '--data', folder]),
    wary(['check', 'www.evil.test/login', '--data', folder]),
  ])
  expect(safe).toMatchObject({ code: 0, stderr: '' })
  expect(safe.stdout).toMatch(/^https:\/\/good\.test\/a\/b\?c\n {2}list se-4b {2}6 entries, epoch 1 sequence 1, valid until /)
  const row = (expression: string) => `  ${expression.padEnd(15)}  ${prefix(expression)}  filter\n`
  expect(safe.stdout).toContain(['good.test/', 'good.test/a/', 'good.test/a/b', 'good.test/a/b?c'].map(row).join(''))
  expect(safe.stdout).toMatch(/\nsafe: no list holds it, answered by filter\n$/)

  expect(threat).toMatchObject({ code: 1, stderr: '' })
  expect(threat.stdout).toContain(`evil.test/           ${prefix('evil.test/')}  search, listed in se-4b\n`)
  expect(threat.stdout).toContain('\nthreat: the page is listed, answered by search\n  SOCIAL_ENGINEERING  evil.test/  in se-4b\n')
  expect(threat.stdout).toMatch(/\n1 question to the server, 43 bytes\n$/)
})

test('prints JSON', async () => {
  const { folder } = await published('evil.test')
  const json = await waryHere(['check', 'evil.test', '--data', folder, '--json'])
  expect(json.code).toBe(1)
  expect(jsonOf(json)).toEqual({
    url: 'http://evil.test/',
    source: folder,
    lists: [{ name: 'se-4b', entries: 6, entryLength: 4, epoch: 1, sequence: 1, expiresAt: expect.stringMatching(/Z$/) }],
    expressions: [{ expression: 'evil.test/', prefix: prefix('evil.test/'), stage: 'search', lists: ['se-4b'] }],
    verdict: {
      kind: 'threat',
      url: 'http://evil.test/',
      stage: 'search',
      freshness: { kind: 'fresh' },
      hits: [{ expression: 'evil.test/', list: 'se-4b', source: folder, threatType: 'SOCIAL_ENGINEERING', entryLength: 4 }],
    },
    asked: 1,
    askedBytes: 43,
  })
})

test('as a program: checks against a running server, and ends at once', async () => {
  const data = await published('evil.test')
  const server = await serve({ ...data, port: 0 })
  onTestFinished(() => server.close())
  const [threat, otherKey] = await Promise.all([
    wary(['check', 'evil.test', '--server', `${server.url}/`, '--key', data.key, '--list', 'se-4b']),
    wary(['check', 'evil.test', '--server', server.url, '--key', '07'.repeat(32)]),
  ])
  expect([threat.code, otherKey.code]).toEqual([1, 1])
  expect(threat.stdout).toContain(`from ${server.url}\n`)
  expect(otherKey.stdout).toBe('')
  expect(otherKey.stderr).toMatch(/^wary: state-key-unknown: [^\n]*wary keygen[^\n]*\n$/)
})

test('asks for lists and one prefix, and for nothing about a page that no list holds', async () => {
  const { fetch, targets, remote } = await published('evil.test')
  await waryHere(['check', 'https://good.test/', ...remote], { fetch })
  expect(targets).toEqual(['/v5/hashLists', '/v5/hashLists:batchGet?names=se-4b'])
  targets.length = 0
  await waryHere(['check', 'https://evil.test/a?b', ...remote], { fetch })
  expect(targets.slice(2)).toEqual([expect.stringMatching(/^\/v5\/hashes:search\?hashPrefixes=[\w-]{6}%3D%3D$/)])
})

test('reads an address as a person writes it, and says what cannot be checked', async () => {
  const { folder } = await published('evil.test', 'shared.test/evil/page.html')
  const kind = async (url: string) => {
    const run = await waryHere(['check', url, '--data', folder, '--json'])
    const { verdict, expressions } = jsonOf(run)
    return [run.code, verdict, Array.isArray(expressions) ? expressions.length : undefined]
  }
  const threat = expect.objectContaining({ kind: 'threat' })
  const safe = expect.objectContaining({ kind: 'safe' })
  expect(await kind(' EVIL.test:8080 ')).toEqual([1, threat, 1])
  expect(await kind('http://user:pass@evil.test/#fragment')).toEqual([1, threat, 1])
  expect(await kind('shared.test//evil/./page.html')).toEqual([1, threat, 3])
  expect(await kind('shared.test/evil/')).toEqual([0, safe, 2])
  expect(await kind('ftp://evil.test/')).toEqual([1, expect.objectContaining({ kind: 'unchecked', reason: 'not-web' }), 0])
  expect(await waryHere(['check', 'file:///etc', '--data', folder])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('unchecked: '),
  })
})

test.each([
  [
    'denies the list',
    () => new Response(Uint8Array.from([0x12, 0x02, 0x08, 0x3c]), PROTOBUF),
    'the server denies an entry of its own signed list',
  ],
  ['fails', () => new Response('{}', { status: 500 }), 'the server did not answer (http-status: the server answered 500)'],
  ['answers a login page', () => new Response('<html>', HTML), 'http-type'],
])('an unverified page is no safe page: a server that %s', async (_, search, reason) => {
  const { fetch, faults, remote } = await published('evil.test')
  faults.search = search
  const { code, stdout } = await waryHere(['check', 'evil.test', ...remote], { fetch })
  expect(code).toBe(1)
  expect(stdout).toMatch(/\nunverified: /)
  expect(stdout).toContain(reason)
})
const PROTOBUF = { headers: { 'content-type': 'application/x-protobuf' } }
const HTML = { headers: { 'content-type': 'text/html' } }

test('fails by what the lists fail by, before any verdict', async () => {
  const { fetch, remote, folder, key, clock } = await published('evil.test')
  const later = { now: () => clock.now() + 8 * DAY }
  const refused: Fetch = async () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })
  }
  const login: Fetch = async () => new Response('<html>\u001b[31m', HTML)
  const runs = [
    await waryHere(['check', 'evil.test', ...remote], { fetch: refused }),
    await waryHere(['check', 'evil.test', ...remote], { fetch: login }),
    await waryHere(['check', 'evil.test', ...remote, '--list', 'mw-4b'], { fetch }),
    await waryHere(['check', 'evil.test', ...remote], { fetch, clock: later }),
    await waryHere(['check', 'evil.test', '--data', folder], { clock: later }),
    await waryHere(['check', 'evil.test', '--data', folder, '--key', `${key.slice(2)}00`]),
  ]
  expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual(runs.map(() => [1, '']))
  expect(runs.map(({ stderr }) => /^wary: ([a-z-]+): [^\n]+\n$/.exec(stderr)?.[1])).toEqual([
    'http-network',
    'http-type',
    'http-status',
    'state-expired',
    'state-expired',
    'state-key-unknown',
  ])
  expect(runs[0]?.stderr).toContain('(ECONNREFUSED); start a server with "wary serve"')
})

test('names a folder that has nothing, and the damage of one', async () => {
  const empty = temporaryFolder()
  expect(await waryHere(['check', 'evil.test', '--data', empty])).toEqual({
    code: 1,
    stdout: '',
    stderr: `wary: list-missing: nothing is published in ${empty}; run "wary publish", or name another folder by --data\n`,
  })
  const { folder } = await published('evil.test')
  writeFileSync(`${folder}/versions/000001/se-4b.filter`, 'x')
  const { code, stdout, stderr } = await waryHere(['check', 'evil.test', '--data', folder])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^wary: (state-mismatch|filter-format): [^\n]+\n$/)
})
