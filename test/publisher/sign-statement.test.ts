import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { encodeFilterState } from '../../src/lists/filter-state.ts'
import { encodeKeySet, makeKeySet } from '../../src/lists/key-set.ts'
import { encodeListState } from '../../src/lists/signed-state.ts'
import { verifiesEd25519 } from '../../src/publisher/ed25519.ts'
import { realFileSystem } from '../../src/publisher/file-system.ts'
import { readStatementFile, signStatementFiles } from '../../src/publisher/sign-statement.ts'
import { keyFiles } from '../support/keys.ts'
import { temporaryFolder } from '../support/publisher.ts'
import { type ListPlan, planned } from '../support/signed-list.ts'

const failing = (code: string, message = /./) => expect.objectContaining({ code, message: expect.stringMatching(message) })

function place() {
  const folder = temporaryFolder()
  const keys = keyFiles('ann', 'ben')
  const file = (name: string, statement: Uint8Array): string => {
    const path = join(folder, `${name}.statement`)
    writeFileSync(path, statement)
    return path
  }
  const list = (name: string, plan: ListPlan) => file(name, encodeListState(planned(plan).state))
  const sign = (...paths: string[]) => signStatementFiles(paths.map(readStatementFile), keys.path('ann'))
  return { folder, ...keys, file, list, sign }
}

test('a signature stands beside its statement and holds', () => {
  const { list, sign, key } = place()
  const path = list('a', { sequence: 7 })
  const [signature] = sign(path)
  expect(signature).toBe(`${path}.${Buffer.from(key('ann').id).toString('hex')}.sig`)
  const bytes = Buffer.from(readFileSync(signature ?? '', 'utf8').trim(), 'hex')
  expect(verifiesEd25519(key('ann').publicKey, readFileSync(path), bytes)).toBe(true)
  expect(verifiesEd25519(key('ben').publicKey, readFileSync(path), bytes)).toBe(false)
})

test('a key signs nothing older than what it signed, nor anything else of the same number', () => {
  const { list, sign, path } = place()
  const seven = list('seven', { sequence: 7 })
  sign(seven)
  expect(() => sign(list('six', { sequence: 6 }))).toThrow(
    failing('sign-refused', /six\.statement: it is epoch 1, sequence 6, and this key has signed epoch 1, sequence 7 before/),
  )
  expect(() => sign(list('other', { sequence: 7, expressions: ['evil.test/'] }))).toThrow(
    failing(
      'sign-refused',
      /has signed another statement as epoch 1, sequence 7; if that is right all the same, remove .*ann\.key\.signed/,
    ),
  )
  // Also of another list: all lists of a publisher share the number.
  expect(() => sign(list('malware', { name: 'mw-4b', sequence: 6 }))).toThrow(failing('sign-refused'))
  // The same again, another list of the same number, and what is newer, are right.
  sign(seven)
  sign(list('malware', { name: 'mw-4b', sequence: 7 }))
  sign(list('eight', { sequence: 8 }))
  // An epoch outweighs every sequence: that is what it is for.
  sign(list('epoch', { epoch: 2, sequence: 1 }))
  expect(() => sign(list('nine', { epoch: 1, sequence: 9 }))).toThrow(failing('sign-refused'))
  // Another key has a memory of its own.
  signStatementFiles([readStatementFile(seven)], path('ben'))
})

test('lists, filters and keys are remembered apart', () => {
  const { list, file, sign, publicKeys } = place()
  sign(list('list', { sequence: 7 }))
  const state = { name: 'se-4b', epoch: 1, entryCount: 1, byteLength: 1, checksum: new Uint8Array(32), issuedAt: 0, expiresAt: 1e12 }
  sign(file('filter', encodeFilterState({ ...state, sequence: 3 })))
  sign(file('keys', encodeKeySet(makeKeySet(2, 1, publicKeys('ann')))))
  expect(() => sign(file('filter', encodeFilterState({ ...state, sequence: 2 })))).toThrow(failing('sign-refused'))
  expect(() => sign(file('keys', encodeKeySet(makeKeySet(1, 1, publicKeys('ann')))))).toThrow(
    failing('sign-refused', /version 1 of the keys/),
  )
  expect(() => sign(file('keys', encodeKeySet(makeKeySet(2, 1, publicKeys('ben')))))).toThrow(
    failing('sign-refused', /another statement as version 2/),
  )
})

test('of several statements all are signed or none', () => {
  const { list, sign, path } = place()
  sign(list('five', { sequence: 5 }))
  const before = readFileSync(`${path('ann')}.signed`, 'utf8')
  const [six, four] = [list('six', { sequence: 6 }), list('four', { sequence: 4 })]
  expect(() => sign(six, four)).toThrow(failing('sign-refused', /four\.statement/))
  expect(readFileSync(`${path('ann')}.signed`, 'utf8')).toBe(before)
  sign(six)
})

test('what was signed is remembered before the signature is written', () => {
  const { list, path } = place()
  const file = readStatementFile(list('seven', { sequence: 7 }))
  const full = (target: string, bytes: Uint8Array): void => {
    if (target.endsWith('.sig.new')) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    realFileSystem.write(target, bytes)
  }
  expect(() => signStatementFiles([file], path('ann'), { ...realFileSystem, write: full })).toThrow(
    failing('file-failed', /\.sig.*no space left/),
  )
  expect(() => signStatementFiles([readStatementFile(list('six', { sequence: 6 }))], path('ann'))).toThrow(failing('sign-refused'))
})

test.each([
  '',
  '{',
  '{"format":2,"last":{}}',
  '{"format":1}',
  '{"format":1,"last":{"list se-4b":{"rank":[1],"statement":""}}}',
  '{"format":1,"last":{"list se-4b":{"rank":[1,"2"],"statement":""}}}',
])('a damaged memory (%j) is not passed over', (text) => {
  const { list, sign, path } = place()
  writeFileSync(`${path('ann')}.signed`, text)
  const statement = list('a', {})
  expect(() => sign(statement)).toThrow(failing('key-file', /ann\.key\.signed is damaged/))
  rmSync(`${path('ann')}.signed`)
  expect(sign(statement)).toHaveLength(1)
})

test.each([
  ['a text', Buffer.from('please sign this'), /no statement of a list, a filter or a key set/],
  ['nothing', Buffer.alloc(0), /no statement/],
  ['a statement cut off', encodeListState(planned({}).state).subarray(0, -1), /ends too early/],
  ['a statement with something after it', Buffer.concat([encodeListState(planned({}).state), Buffer.of(0)]), /bytes follow/],
  ['a statement of a later kind', Buffer.from('wary-list-state-v2'), /no statement/],
])('%s is not signed', (_what, bytes, message) => {
  const { file, sign, path } = place()
  const statement = file('x', bytes)
  expect(() => sign(statement)).toThrow(failing('sign-refused', message))
  expect(existsSync(`${path('ann')}.signed`)).toBe(false)
})

test('names a file that is too long, or not there', () => {
  const { file, folder } = place()
  expect(() => readStatementFile(file('long', Buffer.alloc(5000)))).toThrow(failing('file-failed', /too long/))
  expect(() => readStatementFile(join(folder, 'nosuch'))).toThrow(failing('file-failed', /nosuch/))
  expect(statSync(folder).isDirectory()).toBe(true)
})

test('says in words what a statement says', () => {
  const { file, list, publicKeys, key } = place()
  const { words } = readStatementFile(list('a', { name: 'mw-8b', epoch: 2, sequence: 7, expressions: ['evil.test/'] }))
  expect(words.title).toBe('The list mw-8b')
  expect(Object.fromEntries(words.rows)).toEqual({
    entries: '6 of 8 bytes',
    checksum: Buffer.from(planned({ name: 'mw-8b', expressions: ['evil.test/'] }).state.checksum).toString('hex'),
    'public suffixes': 'tldts-icann@7.4.16',
    'epoch, sequence': '2, 7',
    issued: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/),
    expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/),
  })
  const set = readStatementFile(file('k', encodeKeySet(makeKeySet(3, 2, publicKeys('ann', 'ben'))))).words
  expect(set.title).toMatch(/^Version 3 of the publisher's keys/)
  expect(set.rows).toContainEqual(['needed', '2 of 2'])
  expect(set.rows).toContainEqual([`key ${Buffer.from(key('ben').id).toString('hex')}`, Buffer.from(key('ben').publicKey).toString('hex')])
  // A time that no date has is shown as the number that is signed.
  const late = readStatementFile(file('l', encodeListState({ ...planned({}).state, expiresAt: 9e15 }))).words
  expect(Object.fromEntries(late.rows).expires).toBe('9000000000000 seconds after 1970')
})
