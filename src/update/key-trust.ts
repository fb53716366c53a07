import { fromHex, toHex } from '../bytes.ts'
import { asWaryError } from '../errors.ts'
import { openKeyChain } from '../lists/key-chain.ts'
import { decodeKeySet, encodeKeySet, type KeySet, keySetFingerprint } from '../lists/key-set.ts'
import type { Fetch, Logger, VerifyEd25519 } from '../ports.ts'
import { fetchKeyChain } from './fetch-key-chain.ts'
import type { Acquired, Acquisition } from './source.ts'

/** What a rotation of the publisher's keys looks like to who has not heard of it. */
const ROTATION_FAULTS: ReadonlySet<string> = new Set(['state-key-unknown', 'state-threshold'])

/** Who may sign: a key set by its fingerprint (32 bytes), as a subscribe link carries it, or the set itself. */
export type Trust = { readonly fingerprint: Uint8Array } | { readonly keys: KeySet }

export interface KeyTrustOptions {
  /** Without a slash at the end. */
  readonly server: string
  readonly trust: Trust
  readonly fetch: Fetch
  readonly logger: Logger
  readonly verify: VerifyEd25519
}

/**
 * The keys that a source's lists must be signed by: what the setting pins, and what was rotated to since (docs/protocol.md, "Key sets"). The
 * newest set that was trusted is part of the source's memory, so that a server cannot lead back to an older one.
 */
export class KeyTrust {
  /** Fingerprint of the pinned set, hexadecimal. */
  readonly pin: string
  readonly #options: KeyTrustOptions

  constructor(options: KeyTrustOptions) {
    this.#options = options
    const { trust } = options
    this.pin = toHex('fingerprint' in trust ? trust.fingerprint : keySetFingerprint(trust.keys))
  }

  /** Runs `acquire` with the keys known here, and once more where the publisher has gone over to others. Their set is remembered. */
  async with(acquisition: Acquisition, acquire: (keys: KeySet) => Promise<Acquired>): Promise<Acquired> {
    const keys = await this.#known(acquisition)
    try {
      return withKeys(await acquire(keys), keys)
    } catch (error) {
      const failure = asWaryError(error)
      if (!ROTATION_FAULTS.has(failure.code)) throw error
      const newest = await this.#later(keys, acquisition.signal)
      if (newest === undefined) throw error
      this.#options.logger.warn('keys-rotated', failure, { from: keys.version, to: newest.version })
      return withKeys(await acquire(newest), newest)
    }
  }

  async #known({ memory, signal }: Acquisition): Promise<KeySet> {
    const { trust } = this.#options
    if (memory.keySet !== undefined) return decodeKeySet(fromHex(memory.keySet))
    return 'keys' in trust ? trust.keys : this.#chain({ fingerprint: trust.fingerprint }, signal)
  }

  /** What the publisher has gone over to since; undefined where nothing is known of that: then the first failure says what is wrong. */
  async #later(keys: KeySet, signal: AbortSignal): Promise<KeySet | undefined> {
    try {
      const newest = await this.#chain({ set: keys }, signal)
      return newest.version > keys.version ? newest : undefined
    } catch (error) {
      signal.throwIfAborted()
      this.#options.logger.warn('keys-not-read', asWaryError(error))
      return undefined
    }
  }

  async #chain(trusted: Parameters<typeof openKeyChain>[1], signal: AbortSignal): Promise<KeySet> {
    const { server, fetch, verify } = this.#options
    return openKeyChain(await fetchKeyChain(server, fetch, signal), trusted, verify)
  }
}

function withKeys(acquired: Acquired, keys: KeySet): Acquired {
  return { ...acquired, memory: { ...acquired.memory, keySet: toHex(encodeKeySet(keys)) } }
}
