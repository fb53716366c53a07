import { fromHex, toHex } from '../../src/bytes.ts'

const KEY = 'decoyKey'
const BYTES = 32

export interface DecoyKeyOptions {
  readonly area: { get(key: string): Promise<Record<string, unknown>>; set(items: Record<string, unknown>): Promise<void> }
  readonly randomBytes: (length: number) => Uint8Array
}

/** The device's secret that chooses decoys (src/check/decoys.ts): made once, kept for good, sent to nobody. */
export class DecoyKey {
  readonly #options: DecoyKeyOptions
  #key: Promise<Uint8Array> | undefined

  constructor(options: DecoyKeyOptions) {
    this.#options = options
  }

  /** Rejects where it can be neither read nor kept, and tries again the next time. */
  get(): Promise<Uint8Array> {
    this.#key ??= this.#load().catch((error: unknown) => {
      this.#key = undefined
      throw error
    })
    return this.#key
  }

  async #load(): Promise<Uint8Array> {
    const kept = (await this.#options.area.get(KEY))[KEY]
    if (typeof kept === 'string' && kept.length === 2 * BYTES && /^[0-9a-f]*$/.test(kept)) return fromHex(kept)
    const key = this.#options.randomBytes(BYTES)
    await this.#options.area.set({ [KEY]: toHex(key) })
    return key
  }
}
