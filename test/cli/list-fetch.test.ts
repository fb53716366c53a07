import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { HashList } from '../../src/lists/hash-list.ts'
import { keySetFingerprint, singleKey } from '../../src/lists/key-set.ts'
import { decodeHashList, encodeHashList } from '../../src/protocol/hash-list-message.ts'
import { createApp } from '../../src/server/app.ts'
import { serve } from '../../src/server/serve.ts'
import { jsonOf, wary, waryHere } from '../support/cli.ts'
import { dataFolder, temporaryFolder } from '../support/publisher.ts'
import { DAY, TestPublisher } from '../support/signed-list.ts'

const SERVER = 'http://127.0.0.1:8750'
const hosts = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `evil${from + i}.test`)

/** A server that is asked by the command in this process. */
function place() {
  const data = dataFolder()
  const app = createApp({ store: data.store, clock: data.clock, logger: data.logger })
  const paths: string[] = []
  let answer = async (url: string, init: RequestInit): Promise<Response> => app.fetch(new Request(url, init))
  const direct = answer
  const out = join(temporaryFolder(), 'se-4b.hashlist')
  const key = toHex(data.key.publicKey)
  const fetching = (...args: string[]) =>
    waryHere(['list', 'fetch', ...args], {
      clock: data.clock,
      fetch: (url, init) => {
        const { pathname, search } = new URL(url)
        paths.push(pathname + search)
        return answer(url, init)
      },
    })
  const fetchOne = (...args: string[]) => fetching(SERVER, '--key', key, '--out', out, ...args)
  const publish = async (lines: readonly string[], options: Parameters<typeof data.put>[1] = {}) => {
    const publication = await data.put(lines, options)
    data.store.reload()
    return publication
  }
  const published = () => new Uint8Array(data.published.read(data.published.current()?.version ?? '', 'se-4b.hashlist'))
  const instead = (other: typeof answer) => {
    answer = other
  }
  return { ...data, out, keyHex: key, paths, fetching, fetchOne, publish, publishedFile: published, direct, instead }
}

test('downloads the whole list first, then the changes, then nothing; the file is the published one each time', async () => {
  const { publish, fetchOne, out, publishedFile, paths } = place()
  await publish(hosts(0, 500))
  const first = jsonOf(await fetchOne('--json'))
  expect(first).toMatchObject({
    server: SERVER,
    refusedDelta: null,
    headers: {
      'cache-control': 'public, max-age=300',
      vary: 'Accept',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    },
    lists: [
      {
        name: 'se-4b',
        file: out,
        kind: 'full',
        version: toHex(new TextEncoder().encode('1.1')),
        epoch: 1,
        sequence: 1,
        entries: 505,
        entryLength: 4,
        additions: 505,
        removals: 0,
        minimumWaitMs: 300_000,
      },
    ],
  })
  expect(new Uint8Array(readFileSync(out))).toEqual(publishedFile())
  await publish(hosts(5, 501))
  const second = jsonOf(await fetchOne('--from', out, '--json'))
  expect(second).toMatchObject({
    lists: [{ kind: 'delta', sequence: 2, entries: 501, additions: 1, removals: 5, wholeBytes: publishedFile().length }],
  })
  expect(Number(second['bytes'])).toBeLessThan(350)
  expect(new Uint8Array(readFileSync(out))).toEqual(publishedFile())
  const third = await fetchOne('--from', out)
  expect(third.code).toBe(0)
  expect(third.stdout).toContain(`se-4b: nothing new, written to ${out}`)
  expect(third.stdout).toMatch(/^ {2}etag +"/m)
  expect(new Uint8Array(readFileSync(out))).toEqual(publishedFile())
  expect(paths.at(-1)).toMatch(/^\/v5\/hashLists:batchGet\?names=se-4b&version=/)
})

test('takes a subscribe link in place of the key', async () => {
  const { publish, fetching, out, key, keyHex } = place()
  await publish(hosts(0, 10))
  const link = (fingerprint: string) => `${SERVER}/#wary=${fingerprint}`
  const right = await fetching(link(toHex(keySetFingerprint(singleKey(key.publicKey)))), '--out', out)
  expect([right.code, right.stderr]).toEqual([0, ''])
  expect(right.stdout).toContain('se-4b: the whole list')
  const stranger = new TestPublisher()
  const wrong = await fetching(link(toHex(keySetFingerprint(singleKey(stranger.publicKey)))), '--out', out)
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/^wary: keys-unknown: /)])
  expect((await fetching(SERVER, '--out', out)).stderr).toMatch(/^wary: usage: an address needs --key HEX/)
  expect((await fetching(link('00'.repeat(32)), '--key', keyHex, '--out', out)).code).toBe(2)
})

test('several lists go into a folder, by their names', async () => {
  const { publish, fetching, fetchOne, keyHex } = place()
  await publish([], { lists: ['se', 'mw'].map((stem) => ({ stem, feeds: [] })) })
  const refused = await fetchOne()
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('there are 2 lists (se-4b, mw-4b): choose one by --list')])
  const folder = temporaryFolder()
  const { code, stdout } = await fetching(SERVER, '--key', keyHex, '--out', folder)
  expect([code, stdout.match(/: the whole list, written/g)?.length]).toEqual([0, 2])
  for (const name of ['se-4b', 'mw-4b']) expect(decodeHashList(readFileSync(join(folder, `${name}.hashlist`))).name).toBe(name)
  expect((await fetchOne('--list', 'mw-4b')).stdout).toContain('mw-4b: the whole list')
  const missing = await fetchOne('--list', 'pha-4b')
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('there is no list of this name')])
  const other = await fetchOne('--list', 'se-4b', '--from', join(folder, 'mw-4b.hashlist'))
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('which --list does not name')])
})

describe('what a client would refuse', () => {
  test('is refused, and the file stays as it was', async () => {
    const { publish, fetchOne, fetching, out, clock, direct, instead } = place()
    await publish(hosts(0, 50))
    await fetchOne()
    const before = readFileSync(out)
    const stays = async (args: Promise<{ readonly code: number | null; readonly stderr: string }>, code: RegExp) => {
      const run = await args
      expect([run.code, run.stderr]).toEqual([1, expect.stringMatching(code)])
      expect(readFileSync(out)).toEqual(before)
    }
    await stays(fetching(SERVER, '--key', toHex(new TestPublisher().publicKey), '--out', out), /^wary: state-key-unknown/)
    const changed = (change: (bytes: Uint8Array) => Uint8Array) =>
      instead(async (url, init) => {
        const answer = await direct(url, init)
        if (!url.includes('batchGet')) return answer
        return new Response(new Uint8Array(change(new Uint8Array(await answer.arrayBuffer()))), {
          headers: { 'content-type': 'application/x-protobuf' },
        })
      })
    changed((bytes) => bytes.subarray(0, 40))
    await stays(fetchOne(), /^wary: list-format/)
    changed((bytes) => bytes.map((byte, i) => (i === bytes.length - 5 ? byte ^ 1 : byte)))
    await stays(fetchOne(), /^wary: state-signature/)
    instead(async () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }))
    await stays(fetchOne(), /^wary: http-type/)
    instead(direct)
    clock.advance(8 * DAY)
    await stays(fetchOne(), /^wary: state-expired/)
  })

  test('an older version than that of --from', async () => {
    const { publish, fetchOne, out, folder, store } = place()
    await publish(hosts(0, 50))
    await publish(hosts(0, 51))
    await fetchOne()
    writeFileSync(join(folder, 'current'), '000001\n')
    store.reload()
    const { code, stderr } = await fetchOne('--from', out)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^wary: state-rollback/)])
  })

  test('changes of another list than --from: the whole is asked for', async () => {
    const { publish, fetchOne, out, publishedFile, paths } = place()
    await publish(hosts(0, 300))
    await publish(hosts(1, 301))
    await fetchOne()
    const update = decodeHashList(readFileSync(out))
    const additions = update.additions && { ...update.additions, entries: update.additions.entries.subarray(0, -4) }
    const other = decodeHashList(
      encodeHashList({ ...update, additions, version: new TextEncoder().encode('1.1'), checksum: new Uint8Array(0), signed: undefined }),
    )
    writeFileSync(out, encodeHashList({ ...other, checksum: sha256(other.additions?.entries ?? new Uint8Array(0)) }))
    const { code, stdout, stderr } = await fetchOne('--from', out)
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^note: the changes were of no use, so the whole was asked for: /)])
    expect(stdout).toContain('the whole list')
    expect(new Uint8Array(readFileSync(out))).toEqual(publishedFile())
    expect(paths.at(-1)).not.toContain('version=')
  })

  test('a --from that is no whole list', async () => {
    const { publish, fetchOne, folder, out } = place()
    await publish(hosts(0, 300))
    await publish(hosts(1, 301))
    const { code, stderr } = await fetchOne('--from', join(folder, 'versions', '000002', 'se-4b.from-1.1.hashlist'))
    expect([code, stderr]).toEqual([1, expect.stringMatching(/only changes another list, and is nothing to start from/)])
    expect((await fetchOne('--from', join(folder, 'nothing'))).code).toBe(1)
    expect(existsSync(out)).toBe(false)
  })
})

test('as a program, against a real server', async () => {
  const { publish, store, logger, clock, keyHex } = place()
  await publish(hosts(0, 20), { expiresInMs: 3650 * DAY })
  const running = await serve({ app: createApp({ store, clock, logger }), store, logger, port: 0 })
  try {
    const folder = join(temporaryFolder(), 'lists')
    mkdirSync(folder)
    const { code, stdout, stderr } = await wary(['list', 'fetch', running.url, '--key', keyHex, '--out', folder])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`se-4b: the whole list, written to ${join(folder, 'se-4b.hashlist')}`)
  } finally {
    await running.close()
  }
})

function sha256(bytes: Uint8Array): Uint8Array {
  return HashList.fromSorted({ name: 'x', version: new Uint8Array(0), entryLength: 4, entries: bytes }).checksum()
}
