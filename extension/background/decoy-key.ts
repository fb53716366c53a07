import { fromHex, toHex } from '../../src/bytes.ts'
import { asWaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'

const KEY = 'decoyKey'
const BYTES = 32

export interface DecoyKeyOptions {
  readonly area: { get(key: string): Promise<Record<string, unknown>>; set(items: Record<string, unknown>): Promise<void> }
  readonly randomBytes: (length: number) => Uint8Array
  readonly logger: Logger
}

/**
 * The device's secret that chooses decoys (src/check/decoys.ts): made once, kept for good, sent to nobody. Startup has it made as soon as
 * decoys are wanted, so that no visit is what writes it, least of all one in a private window.
 */
export class DecoyKey {
  readonly #options: DecoyKeyOptions
  #key: Promise<Uint8Array> | undefined
  #made: Uint8Array | undefined

  constructor(options: DecoyKeyOptions) {
    this.#options = options
  }

  /** 32 bytes. While they can be neither read nor kept, others serve as long as this worker lives; storage is tried again every time. */
  async get(): Promise<Uint8Array> {
    try {
      this.#key ??= this.#load()
      return await this.#key
    } catch (error) {
      this.#key = undefined
      this.#options.logger.warn('decoy-key', asWaryError(error, 'storage-failed'))
      return this.#fresh()
    }
  }

  async #load(): Promise<Uint8Array> {
    const kept = (await this.#options.area.get(KEY))[KEY]
    if (typeof kept === 'string' && kept.length === 2 * BYTES && /^[0-9a-f]*$/.test(kept)) return fromHex(kept)
    const key = this.#fresh()
    await this.#options.area.set({ [KEY]: toHex(key) })
    return key
  }

  /** The same again, so that a failing storage does not draw other decoys every time. */
  #fresh(): Uint8Array {
    this.#made ??= this.#options.randomBytes(BYTES)
    return this.#made
  }
}
