import { equalBytes, fromBase64, fromHex } from '../bytes.ts'
import { asWaryError, WaryError } from '../errors.ts'
import { BloomFilter } from '../filter/bloom.ts'
import { applyDelta } from '../filter/bloom-delta.ts'
import { highHalf, lowHalf } from '../filter/ready-hash.ts'
import { fullHash } from '../hash/full-hash.ts'
import { hashing } from '../hash/sha256.ts'
import { decodeFilterState, type FilterState } from '../lists/filter-state.ts'
import { FilterOnlyList } from '../lists/held-list.ts'
import type { KeySet } from '../lists/key-set.ts'
import { openStatement, type SignedStatement } from '../lists/signed-state.ts'
import { TEST_ENTRIES } from '../lists/test-entries.ts'
import type { Clock, Fetch, Logger, StoredList, VerifyEd25519 } from '../ports.ts'
import { type Downloaded, download } from '../protocol/download.ts'
import { filterPath } from '../protocol/paths.ts'
import { parseListName } from '../protocol/threat-type.ts'
import type { Steps } from '../steps.ts'
import { clockSkew, staleAnyhow } from './clock-skew.ts'
import { inSlices, nextTask } from './in-slices.ts'
import { KeyTrust, type Trust } from './key-trust.ts'
import { positionOf, refuseRollback } from './list-verification.ts'
import type { Acquired, AcquiredList, Acquisition, ListSource } from './source.ts'
import { heldList } from './wary-source.ts'

const LONGEST_FILTER_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000
const IDLE_TIMEOUT_MS = 15_000
const FILTER_TYPE = 'application/octet-stream'

export interface FilterSourceOptions {
  readonly id: string
  readonly server: string
  readonly trust: Trust
  readonly lists: readonly string[]
  readonly fetch: Fetch
  readonly clock: Clock
  readonly logger: Logger
  readonly verify: VerifyEd25519
}

interface FilterAnswer {
  readonly downloaded: Downloaded
  readonly signed: SignedStatement | undefined
  readonly delta: boolean
  readonly minimumWaitMs: number
  readonly clockSkewMs: number | undefined
}

/**
 * Bloom filters of a Wary server and nothing else: the smallest thing to hold, and every "maybe" asks. A later filter comes as the bits that
 * differ (bloom-delta.ts) where the server has them.
 */
export class FilterSource implements ListSource {
  readonly id: string
  readonly identity: string
  readonly lists: readonly string[]
  readonly #options: FilterSourceOptions
  readonly #server: string
  readonly #trust: KeyTrust

  constructor(options: FilterSourceOptions) {
    this.#options = options
    this.#server = options.server.replace(/\/+$/, '')
    this.#trust = new KeyTrust({ ...options, server: this.#server })
    this.id = options.id
    this.lists = options.lists
    this.identity = `${this.#server} ${this.#trust.pin}`
  }

  acquire(acquisition: Acquisition): Promise<Acquired> {
    return this.#trust.with(acquisition, async (keys) => {
      const lists: AcquiredList[] = []
      const minimumWaitsMs: number[] = []
      const seen = { ...acquisition.memory.seen }
      let clockSkewMs: number | undefined
      for (const name of this.lists) {
        const { acquired, minimumWaitMs, clockSkewMs: skew } = await this.#acquire(name, acquisition, keys)
        clockSkewMs ??= skew
        lists.push(acquired)
        minimumWaitsMs.push(minimumWaitMs)
        if (acquired.stored.state !== undefined) seen[name] = positionOf(acquired.stored.state)
      }
      return { lists, minimumWaitsMs, memory: { ...acquisition.memory, seen }, clockSkewMs }
    })
  }

  async #acquire(
    name: string,
    acquisition: Acquisition,
    keys: KeySet,
  ): Promise<{ acquired: AcquiredList; minimumWaitMs: number; clockSkewMs: number | undefined }> {
    const held = heldList(acquisition.held, name)
    const answer = await this.#fetch(name, held, acquisition)
    acquisition.onProgress({ phase: 'verifying' })
    try {
      const { minimumWaitMs, clockSkewMs } = answer
      return { acquired: await this.#verified(name, answer, held, acquisition, keys), minimumWaitMs, clockSkewMs }
    } catch (error) {
      if (!answer.delta) throw error
      // The filter that is held may be another than the delta starts from; the whole one is right or it is not.
      this.#options.logger.warn('update-again', asWaryError(error))
      const whole = await this.#fetch(name, undefined, acquisition)
      const { minimumWaitMs, clockSkewMs } = whole
      return { acquired: await this.#verified(name, whole, held, acquisition, keys), minimumWaitMs, clockSkewMs }
    }
  }

  async #fetch(name: string, held: StoredList | undefined, { signal, onProgress }: Acquisition): Promise<FilterAnswer> {
    let signed: SignedStatement | undefined
    let delta = false
    let minimumWaitMs = 0
    let clockSkewMs: number | undefined
    const downloaded = await download(this.#server + filterPath(name, held?.state), {
      fetch: this.#options.fetch,
      limitBytes: LONGEST_FILTER_BYTES,
      timeoutMs: TIMEOUT_MS,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      signal,
      type: FILTER_TYPE,
      onHead: ({ headers }) => {
        signed = statementOf(headers)
        clockSkewMs = clockSkew(headers, this.#options.clock.now())
        delta = headers.get('wary-filter-delta') === '1'
        minimumWaitMs = 1000 * Number(/\bmax-age=(\d{1,6})\b/.exec(headers.get('cache-control') ?? '')?.[1] ?? 0)
      },
      onProgress: (receivedBytes, totalBytes) => onProgress({ phase: 'downloading', receivedBytes, totalBytes }),
    })
    return { downloaded, signed, delta, minimumWaitMs, clockSkewMs }
  }

  /** @throws {WaryError} `state-*`, `filter-format`, `list-self-test` */
  async #verified(
    name: string,
    { downloaded, signed, delta, clockSkewMs }: FilterAnswer,
    held: StoredList | undefined,
    { memory, signal }: Acquisition,
    keys: KeySet,
  ): Promise<AcquiredList> {
    const { clock, verify } = this.#options
    const kind = parseListName(name)
    if (kind === undefined) throw new WaryError('list-format', `${name}: a list of a kind that is not known`)
    if (signed === undefined) throw new WaryError('state-missing', `${name}: the server sent no signed state of the filter`)
    const state = decodeFilterState(await openStatement(signed, keys, verify))
    refuseRollback(state, memory.seen[name])
    const now = clock.now()
    if (now >= state.expiresAt && !staleAnyhow(held, now, clockSkewMs))
      throw new WaryError('state-expired', `${name}: its signed state expired at ${new Date(state.expiresAt).toISOString()}`)
    const filter =
      delta && held?.filter instanceof BloomFilter ? applyDelta(held.filter, downloaded.bytes) : BloomFilter.verified(downloaded.bytes)
    await inSlices(checkingState(name, state, filter), { clock, pause: nextTask, signal })
    selfTest(name, kind.entryLength, filter)
    const list = new FilterOnlyList({ name, version: versionBytes(state), entryLength: kind.entryLength, count: state.entryCount })
    const fresh: StoredList = { source: this.id, list, filter, state, updatedAt: now }
    if (held?.state === undefined || !equalBytes(held.state.checksum, state.checksum)) return { stored: fresh, change: 'entries' }
    if (held.state.sequence === state.sequence && held.state.issuedAt === state.issuedAt) return { stored: held, change: 'none' }
    return { stored: { ...fresh, updatedAt: held.updatedAt }, change: 'state' }
  }
}

function* checkingState(name: string, state: FilterState, filter: BloomFilter): Steps<void> {
  const file = filter.toBytes()
  yield
  if (state.name === name && state.byteLength === file.length && equalBytes(state.checksum, yield* hashing(file))) return
  throw new WaryError('state-mismatch', `the signed statement is not about this version of the filter of ${name}`)
}

/** Every list that Wary publishes holds all test entries. */
function selfTest(name: string, entryLength: 4 | 8 | 16 | 32, filter: BloomFilter): void {
  for (const { expression } of TEST_ENTRIES) {
    const hash = fullHash(expression)
    if (filter.mightContainHash(highHalf(hash), lowHalf(hash, entryLength))) continue
    throw new WaryError('list-self-test', `the filter of ${name} denies the test entry ${expression}`)
  }
}

function versionBytes({ epoch, sequence }: FilterState): Uint8Array {
  return new TextEncoder().encode(`${epoch}.${sequence}`)
}

/** As the server writes them (docs/protocol.md, "Filters"): Wary-Statement in base64, Wary-Signature a list of KEYID:SIGNATURE. */
function statementOf(headers: Headers): SignedStatement | undefined {
  const statement = headers.get('wary-statement')
  const signatures = headers.get('wary-signature')
  if (statement === null || signatures === null) return undefined
  try {
    return {
      statement: fromBase64(statement),
      signatures: signatures.split(',').map((text) => {
        const [id = '', signature = ''] = text.trim().split(':')
        return { keyId: fromHex(id), signature: fromBase64(signature) }
      }),
    }
  } catch (error) {
    throw new WaryError('state-format', 'the headers of the filter hold no signed statement', { cause: error })
  }
}
