import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fromBase64 } from '../../src/bytes.ts'
import { openKeyChain } from '../../src/lists/key-chain.ts'
import { encodeKeySet, keySetFingerprint, makeKeySet, singleKey } from '../../src/lists/key-set.ts'
import { decodeKeyChain, encodeKeyChain } from '../../src/protocol/key-chain-message.ts'
import { KEYS_PATH } from '../../src/protocol/paths.ts'
import { realFileSystem } from '../../src/publisher/file-system.ts'
import { finishRotation, initKeys, prepareRotation } from '../../src/publisher/key-changes.ts'
import { KeyChainFile } from '../../src/publisher/key-chain-file.ts'
import { KeyRing } from '../../src/publisher/key-ring.ts'
import { readStatementFile, signStatementFiles } from '../../src/publisher/sign-statement.ts'
import { createApp } from '../../src/server/app.ts'
import { keyFiles } from '../support/keys.ts'
import { dataFolder } from '../support/publisher.ts'
import { verifyEd25519 } from '../support/signed-list.ts'

function world() {
  const place = dataFolder()
  const app = createApp({ store: place.store, clock: place.clock, logger: place.logger })
  const get = async (path: string, headers: Record<string, string> = {}) => app.fetch(new Request(`http://localhost${path}`, { headers }))
  const chain = async () => decodeKeyChain(new Uint8Array(await (await get(KEYS_PATH)).arrayBuffer()))
  return { ...place, get, chain }
}

/** A folder of Ann and Ben that was handed over to Cleo and Dora, and published before and after. */
async function handedOver() {
  const place = world()
  const keys = keyFiles('ann', 'ben', 'cleo', 'dora')
  const options = { dataFolder: place.folder }
  const { set: first } = await initKeys({ ...options, threshold: 2, publicKeys: keys.publicKeys('ann', 'ben') })
  const ring = (...names: Parameters<typeof keys.key>[0][]) => new KeyRing(names.map(keys.key))
  await place.put(['old.test'], { key: ring('ann', 'ben') })
  place.store.reload()
  const { statementPath } = await prepareRotation({ ...options, threshold: 2, publicKeys: keys.publicKeys('cleo', 'dora') })
  for (const name of ['ann', 'ben', 'cleo', 'dora'] as const) signStatementFiles([readStatementFile(statementPath)], keys.path(name))
  const { set: second } = await finishRotation(options)
  const publish = () => place.put(['new.test'], { key: ring('cleo', 'dora') })
  return { ...place, ...keys, first, second, publish }
}

test('of a publisher with one key, its set comes unsigned, in both forms', async () => {
  const { put, store, get, chain, key } = world()
  expect((await get(KEYS_PATH)).status).toBe(503)
  await put(['evil.test'])
  store.reload()
  const set = singleKey(key.publicKey)
  expect(await chain()).toEqual([{ statement: encodeKeySet(set), signatures: [] }])
  const answer = await get(KEYS_PATH)
  expect(answer.headers.get('content-type')).toBe('application/x-protobuf')
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  const json = await get(`${KEYS_PATH}?alt=json`)
  const { sets } = await json.json()
  expect(fromBase64(sets[0].statement)).toEqual(encodeKeySet(set))
  expect(json.headers.get('etag')).not.toBe(answer.headers.get('etag'))
})

test('are not sent again to who has them, until they change', async () => {
  const { store, get, publish } = await handedOver()
  const tag = (await get(KEYS_PATH)).headers.get('etag') ?? ''
  expect(tag).toMatch(/^"[0-9a-f]{32}"$/)
  const again = await get(KEYS_PATH, { 'if-none-match': tag })
  expect([again.status, await again.text()]).toEqual([304, ''])
  await publish()
  store.reload()
  expect((await get(KEYS_PATH, { 'if-none-match': tag })).status).toBe(200)
})

test('change together with the lists that the new ones signed', async () => {
  const { store, chain, first, second, publish } = await handedOver()
  const newest = async () => openKeyChain(await chain(), { fingerprint: keySetFingerprint(first) }, verifyEd25519)
  // DATA/keys.chain has the second set by now; what is in force is signed by the first.
  expect(await newest()).toEqual(first)
  expect(store.reload()).toBe(false)
  await publish()
  expect(store.reload()).toBe(true)
  expect(await newest()).toEqual(second)
  expect(store.edition?.keys.set).toEqual(second)
})

test.each<[string, (folder: string) => void, string]>([
  ['missing', (folder) => rmSync(join(folder, 'versions/000002/keys.chain')), 'publish-damaged'],
  ['no chain', (folder) => writeFileSync(join(folder, 'versions/000002/keys.chain'), 'nonsense'), 'state-format'],
  [
    'that of the version before',
    (folder) => writeFileSync(join(folder, 'versions/000002/keys.chain'), readFileSync(join(folder, 'versions/000001/keys.chain'))),
    'publish-damaged',
  ],
  [
    'without its signatures',
    (folder) => {
      const path = join(folder, 'versions/000002/keys.chain')
      const chain = decodeKeyChain(new Uint8Array(readFileSync(path)))
      writeFileSync(path, encodeKeyChain(chain.map((each) => ({ ...each, signatures: [] }))))
    },
    'keys-chain',
  ],
  [
    'that of a higher threshold than the manifest says',
    (folder) => {
      const path = join(folder, 'versions/000002/manifest.json')
      writeFileSync(path, readFileSync(path, 'utf8').replace('"threshold": 2', '"threshold": 1'))
    },
    'publish-damaged',
  ],
])('a chain that is %s keeps the former version in force', async (_what, damage, code) => {
  const { folder, store, publish, first } = await handedOver()
  await publish()
  damage(folder)
  expect(store.reload()).toBe(false)
  expect(store.failure?.code).toBe(code)
  expect(store.edition?.keys.set).toEqual(first)
})

test('a version whose lists fewer have signed than must is refused', async () => {
  const { folder, store, put, key, first } = await handedOver()
  const { publicKeys } = keyFiles('eve')
  // As if somebody with one of two keys had written the folder by hand.
  const alone = makeKeySet(1, 1, [key('cleo').publicKey])
  new KeyChainFile(folder, realFileSystem).write([{ statement: encodeKeySet(alone), signatures: [] }])
  await put(['evil.test'], { key: key('cleo') })
  const both = makeKeySet(1, 2, [key('cleo').publicKey, ...publicKeys('eve')])
  writeFileSync(join(folder, 'versions/000002/keys.chain'), encodeKeyChain([{ statement: encodeKeySet(both), signatures: [] }]))
  const manifest = join(folder, 'versions/000002/manifest.json')
  const keySet = { version: 1, threshold: 2, keys: both.keys.map((each) => Buffer.from(each).toString('hex')) }
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), keySet }))
  expect(store.reload()).toBe(false)
  expect(store.failure?.code).toBe('state-threshold')
  expect(store.edition?.keys.set).toEqual(first)
})
