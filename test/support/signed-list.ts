import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { concatBytes } from '../../src/bytes.ts'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { addEntries } from '../../src/filter/ready-hash.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import type { ListUpdate } from '../../src/lists/list-update.ts'
import { encodeListState, type ListState, type SignedStatement } from '../../src/lists/signed-state.ts'
import { TEST_ENTRIES } from '../../src/lists/test-entries.ts'
import type { StoredList, VerifyEd25519 } from '../../src/ports.ts'
import { parseListName } from '../../src/protocol/threat-type.ts'
import { SigningKey } from '../../src/publisher/key-file.ts'
import { T0 } from './fakes.ts'

export const DAY = 24 * 60 * 60 * 1000

/** Signs list states with a key of its own. */
export class TestPublisher {
  readonly key = new SigningKey(generateKeyPairSync('ed25519').privateKey)

  get publicKey(): Uint8Array {
    return this.key.publicKey
  }

  sign(state: ListState): SignedStatement {
    return this.key.signed(encodeListState(state))
  }
}

export const verifyEd25519: VerifyEd25519 = async (publicKey, message, signature) => {
  const key = createPublicKey({ key: Buffer.concat([SPKI_HEADER, publicKey]), format: 'der', type: 'spki' })
  return verify(null, message, key, signature)
}
const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex')

export interface ListPlan {
  readonly name?: string
  /** Held beside the test entries. */
  readonly expressions?: readonly string[]
  readonly testEntries?: boolean
  readonly epoch?: number
  readonly sequence?: number
  readonly issuedAt?: number
  readonly expiresAt?: number
  readonly minimumWaitMs?: number
}

function entryLengthOf(name: string): EntryLength {
  const kind = parseListName(name)
  if (!kind) throw new RangeError(`no list name: ${name}`)
  return kind.entryLength
}

/** The hash list and its state by `plan`. */
export function planned(plan: ListPlan): { list: HashList; state: ListState } {
  const { name = 'se-4b', expressions = [], testEntries = true, epoch = 1, sequence = 1, issuedAt = T0, expiresAt = T0 + 3 * DAY } = plan
  const entryLength = entryLengthOf(name)
  const tests = testEntries ? TEST_ENTRIES.map((entry) => entry.expression) : []
  const entries = concatBytes([...tests, ...expressions].map((expression) => fullHash(expression).subarray(0, entryLength)))
  const list = HashList.fromUnsorted({ name, version: new Uint8Array([epoch, sequence]), entryLength, entries })
  const checksum = list.checksum()
  return {
    list,
    state: { name, epoch, sequence, entryCount: list.count, entryLength, checksum, pslVersion: 'tldts-icann@7.4.16', issuedAt, expiresAt },
  }
}

/** A full update as the server sends it. */
export function fullUpdate(publisher: TestPublisher, plan: ListPlan = {}): ListUpdate {
  const { list, state } = planned(plan)
  return {
    name: list.name,
    version: list.version,
    partial: false,
    additions: { entryLength: list.entryLength, entries: list.entries },
    removals: undefined,
    checksum: list.checksum(),
    minimumWaitMs: plan.minimumWaitMs ?? 0,
    signed: publisher.sign(state),
  }
}

/** v5's way to say that nothing is new, with the state of `plan`. */
export function nothingNew(publisher: TestPublisher, plan: ListPlan = {}): ListUpdate {
  return { ...fullUpdate(publisher, plan), partial: true, additions: undefined, checksum: new Uint8Array(0) }
}

/** Id of the source of `storedList`. */
export const SOURCE = 'http://lists.test'

/** A list in force, without any download. */
export function storedList(plan: ListPlan = {}): StoredList & { readonly list: HashList; readonly state: ListState } {
  const { list, state } = planned(plan)
  const filter = BloomFilter.create({ capacity: list.count, rate: 1e-3 })
  addEntries(filter, list.entries, list.entryLength)
  return { source: SOURCE, list, filter, state, updatedAt: state.issuedAt }
}
