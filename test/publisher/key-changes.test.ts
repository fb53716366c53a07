import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LONGEST_CHAIN } from '../../src/lists/key-chain.ts'
import { encodeKeySet, makeKeySet, singleKey } from '../../src/lists/key-set.ts'
import { realFileSystem } from '../../src/publisher/file-system.ts'
import { finishRotation, initKeys, prepareRotation, waitingKeys } from '../../src/publisher/key-changes.ts'
import { KeyChainFile, newestKeySet } from '../../src/publisher/key-chain-file.ts'
import { KeyRing } from '../../src/publisher/key-ring.ts'
import { readStatementFile, signStatementFiles } from '../../src/publisher/sign-statement.ts'
import { keyFiles } from '../support/keys.ts'
import { dataFolder } from '../support/publisher.ts'

const failing = (code: string, message = /./) => expect.objectContaining({ code, message: expect.stringMatching(message) })

/** A data folder of Ann, Ben and Cleo, two of whom must sign; Dora and Eve are to come. */
async function organisation() {
  const keys = keyFiles('ann', 'ben', 'cleo', 'dora', 'eve')
  const place = dataFolder()
  const options = { dataFolder: place.folder }
  const { set } = await initKeys({ ...options, threshold: 2, publicKeys: keys.publicKeys('ann', 'ben', 'cleo') })
  const sign = (...names: Parameters<typeof keys.path>[0][]) => {
    const file = readStatementFile(waitingKeys(options).statementPath)
    for (const name of names) signStatementFiles([file], keys.path(name))
  }
  return { ...place, ...keys, options, set, sign, chain: () => new KeyChainFile(place.folder, realFileSystem).read() ?? [] }
}

test('the first set is in force for the next publication, which too few or other keys cannot sign', async () => {
  const { put, store, set, key } = await organisation()
  const { key: strange } = keyFiles('strange')
  const ring = (...names: Parameters<typeof key>[0][]) => new KeyRing(names.map(key))
  await expect(put(['evil.test'], { key: key('ann') })).rejects.toEqual(failing('key-set', /2 of 3 keys must sign, and one is given/))
  await expect(put(['evil.test'], { key: ring('ann', 'dora') })).rejects.toEqual(failing('key-set', /may not sign here/))
  await expect(put(['evil.test'], { key: strange('strange') })).rejects.toEqual(failing('key-set', /may not sign here/))
  await put(['evil.test'], { key: ring('cleo', 'ann') })
  expect(store.reload()).toBe(true)
  expect(store.edition?.keys.set).toEqual(set)
  expect(store.edition?.manifest.keySet).toMatchObject({ version: 1, threshold: 2 })
})

test('are said once: later they rotate, or everybody starts anew', async () => {
  const { options, publicKeys, chain } = await organisation()
  const other = { ...options, threshold: 1, publicKeys: publicKeys('dora') }
  await expect(initKeys(other)).rejects.toEqual(failing('key-set', /version 1 of the keys is in use here: "wary keys rotate"/))
  await initKeys({ ...other, anew: true })
  expect(newestKeySet(chain())).toEqual(singleKey(publicKeys('dora')[0] as Uint8Array))
})

test('of a folder that one key signed: only that key may be said, and it rotates as it is', async () => {
  const { folder, key: old, put, store } = dataFolder()
  const { publicKeys, path, key } = keyFiles('new')
  await put(['evil.test'])
  await expect(initKeys({ dataFolder: folder, threshold: 1, publicKeys: publicKeys('new') })).rejects.toEqual(failing('key-set'))
  const pending = await prepareRotation({ dataFolder: folder, threshold: 1, publicKeys: publicKeys('new') })
  expect(pending.former).toEqual(singleKey(old.publicKey))
  expect(pending.set.version).toBe(2)
  await expect(finishRotation({ dataFolder: folder })).rejects.toEqual(
    failing('keys-chain', /not signed by those of version 1: nobody has signed it/),
  )
  signStatementFiles([readStatementFile(pending.statementPath)], path('new'))
  await expect(finishRotation({ dataFolder: folder })).rejects.toEqual(failing('keys-chain', /not signed by those of version 1/))
  const [signature] = old.signed(readFileSync(pending.statementPath)).signatures
  writeFileSync(`${pending.statementPath}.0000.sig`, Buffer.from(signature?.signature ?? []).toString('hex'))
  expect((await finishRotation({ dataFolder: folder })).set.version).toBe(2)
  // What is in force is as before until the next publication.
  store.reload()
  expect(store.edition?.keys.set).toEqual(singleKey(old.publicKey))
  await expect(put(['evil.test'])).rejects.toEqual(failing('key-set', /may not sign here/))
  const { warnings } = await put(['evil.test'], { key: key('new') })
  expect(warnings).toEqual(['signed by version 2 of the keys from now on; browsers follow by the chain of key sets'])
  store.reload()
  expect(store.failure).toBeUndefined()
  expect(store.edition?.keys.set.version).toBe(2)
})

test('change when enough former and enough new keys have signed, and not before', async () => {
  const { options, publicKeys, sign, chain, folder } = await organisation()
  const pending = await prepareRotation({ ...options, threshold: 2, publicKeys: publicKeys('cleo', 'dora', 'eve') })
  sign('ann', 'dora')
  await expect(finishRotation(options)).rejects.toEqual(failing('keys-chain', /signed by 1 of the publisher's 3 keys, where 2 are needed/))
  expect(chain()).toHaveLength(1)
  sign('ben')
  await expect(finishRotation(options)).rejects.toEqual(failing('keys-chain', /not signed by its own keys/))
  sign('eve')
  const { set, warnings } = await finishRotation(options)
  expect(set).toEqual(pending.set)
  expect(warnings).toEqual([])
  expect(newestKeySet(chain())).toEqual(set)
  expect(existsSync(join(folder, 'pending-keys'))).toBe(false)
  expect(() => waitingKeys(options)).toThrow(failing('key-set', /no change of the keys waits/))
})

test('a key signs one set of each version, and a change that somebody signed is not overwritten', async () => {
  const { options, publicKeys, sign, folder, path } = await organisation()
  const first = await prepareRotation({ ...options, threshold: 1, publicKeys: publicKeys('dora') })
  // Nobody has signed it: it may still become another.
  await prepareRotation({ ...options, threshold: 1, publicKeys: publicKeys('eve') })
  sign('ann')
  await expect(prepareRotation({ ...options, threshold: 1, publicKeys: publicKeys('dora') })).rejects.toEqual(
    failing('key-set', /another change of the keys has been signed by somebody; to give it up, remove/),
  )
  // The same again keeps its signatures.
  expect((await prepareRotation({ ...options, threshold: 1, publicKeys: publicKeys('eve') })).signed.signatures).toHaveLength(1)
  rmSync(join(folder, 'pending-keys'), { recursive: true })
  await prepareRotation({ ...options, threshold: 1, publicKeys: publicKeys('dora') })
  expect(() => sign('ann')).toThrow(
    failing('sign-refused', /has signed another statement as version 2 of the keys; if that is right all the same, remove/),
  )
  rmSync(`${path('ann')}.signed`)
  sign('ann', 'ben', 'dora')
  expect((await finishRotation(options)).set).toEqual(first.set)
})

test('a file that is no signature, or of a key that does not count, is named and changes nothing', async () => {
  const { options, publicKeys, sign, key } = await organisation()
  const { statementPath, signed } = await prepareRotation({ ...options, threshold: 1, publicKeys: publicKeys('dora') })
  writeFileSync(`${statementPath}.1.sig`, 'nonsense')
  const [stranger] = key('eve').signed(signed.statement).signatures
  writeFileSync(`${statementPath}.2.sig`, Buffer.from(stranger?.signature ?? []).toString('hex'))
  sign('ben', 'cleo', 'dora')
  const { warnings } = await finishRotation(options)
  expect(warnings).toEqual([expect.stringMatching(/1\.sig is no signature/), expect.stringMatching(/2\.sig is no signature/)])
})

test('a chain that is full loses its oldest set, and says so', async () => {
  const { options, key, chain, folder } = await organisation()
  const sets = Array.from({ length: LONGEST_CHAIN }, (_, i) => makeKeySet(i + 1, 1, [key('ann').publicKey]))
  new KeyChainFile(folder, realFileSystem).write(sets.map((set) => key('ann').signed(encodeKeySet(set))))
  const pending = await prepareRotation({ ...options, threshold: 1, publicKeys: [key('ben').publicKey] })
  const [a, b] = [key('ann'), key('ben')].map((each) => each.signed(pending.signed.statement).signatures[0])
  writeFileSync(`${pending.statementPath}.a.sig`, Buffer.from(a?.signature ?? []).toString('hex'))
  writeFileSync(`${pending.statementPath}.b.sig`, Buffer.from(b?.signature ?? []).toString('hex'))
  expect((await finishRotation(options)).warnings).toEqual([expect.stringMatching(/oldest key set was left out/)])
  expect(chain()).toHaveLength(LONGEST_CHAIN)
})

test.each([
  ['nonsense', (path: string) => writeFileSync(path, 'nonsense')],
  [
    'a bit',
    (path: string) =>
      writeFileSync(
        path,
        readFileSync(path).map((byte, i) => (i === 40 ? byte ^ 1 : byte)),
      ),
  ],
])('%s in keys.chain stops whoever would go on from it', async (_what, damage) => {
  const { options, publicKeys, put, key, folder } = await organisation()
  damage(join(folder, 'keys.chain'))
  await expect(prepareRotation({ ...options, threshold: 1, publicKeys: publicKeys('dora') })).rejects.toEqual(
    failing('publish-damaged', /keys\.chain/),
  )
  await expect(put(['evil.test'], { key: new KeyRing([key('ann'), key('ben')]) })).rejects.toEqual(
    failing('publish-damaged', /keys\.chain/),
  )
})

test('whichever step of a change fails, the keys are the former or the new ones, and the next attempt succeeds', async () => {
  const { options, publicKeys, sign, chain, folder } = await organisation()
  const { former, set } = await prepareRotation({ ...options, threshold: 1, publicKeys: publicKeys('dora') })
  sign('ann', 'ben', 'dora')
  let step = 0
  let failing = 1
  const faulty = Object.fromEntries(
    Object.entries(realFileSystem).map(([name, work]) => [
      name,
      (...args: Parameters<typeof work>) => {
        if (++step === failing) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
        Reflect.apply(work, undefined, args)
      },
    ]),
  )
  const outcomes: string[] = []
  for (;;) {
    step = 0
    const attempt = await finishRotation({ ...options, files: { ...realFileSystem, ...faulty } }).catch((error: Error) => error)
    const newest = newestKeySet(chain())
    expect([former, set]).toContainEqual(newest)
    outcomes.push(`${attempt instanceof Error ? 'failed' : 'done'}, version ${newest.version}`)
    if (newest.version === 2) break
    failing++
  }
  // Folder, write, rename; after that the new set is in the file, and only whether the disk has its name by now is not known.
  expect(outcomes).toEqual(['failed, version 1', 'failed, version 1', 'failed, version 1', 'failed, version 2'])
  // What still waits follows from the former set, and says so.
  await expect(finishRotation(options)).rejects.toMatchObject({ code: 'keys-chain' })
  await prepareRotation({ ...options, threshold: 1, publicKeys: publicKeys('eve') }).catch((error) => expect(error.code).toBe('key-set'))
  expect(existsSync(join(folder, 'keys.chain'))).toBe(true)
})

test('keys.chain that was lost is that of the version in force', async () => {
  const { options, put, key, folder, set, publicKeys } = await organisation()
  const ring = new KeyRing([key('ann'), key('ben')])
  await put(['evil.test'], { key: ring })
  rmSync(join(folder, 'keys.chain'))
  await expect(put(['evil.test'], { key: key('ann') })).rejects.toEqual(failing('key-set'))
  expect((await put(['evil.test'], { key: ring })).warnings).toEqual([])
  expect((await prepareRotation({ ...options, threshold: 1, publicKeys: publicKeys('dora') })).former).toEqual(set)
})
