import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStatement } from '../../src/lists/signed-state.ts'
import { decodeHashList } from '../../src/protocol/hash-list-message.ts'
import { decodeSignedState } from '../../src/protocol/signed-state-message.ts'
import { realFileSystem } from '../../src/publisher/file-system.ts'
import { finishPublication } from '../../src/publisher/finish-publication.ts'
import { finishRotation, initKeys, prepareRotation } from '../../src/publisher/key-changes.ts'
import { KeyRing } from '../../src/publisher/key-ring.ts'
import { UnsignedStatements } from '../../src/publisher/pending-publication.ts'
import { readStatementFile, signStatementFiles } from '../../src/publisher/sign-statement.ts'
import { keyFiles, statementsIn } from '../support/keys.ts'
import { dataFolder } from '../support/publisher.ts'
import { DAY, verifyEd25519 } from '../support/signed-list.ts'

const failing = (code: string, message = /./) => expect.objectContaining({ code, message: expect.stringMatching(message) })

async function organisation() {
  const keys = keyFiles('ann', 'ben', 'cleo', 'dora')
  const place = dataFolder()
  const { folder, clock, put } = place
  const { set } = await initKeys({ dataFolder: folder, threshold: 2, publicKeys: keys.publicKeys('ann', 'ben', 'cleo') })
  const toSign = join(folder, 'pending', 'to-sign')
  const sign = (...names: Parameters<typeof keys.path>[0][]) => {
    const files = statementsIn(toSign).map(readStatementFile)
    for (const name of names) signStatementFiles(files, keys.path(name))
  }
  const prepare = (lines: readonly string[], options = {}) => put(lines, { key: new UnsignedStatements(), ...options })
  const finish = (options = {}) => finishPublication({ dataFolder: folder, clock, ...options })
  return { ...place, ...keys, set, toSign, sign, prepare, finish }
}

test('a version is in force once enough have signed each of its statements, and is what it would be if it had been signed at once', async () => {
  const { prepare, sign, finish, store, folder, set, put, key } = await organisation()
  const prepared = await prepare(['evil.test'])
  expect(prepared.toSign.map((path) => path.replace(/.*\//, '')).sort()).toEqual(['se-4b.filter.statement', 'se-4b.list.statement'])
  expect(readdirSync(join(folder, 'pending', 'to-sign'))).toHaveLength(2)
  store.reload()
  expect(store.edition).toBeUndefined()
  await expect(finish()).rejects.toEqual(failing('state-threshold', /se-4b\.filter\.statement: not signed yet, and 2 of 3 keys must/))
  sign('ben')
  await expect(finish()).rejects.toEqual(failing('state-threshold', /signed by 1 of the publisher's 3 keys, where 2 are needed/))
  sign('ann')
  const { manifest, version, warnings } = await finish()
  expect([version, warnings]).toEqual(['000001', []])
  expect(manifest.publicKey).toBe(
    Buffer.from(set.keys.find((each) => !Buffer.from(each).equals(key('cleo').publicKey)) ?? []).toString('hex'),
  )
  expect(store.reload()).toBe(true)
  expect(store.edition?.keys.set).toEqual(set)
  expect(existsSync(join(folder, 'pending'))).toBe(false)

  const file = (name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, 'versions', '000001', name)))
  const { signed } = decodeHashList(file('se-4b.hashlist'))
  if (!signed) throw new Error('not signed')
  for (const each of [signed, decodeSignedState(file('se-4b.filter.state'))]) {
    expect(each.signatures).toHaveLength(2)
    await openStatement(each, set, verifyEd25519)
  }
  // Ed25519 signs the same bytes the same way: both ways to publish end in the same files, but for the number.
  await put(['evil.test'], { key: new KeyRing([key('ann'), key('ben')]) })
  const hashOf = (v: string, name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, 'versions', v, name)))
      .digest('hex')
  const wholes = (v: string) => readdirSync(join(folder, 'versions', v)).filter((name) => !name.includes('.from-'))
  expect(wholes('000002').sort()).toEqual(wholes('000001').sort())
  for (const name of ['se-4b.filter', 'se-4b.fullhashes', 'keys.chain']) expect(hashOf('000002', name)).toBe(hashOf('000001', name))
  expect(file('se-4b.hashlist').length).toBe(readFileSync(join(folder, 'versions', '000002', 'se-4b.hashlist')).length)
})

test('several lists wait together', async () => {
  const { prepare, sign, finish, store } = await organisation()
  const feed = (name: string) => [{ name: 'test', items: [{ entry: { expression: `${name}.test/` } }] }]
  await prepare([], {
    lists: [
      { stem: 'se', feeds: feed('phish') },
      { stem: 'mw', feeds: feed('malware') },
    ],
  })
  sign('ann', 'cleo')
  await finish()
  store.reload()
  expect([...(store.edition?.lists.keys() ?? [])]).toEqual(['se-4b', 'mw-4b'])
})

test('signatures of strangers, of other statements and of one bit less count for nothing', async () => {
  const { prepare, sign, finish, toSign, key, path } = await organisation()
  await prepare(['evil.test'])
  sign('ann')
  signStatementFiles(statementsIn(toSign).map(readStatementFile), path('dora'))
  await expect(finish()).rejects.toEqual(
    failing('state-threshold', /where 2 are needed \(.*\.sig is no signature of this statement by a key that counts\)/),
  )
  const [list, filter] = ['se-4b.list.statement', 'se-4b.filter.statement'].map((name) => join(toSign, name)) as [string, string]
  const hex = (statement: Uint8Array): string => Buffer.from(key('ben').signed(statement).signatures[0]?.signature ?? []).toString('hex')
  writeFileSync(`${list}.ben.sig`, hex(readFileSync(filter)))
  writeFileSync(`${filter}.ben.sig`, hex(readFileSync(list)))
  await expect(finish()).rejects.toEqual(failing('state-threshold'))
  writeFileSync(`${list}.ben.sig`, hex(readFileSync(list)))
  writeFileSync(
    `${filter}.ben.sig`,
    hex(readFileSync(filter)).replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
  )
  await expect(finish()).rejects.toEqual(failing('state-threshold', /se-4b\.filter/))
  writeFileSync(`${filter}.ben.sig`, hex(readFileSync(filter)))
  expect((await finish()).warnings).toHaveLength(2)
})

test('what waits is refused once it has expired, was overtaken, or the keys have changed', async () => {
  const { prepare, sign, finish, clock, put, key, folder, publicKeys, path } = await organisation()
  await expect(finish()).rejects.toEqual(failing('publish-failed', /nothing waits to be signed here/))
  await prepare(['evil.test'])
  sign('ann', 'ben')
  clock.advance(8 * DAY)
  await expect(finish()).rejects.toEqual(failing('publish-failed', /expired before it was signed; prepare it anew/))

  const second = await prepare(['evil.test'])
  sign('ann', 'ben')
  const ring = new KeyRing([key('ann'), key('ben')])
  const overtaking = await put(['other.test'], { key: ring })
  // Never the number of what waits: that may have been signed.
  expect([second.sequence, overtaking.sequence]).toEqual([2, 3])
  await expect(finish()).rejects.toEqual(failing('publish-failed', /another version was published after/))

  await prepare(['evil.test'])
  sign('ann', 'ben')
  const { statementPath } = await prepareRotation({ dataFolder: folder, threshold: 1, publicKeys: publicKeys('dora') })
  for (const name of ['ann', 'ben', 'dora'] as const) signStatementFiles([readStatementFile(statementPath)], path(name))
  await finishRotation({ dataFolder: folder })
  await expect(finish()).rejects.toEqual(failing('publish-failed', /the keys have changed since/))

  await prepare(['evil.test'])
  sign('dora')
  expect((await finish()).warnings).toEqual(['signed by version 2 of the keys from now on; browsers follow by the chain of key sets'])
})

test('what waits stays as it is when it cannot be put in force', async () => {
  const { prepare, sign, finish, store } = await organisation()
  await prepare(['evil.test'])
  sign('ann', 'ben')
  const full = (): never => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  await expect(finish({ files: { ...realFileSystem, write: full } })).rejects.toEqual(failing('publish-failed', /no space left/))
  expect((await finish()).version).toBe('000001')
  expect(store.reload()).toBe(true)
})

test('a damaged file of what waits is found before it is in force', async () => {
  const { prepare, sign, finish, folder } = await organisation()
  await prepare(['evil.test'])
  sign('ann', 'ben')
  const file = join(folder, 'pending', 'files', 'se-4b.hashlist')
  writeFileSync(file, readFileSync(file).subarray(0, -1))
  await expect(finish()).rejects.toEqual(failing('publish-damaged', /in no file of what waits/))
})

test('without a word about keys nothing is prepared', async () => {
  const { put } = dataFolder()
  await expect(put(['evil.test'], { key: new UnsignedStatements() })).rejects.toEqual(failing('key-set', /"wary keys init" says so once/))
  await put(['evil.test'])
  expect((await put(['evil.test'], { key: new UnsignedStatements() })).toSign).toHaveLength(2)
})
