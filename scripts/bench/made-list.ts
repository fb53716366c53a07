import { randomFillSync } from 'node:crypto'
import { fullHash } from '../../src/hash/full-hash.ts'
import { HashList } from '../../src/lists/hash-list.ts'
import { listDelta } from '../../src/lists/list-delta.ts'
import type { ListUpdate } from '../../src/lists/list-update.ts'
import { encodeListState } from '../../src/lists/signed-state.ts'
import { TEST_ENTRIES } from '../../src/lists/test-entries.ts'
import { encodeBatch } from '../../src/protocol/hash-list-message.ts'
import type { SigningKey } from '../../src/publisher/key-file.ts'
import { PSL_VERSION } from '../../src/url/public-suffix.ts'

export const MADE_LIST = 'se-8b'
const DAY_MS = 86_400_000

/** A list of `count` random entries of eight bytes, and those of `hosts`: what hashes of so many addresses are. */
export function madeList(count: number, hosts: readonly string[], sequence = 1): HashList {
  const entries = new Uint8Array(8 * count)
  for (let at = 0; at < entries.length; at += 2 ** 30) randomFillSync(entries, at, Math.min(2 ** 30, entries.length - at))
  const named = [...TEST_ENTRIES.map(({ expression }) => expression), ...hosts.map((host) => `${host}/`)]
  for (const [i, expression] of named.entries()) entries.set(fullHash(expression).subarray(0, 8), 8 * i)
  return listOf(entries, sequence)
}

/** `list` with one entry in a hundred out and as many new ones in. */
export function changedList(list: HashList, sequence: number): HashList {
  const { count } = list
  const changed = Math.ceil(count / 100)
  const fresh = randomFillSync(new Uint8Array(8 * changed))
  const kept = new Set([...TEST_ENTRIES].map(({ expression }) => Buffer.from(fullHash(expression).subarray(0, 8)).toString('hex')))
  const entries = list.entries.slice()
  for (let i = 0; i < changed; i++) {
    const at = 8 * Math.floor((i * count) / changed)
    if (!kept.has(Buffer.from(entries.subarray(at, at + 8)).toString('hex'))) entries.set(fresh.subarray(8 * i, 8 * i + 8), at)
  }
  return listOf(entries, sequence)
}

function listOf(entries: Uint8Array, sequence: number): HashList {
  return HashList.fromUnsorted({ name: MADE_LIST, version: new TextEncoder().encode(`1.${sequence}`), entryLength: 8, entries })
}

/** The body of batchGet with the whole list, or with what has changed since `from`. */
export function answerWith(
  list: HashList,
  key: SigningKey,
  sequence: number,
  from?: HashList,
  minimumWaitMs = from ? 0 : DAY_MS,
): Uint8Array<ArrayBuffer> {
  const now = 1000 * Math.floor(Date.now() / 1000)
  const { name, entryLength, version, entries } = list
  const checksum = list.checksum()
  const state = { name, epoch: 1, sequence, entryCount: list.count, entryLength, checksum, pslVersion: PSL_VERSION, issuedAt: now }
  const signed = key.signed(encodeListState({ ...state, expiresAt: now + 3 * DAY_MS }))
  const common = { name, version, checksum, minimumWaitMs, signed }
  const delta = from && listDelta(from, list)
  const update: ListUpdate = delta
    ? { ...common, partial: true, additions: { entryLength, entries: delta.additions }, removals: delta.removals }
    : { ...common, partial: false, additions: { entryLength, entries }, removals: undefined }
  return encodeBatch([update])
}
