import { describe, expect, it } from 'vitest'
import { WaryError } from '../../src/errors.ts'
import { encodeKeySet, type KeySet, keySetFingerprint, makeKeySet } from '../../src/lists/key-set.ts'
import { PROTOBUF_TYPE } from '../../src/protocol/download.ts'
import { encodeKeyChain } from '../../src/protocol/key-chain-message.ts'
import type { SigningKey } from '../../src/publisher/key-file.ts'
import { KeyTrust } from '../../src/update/key-trust.ts'
import { type Acquisition, BLANK_MEMORY, type SourceMemory } from '../../src/update/source.ts'
import { RecordingLogger } from '../support/fakes.ts'
import { TestPublisher, verifyEd25519 } from '../support/signed-list.ts'

const [first, second] = [new TestPublisher().key, new TestPublisher().key]
const one = makeKeySet(1, 1, [first.publicKey])
const two = makeKeySet(2, 1, [second.publicKey])

function signed(set: KeySet, ...keys: SigningKey[]) {
  const statement = encodeKeySet(set)
  return { statement, signatures: keys.flatMap((key) => key.signed(statement).signatures) }
}

function make(chain = [signed(one), signed(two, first, second)]) {
  const logger = new RecordingLogger()
  let asked = 0
  const trust = new KeyTrust({
    server: 'https://lists.example',
    trust: { fingerprint: keySetFingerprint(one) },
    logger,
    verify: verifyEd25519,
    fetch: async () => {
      asked++
      return new Response(encodeKeyChain(chain).slice(), { headers: { 'content-type': PROTOBUF_TYPE } })
    },
  })
  /** A source whose lists `by` has signed. */
  const acquire = (by: KeySet, memory: SourceMemory = BLANK_MEMORY) => {
    const acquisition: Acquisition = { held: [], memory, signal: new AbortController().signal, onProgress: () => undefined }
    return trust.with(acquisition, async (keys) => {
      if (keys.version !== by.version) throw new WaryError('state-key-unknown', 'signed by another key')
      return { lists: [], minimumWaitsMs: [], memory }
    })
  }
  return { acquire, logger, asked: () => asked }
}

describe('the keys of a source', () => {
  it('are those that its link names, or that these have gone over to', async () => {
    const { acquire, asked } = make()
    const { memory } = await acquire(two)
    expect(asked()).toBe(1)
    // Remembered: the chain is not asked for again, and nothing leads back.
    await acquire(two, memory)
    expect(asked()).toBe(1)
    await expect(acquire(one, memory)).rejects.toMatchObject({ code: 'state-key-unknown' })
  })

  it('follow a rotation that comes while lists are held', async () => {
    const { memory } = await make([signed(one)]).acquire(one)
    const { acquire, logger } = make()
    const rotated = await acquire(two, memory)
    expect(rotated.memory.keySet).not.toBe(memory.keySet)
    expect(logger.events()).toEqual(['keys-rotated'])
  })

  it('do not follow one that the keys held have not signed: the failure stays what it was', async () => {
    const { memory } = await make([signed(one)]).acquire(one)
    const { acquire, logger } = make([signed(one), signed(two, second)])
    await expect(acquire(two, memory)).rejects.toMatchObject({ code: 'state-key-unknown' })
    expect(logger.lines).toMatchObject([{ event: 'keys-not-read', error: { code: 'keys-chain' } }])
  })

  it('are refused where the link names none of them', async () => {
    await expect(make([signed(two, second)]).acquire(two)).rejects.toMatchObject({ code: 'keys-unknown' })
  })
})
