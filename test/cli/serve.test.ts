import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startWary, waryHere } from '../support/cli.ts'
import { dataFolder, temporaryFolder } from '../support/publisher.ts'
import { DAY } from '../support/signed-list.ts'
import { until } from '../support/until.ts'

/** A server in a process of its own, with what it has printed so far. */
function started(...args: string[]) {
  const child = startWary(['serve', ...args])
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  const printed = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = () => until('the server is ready', () => printed.stdout.includes('\n'))
  return { child, printed, ended, ready }
}

test('as a program: serves, follows what is published, logs no query, and ends in order', async () => {
  const { folder, put } = dataFolder()
  await put(['evil.test'])
  const { child, printed, ended, ready } = started('--data', folder, '--port', '0', '--json')
  await ready()
  const facts: unknown = JSON.parse(printed.stdout)
  expect(facts).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    data: folder,
    version: '000001',
    lists: [{ name: 'se-4b', entries: 6 }],
  })
  const url = typeof facts === 'object' && facts !== null && 'url' in facts ? String(facts.url) : ''
  expect((await fetch(`${url}/v5/hashes:search?hashPrefixes=AAAAAA`)).status).toBe(200)
  await put(['evil.test', 'new.test'])
  await until('the new version is served', () => printed.stderr.includes('serving version 000002\n'))
  const taken = await waryHere(['serve', '--data', folder, '--port', new URL(url).port])
  expect(taken).toMatchObject({ code: 1, stdout: '' })
  expect(taken.stderr).toMatch(/^serving version 000002\nwary: serve-failed: port \d+ of 127\.0\.0\.1 is taken: [^\n]+\n$/)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(printed.stdout.match(/\n/g)).toHaveLength(1)
  expect(printed.stderr).toMatch(/^GET \/v5\/hashes:search 200, \d+ bytes, \d+ ms$/m)
  expect(printed.stderr).not.toContain('AAAA')
  expect(printed.stderr).toMatch(/\nending\n$/)
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
})

test('as a program: Ctrl-C ends it too, also with nothing published', async () => {
  const folder = temporaryFolder()
  const { child, printed, ended, ready } = started('--data', folder, '--port', '0')
  await ready()
  expect(printed.stdout).toMatch(/^Serving .* at http:\/\/127\.0\.0\.1:\d+\n$/)
  expect(printed.stderr).toBe(`nothing is published in ${folder} yet; "wary publish" changes that while the server runs\n`)
  child.kill('SIGINT')
  expect(await ended).toBe(0)
})

test('says at the start what clients would find wrong', async () => {
  const damaged = temporaryFolder()
  mkdirSync(join(damaged, 'versions'))
  writeFileSync(join(damaged, 'current'), '000009\n')
  expect((await waryHere(['serve', '--data', damaged, '--port', '0'])).stderr).toMatch(/^wary: publish-damaged: version 000009: /)
  const { folder, put, clock } = dataFolder()
  await put(['evil.test'])
  const later = { now: () => clock.now() + 7 * DAY }
  const expired = await waryHere(['serve', '--data', folder, '--port', '0', '--host', '0.0.0.0'], { clock: later })
  expect(expired.stderr).toContain('note: this version expired at 2026-01-08T00:00:00Z, and clients refuse it; publish again\n')
  expect(expired.stderr).toContain('note: extensions ask other computers over https only')
  expect(expired.code).toBe(0)
})

test('names a host that is not of this computer', async () => {
  const { code, stderr } = await waryHere(['serve', '--data', temporaryFolder(), '--port', '0', '--host', '192.0.2.1'])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^wary: serve-failed: [^\n]*192\.0\.2\.1[^\n]*\n$/)])
})
