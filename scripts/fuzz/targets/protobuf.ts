import { decodeFilterState, encodeFilterState } from '../../../src/lists/filter-state.ts'
import { keySetsOf } from '../../../src/lists/key-chain.ts'
import { decodeKeySet, encodeKeySet } from '../../../src/lists/key-set.ts'
import { applyUpdate, type ListUpdate } from '../../../src/lists/list-update.ts'
import { decodeListState, encodeListState } from '../../../src/lists/signed-state.ts'
import { decodeBatch, decodeHashList, encodeBatch, encodeHashList } from '../../../src/protocol/hash-list-message.ts'
import { decodeKeyChain, encodeKeyChain } from '../../../src/protocol/key-chain-message.ts'
import { decodeSearchAnswer, decodeSearchRequest, encodeSearchAnswer } from '../../../src/protocol/search-message.ts'
import { decodeSignedState, encodeSignedState } from '../../../src/protocol/signed-state-message.ts'
import { promise, same, unlessRefused } from '../promise.ts'

/** Input: which message (1 byte), then its bytes. */
export function fuzz(input: Uint8Array): void {
  const bytes = input.slice(1)
  READERS[(input[0] ?? 0) % READERS.length]?.(bytes)
}

const READERS: readonly ((bytes: Uint8Array) => void)[] = [
  (bytes) => {
    const update = unlessRefused(['list-format'], () => decodeHashList(bytes))
    if (update) hashList(update)
  },
  (bytes) => {
    const updates = unlessRefused(['list-format'], () => decodeBatch(bytes))
    if (!updates) return
    for (const update of updates) hashList(update)
    if (updates.every(exact)) promise(same(decodeBatch(encodeBatch(updates)), updates), 'a batch comes back')
  },
  (bytes) => {
    const answer = unlessRefused(['search-answer'], () => decodeSearchAnswer(bytes))
    if (!answer || (answer.cacheDurationMs !== undefined && !(answer.cacheDurationMs >= 0 && answer.cacheDurationMs < 2 ** 53))) return
    promise(same(decodeSearchAnswer(encodeSearchAnswer(answer)), answer), 'an answer comes back')
  },
  (bytes) => {
    unlessRefused(['search-answer'], () => decodeSearchRequest(bytes))
  },
  (bytes) => {
    const signed = unlessRefused(['state-format'], () => decodeSignedState(bytes))
    if (signed) promise(same(decodeSignedState(encodeSignedState(signed)), signed), 'a signed state comes back')
  },
  (bytes) => {
    const state = unlessRefused(['state-format'], () => decodeListState(bytes))
    if (state) promise(same(encodeListState(state), bytes), 'a statement has one form')
  },
  (bytes) => {
    const state = unlessRefused(['state-format'], () => decodeFilterState(bytes))
    if (state) promise(same(encodeFilterState(state), bytes), 'a statement has one form')
  },
  (bytes) => {
    const set = unlessRefused(['state-format'], () => decodeKeySet(bytes))
    if (set) promise(same(encodeKeySet(set), bytes), 'a statement has one form')
  },
  (bytes) => {
    const chain = unlessRefused(['state-format'], () => decodeKeyChain(bytes))
    if (!chain) return
    promise(same(decodeKeyChain(encodeKeyChain(chain)), chain), 'a chain comes back')
    const sets = unlessRefused(['state-format', 'keys-chain'], () => keySetsOf(chain))
    promise(!sets || sets.every(({ version }, i) => version === (sets[0]?.version ?? 0) + i), 'versions rise by one')
  },
]

/** Durations beyond what a number holds exactly are the server's own fault; they are cut elsewhere. */
function exact({ minimumWaitMs }: ListUpdate): boolean {
  return Number.isSafeInteger(minimumWaitMs)
}

function hashList(update: ListUpdate): void {
  promise(update.minimumWaitMs >= 0, 'no wait is negative')
  if (exact(update)) promise(same(decodeHashList(encodeHashList(update)), update), 'a hash list comes back')
  const list = unlessRefused(['list-format', 'list-checksum'], () => applyUpdate(undefined, update))
  if (list === undefined) return
  promise(!update.partial && (update.removals === undefined || update.removals.length === 0), 'only a full update makes a list of nothing')
  promise(update.checksum.length === 0 || same(list.checksum(), update.checksum), 'the checksum holds')
  const nothing = applyUpdate(list, { ...update, partial: true, additions: undefined })
  promise(same(nothing.entries, list.entries), 'an empty delta changes nothing')
}
