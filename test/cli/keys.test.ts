import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createKeyFile } from '../../src/publisher/key-file.ts'
import { createApp } from '../../src/server/app.ts'
import { jsonOf, wary, waryHere } from '../support/cli.ts'
import { statementsIn } from '../support/keys.ts'
import { dataFolder, temporaryFolder } from '../support/publisher.ts'

/** A folder with the keys of several people and a feed. */
function place(...names: string[]) {
  const folder = temporaryFolder()
  const at = (name: string): string => join(folder, name)
  for (const name of names) createKeyFile(at(`${name}.key`))
  writeFileSync(at('feed.txt'), 'evil.test\n')
  const data = ['--data', at('data')]
  const pub = (...some: string[]) => some.flatMap((name) => ['--pub', at(`${name}.key.pub`)])
  const each = (option: string, ...some: string[]) => some.flatMap((name) => [option, at(`${name}.key`)])
  const run = (...args: string[]) => waryHere([...args, ...data])
  return { at, pub, each, run, feed: ['--feed', `plain:${at('feed.txt')}`] }
}

test('as programs: three people, two of whom must sign, publish and hand over without ever meeting', async () => {
  const { at, pub, feed } = place('ann', 'ben', 'cleo', 'dora')
  const data = ['--data', at('data')]
  const done = async (...args: string[]) => {
    const run = await wary(args)
    expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('wary:')])
    return run.stdout
  }
  const made = await done('keys', 'init', '--threshold', '2', ...pub('ann', 'ben', 'cleo'), ...data)
  expect(made).toContain('Version 1 of the keys of')
  expect(made).toContain('2 of 3 keys must sign')
  const prepared = await done('publish', '--unsigned', ...feed, ...data)
  expect(prepared).toMatch(/^Version 000001 waits for signatures in /)
  expect(prepared.match(/^To be signed: .*\.statement$/gm)).toHaveLength(2)
  expect(existsSync(at('data/current'))).toBe(false)
  const signed = await done('sign', ...statementsIn(at('data/pending/to-sign')), '--key', at('cleo.key'))
  expect(signed).toMatch(/^The list se-4b /m)
  expect(signed).toMatch(/^ {2}entries +6 of 4 bytes$/m)
  await done('sign', ...statementsIn(at('data/pending/to-sign')), '--key', at('ann.key'))
  expect(await done('publish', '--finish', ...data)).toContain('Published version 000001 in')
  await done('keys', 'rotate', ...pub('cleo', 'dora'), ...data)
  for (const name of ['ann', 'cleo', 'dora']) await done('sign', ...statementsIn(at('data/pending-keys')), '--key', at(`${name}.key`))
  expect(await done('keys', 'rotate', '--finish', ...data)).toContain('Version 2 of the keys of')
  await done('publish', '--key', at('cleo.key'), '--key', at('dora.key'), ...feed, ...data)
  const shown = await done('keys', 'show', ...data)
  expect(shown).toMatch(/^Version 1: 2 of 3 keys must sign$/m)
  expect(shown).toMatch(/^Version 2, in force: 2 of 2 keys must sign$/m)
  expect(shown).toMatch(/^Subscribe link: https:\/\/lists\.example\/#wary=[0-9a-f]{64}$/m)
  expect(await done('check', 'http://safe.wary.test/', ...data)).toContain('safe:')
}, 60_000)

test('one person hands over from an old key to a new one in one step', async () => {
  const { run, each, pub, feed } = place('old', 'new')
  const before = jsonOf(await run('publish', ...each('--key', 'old'), ...feed, '--json'))
  const rotated = jsonOf(await run('keys', 'rotate', ...pub('new'), ...each('--sign-with', 'old', 'new'), '--json'))
  expect(rotated).toMatchObject({ state: 'done', version: 2, threshold: 1, toSign: [] })
  expect(rotated.fingerprint).not.toBe(before.fingerprint)
  // A link to keys that nothing is signed by yet would find nothing.
  expect(jsonOf(await run('keys', 'show', '--json'))).toMatchObject({ subscribeLink: before.subscribeLink })
  expect((await run('publish', ...each('--key', 'old'), ...feed)).stderr).toMatch(/^wary: key-set: the key [0-9a-f]{16} may not sign here/m)
  const after = await run('publish', ...each('--key', 'new'), ...feed, '--json')
  expect(jsonOf(after)).toMatchObject({ fingerprint: rotated.fingerprint, version: '000002' })
  expect(after.stderr).toContain('note: signed by version 2 of the keys from now on')
  expect(jsonOf(await run('keys', 'show', '--json'))).toMatchObject({
    sets: [
      { version: 1, inForce: false },
      { version: 2, inForce: true },
    ],
    subscribeLink: `https://lists.example/#wary=${rotated.fingerprint}`,
  })
})

test('says who else must sign a change', async () => {
  const { run, each, pub, at } = place('ann', 'ben', 'cleo', 'dora')
  await run('keys', 'init', ...pub('ann', 'ben', 'cleo'))
  const waiting = await run('keys', 'rotate', ...pub('ann', 'dora'), ...each('--sign-with', 'ann'))
  expect(waiting.code).toBe(0)
  expect(waiting.stdout).toContain('Version 2 of the keys of')
  expect(waiting.stdout).toMatch(/^1 more of version 1 must sign: [0-9a-f]{16}, [0-9a-f]{16}$/m)
  expect(waiting.stdout).toMatch(/^1 more of version 2 must sign: [0-9a-f]{16}$/m)
  expect(jsonOf(await run('keys', 'rotate', ...pub('ann', 'dora'), '--json'))).toMatchObject({
    state: 'waiting',
    toSign: [at('data/pending-keys/keys-2.statement')],
    missing: [
      { version: 1, lacking: 1 },
      { version: 2, lacking: 1 },
    ],
  })
  const early = await run('keys', 'rotate', '--finish')
  expect(early).toMatchObject({ code: 1, stdout: '' })
  expect(early.stderr).toMatch(
    /^wary: keys-chain: version 2 of the keys is not signed by those of version 1: signed by 1 of the publisher's 3 keys, where 2 are needed/,
  )
})

test('init takes public halves only, and says what else it was given', async () => {
  const { run, at, pub, each } = place('ann')
  expect((await run('keys', 'init', '--pub', at('ann.key'))).stderr).toMatch(
    /^wary: key-file: .*a private key, which nobody else may see: give .*ann\.key\.pub\n$/,
  )
  expect((await run('keys', 'init', '--pub', at('feed.txt'))).stderr).toMatch(/no public key in it\n$/)
  expect((await run('keys', 'init', '--pub', at('nosuch'))).stderr).toMatch(/nosuch is not there\n$/)
  expect((await run('keys', 'init', ...pub('ann', 'ann'))).stderr).toMatch(/^wary: key-set: .*same key twice/)
  expect((await run('keys', 'init', '--threshold', '2', ...pub('ann'))).stderr).toMatch(/^wary: key-set: one key cannot give 2 signatures/)
  expect((await run('keys', 'show')).stderr).toMatch(/^wary: list-missing: nothing says whose keys count/)
  expect((await run('keys', 'rotate', ...pub('ann'), ...each('--sign-with', 'ann'))).stderr).toMatch(
    /^wary: key-set: there are no keys to follow yet/,
  )
  expect(existsSync(at('data/keys.chain'))).toBe(false)
})

test('a link for the address of a server, of a running one, and what it checks', async () => {
  const { put, store, clock, logger, folder } = dataFolder()
  await put(['evil.test'])
  store.reload()
  const app = createApp({ store, clock, logger })
  const context = { clock, fetch: async (url: string, init: RequestInit) => app.fetch(new Request(url, init)) }
  const server = 'http://127.0.0.1:8750'
  const { subscribeLink } = jsonOf(await waryHere(['keys', 'show', '--server', server, '--json'], context))
  expect(subscribeLink).toMatch(/^http:\/\/127\.0\.0\.1:8750\/#wary=[0-9a-f]{64}$/)
  const named = await waryHere(['keys', 'show', '--data', folder, '--server', 'https://lists.wary.test'])
  expect(named.stdout).toContain(`Subscribe link: ${String(subscribeLink).replace(server, 'https://lists.wary.test')}`)
  expect((await waryHere(['keys', 'show', '--data', folder, '--server', 'https://a.test/b'])).code).toBe(2)

  const check = (link: unknown, ...more: string[]) => waryHere(['check', 'evil.test', '--server', String(link), ...more], context)
  expect((await check(subscribeLink)).stdout).toContain('threat: the page is listed')
  expect((await check(String(subscribeLink).replace(/.$/, (digit) => (digit === '0' ? '1' : '0')))).stderr).toMatch(/^wary: keys-unknown: /)
  expect(await check(String(subscribeLink).slice(0, -1))).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/64 hexadecimal digits, not 63/),
  })
  expect(await check(subscribeLink, '--key', 'ab'.repeat(32))).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/give it without --key/),
  })
})

test('publish takes as many keys as it is given, and says what is wrong with them', async () => {
  const { run, each, pub, feed, at } = place('ann', 'ben', 'cleo')
  expect((await run('publish', ...each('--key', 'ann', 'ben'), ...feed)).stderr).toMatch(
    /wary: key-set: it is not known yet whose signatures count: "wary keys init"/,
  )
  expect((await run('publish', '--unsigned', ...feed)).stderr).toMatch(/wary: key-set: it is not known yet/)
  await run('keys', 'init', ...pub('ann', 'ben', 'cleo'))
  expect((await run('publish', ...each('--key', 'ann'), ...feed)).stderr).toMatch(
    /wary: key-set: 2 of 3 keys must sign, and one is given: name more by --key, or take --unsigned/,
  )
  expect((await run('publish', ...each('--key', 'ann', 'ann'), ...feed)).stderr).toMatch(/wary: key-set: the same key is given twice/)
  for (const wrong of [
    ['--unsigned', ...each('--key', 'ann'), ...feed],
    ['--finish', ...feed],
    ['--finish', ...each('--key', 'ann')],
    ['--finish', '--unsigned'],
  ])
    expect((await run('publish', ...wrong)).code).toBe(2)
  const published = await run('publish', ...each('--key', 'ann', 'cleo'), ...feed)
  expect(published.stdout).toMatch(/^ {2}keys +version 1: 2 of 3 keys must sign$/m)
  expect(readFileSync(at('data/current'), 'utf8')).toBe('000001\n')
  const waiting = jsonOf(await run('publish', '--unsigned', ...feed, '--json'))
  expect(waiting).toMatchObject({ sequence: 2, toSign: [expect.stringMatching(/statement$/), expect.stringMatching(/statement$/)] })
})
