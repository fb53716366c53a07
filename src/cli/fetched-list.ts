import { equalBytes } from '../bytes.ts'
import { asWaryError, WaryError } from '../errors.ts'
import { fullHash } from '../hash/full-hash.ts'
import type { HashList } from '../lists/hash-list.ts'
import { applyUpdate, type ListUpdate } from '../lists/list-update.ts'
import { checkState, decodeListState, type ListState, openStatement } from '../lists/signed-state.ts'
import { TEST_ENTRIES } from '../lists/test-entries.ts'
import { download } from '../protocol/download.ts'
import { decodeBatch, encodeHashList } from '../protocol/hash-list-message.ts'
import { batchPath, LISTS_PATH } from '../protocol/paths.ts'
import { verifiesEd25519 } from '../publisher/ed25519.ts'
import { positionOf, refuseRollback } from '../update/list-verification.ts'
import type { CheckSource } from './list-source.ts'

const LONGEST_BODY_BYTES = 256 * 1024 * 1024
const TIMEOUT_MS = 60_000
const IDLE_TIMEOUT_MS = 15_000
/** A client that meets one of these in a delta asks for the whole list. */
const DELTA_FAULTS: ReadonlySet<string> = new Set(['list-checksum', 'list-format', 'state-mismatch'])
/** What says how long caches keep an answer, and how it is told from others. */
const CACHING_HEADERS = ['etag', 'cache-control', 'vary', 'age', 'accept-ranges'] as const

/** A list that somebody has, as a file. */
export interface HeldList {
  readonly list: HashList
  readonly state: ListState | undefined
}

/** One list of an answer, verified. */
export interface FetchedList {
  /** `same`: a delta that changes nothing. */
  readonly kind: 'full' | 'delta' | 'same'
  readonly update: ListUpdate
  readonly list: HashList
  readonly state: ListState
  /** Of this list's part of the answer. */
  readonly bytes: number
  /** The whole list with its signed state, whichever way it came: what the publisher's LIST.hashlist is. */
  readonly file: Uint8Array
}

export interface FetchedAnswer {
  /** Of the body. */
  readonly bytes: number
  readonly headers: Readonly<Record<string, string>>
  readonly lists: readonly FetchedList[]
  /** Why the delta was of no use, where there was one. */
  readonly refusedDelta: WaryError | undefined
}

export interface FetchRequest {
  readonly source: CheckSource
  readonly names: readonly string[]
  readonly held: HeldList | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Names of all lists of a server. @throws {WaryError} `http-*`, `list-format` */
export async function listNames(source: CheckSource): Promise<string[]> {
  const { bytes } = await get(source, LISTS_PATH)
  return decodeBatch(bytes).map(({ name }) => name)
}

/**
 * Asks for lists in one request, as a client does, and believes nothing that it would not believe; where a delta does not fit, the whole is asked for.
 * @throws {WaryError} `http-*`, `list-*`, `state-*`
 */
export async function fetchLists(request: FetchRequest): Promise<FetchedAnswer> {
  try {
    return { ...(await answered(request, request.held)), refusedDelta: undefined }
  } catch (error) {
    const refusedDelta = asWaryError(error)
    if (request.held === undefined || !DELTA_FAULTS.has(refusedDelta.code)) throw error
    return { ...(await answered(request, undefined)), refusedDelta }
  }
}

/** @param asked whose version is named in the request */
async function answered(
  { source, names, held, now }: FetchRequest,
  asked: HeldList | undefined,
): Promise<Omit<FetchedAnswer, 'refusedDelta'>> {
  const versions = names.map((name) => (asked?.list.name === name ? asked.list.version : new Uint8Array(0)))
  const { bytes, headers } = await get(source, batchPath(names, versions))
  const updates = decodeBatch(bytes)
  const lists: FetchedList[] = []
  for (const name of names) {
    const update = updates.find((each) => each.name === name)
    if (update === undefined) throw new WaryError('list-missing', `the server does not carry the list ${name.slice(0, 80)}`)
    lists.push(await verified(update, held?.list.name === name ? held : undefined, source, now))
  }
  return { bytes: bytes.length, headers, lists }
}

async function verified(update: ListUpdate, held: HeldList | undefined, { keys }: CheckSource, now: number): Promise<FetchedList> {
  const { name, signed, partial, additions, removals } = update
  const list = applyUpdate(partial ? held?.list : undefined, update)
  if (signed === undefined) throw new WaryError('state-missing', `${name}: the server sent no signed state`)
  const statement = await openStatement(signed, keys, async (publicKey, message, signature) =>
    verifiesEd25519(publicKey, message, signature),
  )
  const state = decodeListState(statement)
  checkState(state, list)
  refuseRollback(state, held?.state && positionOf(held.state))
  if (now >= state.expiresAt)
    throw new WaryError('state-expired', `${name}: its signed state expired at ${new Date(state.expiresAt).toISOString()}`)
  for (const { expression } of TEST_ENTRIES)
    if (!list.has(fullHash(expression))) throw new WaryError('list-self-test', `${name} does not hold the test entry ${expression}`)
  const unchanged = partial && additions === undefined && (removals?.length ?? 0) === 0
  const whole = { ...update, partial: false, removals: undefined, additions: { entryLength: list.entryLength, entries: list.entries } }
  return {
    kind: !partial ? 'full' : unchanged && held !== undefined && equalBytes(held.list.version, list.version) ? 'same' : 'delta',
    update,
    list,
    state,
    bytes: encodeHashList(update).length,
    file: encodeHashList({ ...whole, checksum: state.checksum }),
  }
}

async function get({ server, fetch }: CheckSource, path: string): Promise<{ bytes: Uint8Array; headers: Record<string, string> }> {
  const headers: Record<string, string> = {}
  const { bytes } = await download(server + path, {
    fetch,
    limitBytes: LONGEST_BODY_BYTES,
    timeoutMs: TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    onHead: (response) => {
      for (const name of CACHING_HEADERS) {
        const value = response.headers.get(name)
        if (value !== null) headers[name] = value
      }
    },
  })
  return { bytes, headers }
}
