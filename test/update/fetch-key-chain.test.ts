import { expect, it } from 'vitest'
import { openKeyChain } from '../../src/lists/key-chain.ts'
import { keySetFingerprint, singleKey } from '../../src/lists/key-set.ts'
import { createApp } from '../../src/server/app.ts'
import { fetchKeyChain } from '../../src/update/fetch-key-chain.ts'
import { dataFolder } from '../support/publisher.ts'
import { verifyEd25519 } from '../support/signed-list.ts'

const SERVER = 'http://localhost:8750'

it("fetches a server's key sets", async () => {
  const { put, store, clock, logger, key } = dataFolder()
  await put(['evil.test'])
  store.reload()
  const app = createApp({ store, clock, logger })
  const chain = await fetchKeyChain(SERVER, async (url, init) => app.fetch(new Request(url, init)))
  const set = singleKey(key.publicKey)
  expect(await openKeyChain(chain, { fingerprint: keySetFingerprint(set) }, verifyEd25519)).toEqual(set)
})

it.each([
  ['another kind of answer', new Response('<html>', { headers: { 'content-type': 'text/html' } }), 'http-type'],
  ['what is no chain', new Response('nonsense', { headers: { 'content-type': 'application/x-protobuf' } }), 'state-format'],
  ['a failure', new Response('', { status: 500, headers: { 'content-type': 'application/x-protobuf' } }), 'http-status'],
])('refuses %s', async (_what, answer, code) => {
  await expect(fetchKeyChain(SERVER, async () => answer)).rejects.toMatchObject({ code })
})
