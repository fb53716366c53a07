import { fromHex, toHex } from '../../src/bytes.ts'
import { asWaryError } from '../../src/errors.ts'
import { ScalableBloomFilter } from '../../src/filter/scalable-bloom.ts'
import { hmacSha256 } from '../../src/hash/hmac-sha256.ts'
import type { Logger } from '../../src/ports.ts'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { registrableDomain } from '../../src/url/public-suffix.ts'

const KEY = 'visitedSites'
const SALT_BYTES = 32
/** A first layer of 4 kB for the sites of some months; more come on top. One new site in a thousand is taken for a known one. */
const SHAPE = { capacity: 2000, rate: 1e-3 }

export interface VisitedArea {
  get(key: string): Promise<Record<string, unknown>>
  set(items: Record<string, unknown>): Promise<void>
  remove(key: string): Promise<void>
}

interface Noted {
  readonly salt: Uint8Array
  readonly filter: ScalableBloomFilter
}

/**
 * Which sites (registrable domains) were visited, for "you have not been to this site before". Only where a person wants it, and never in
 * private windows. Kept as a Bloom filter of HMACs under a salt of this device: it answers about a site that is named, and cannot be
 * listed. Without the browser's history.
 */
export class VisitedSites {
  readonly #area: VisitedArea
  readonly #wanted: () => boolean
  readonly #randomBytes: (length: number) => Uint8Array
  readonly #logger: Logger
  readonly #tabs = new Map<number, { readonly site: string; readonly first: boolean }>()
  #noted: Noted | undefined
  /** One reading or writing after the other. */
  #turn: Promise<void> = Promise.resolve()
  #unwritten = false

  /** @param options.wanted whether a person wants this now */
  constructor(options: {
    readonly area: VisitedArea
    readonly wanted: () => boolean
    readonly randomBytes: (length: number) => Uint8Array
    readonly logger: Logger
  }) {
    this.#area = options.area
    this.#wanted = options.wanted
    this.#randomBytes = options.randomBytes
    this.#logger = options.logger
  }

  /** Reads what was noted, or erases it where it is not wanted any more. Never rejects: without it nothing is said of visits. */
  load(): Promise<void> {
    return this.#next(async () => {
      if (!this.#wanted()) {
        this.#noted = undefined
        this.#tabs.clear()
        await this.#area.remove(KEY)
      } else this.#noted ??= this.#read((await this.#area.get(KEY))[KEY]) ?? this.#empty()
    })
  }

  /** A tab opens a page, not in a private window. Call it after `load`. */
  note(tabId: number, url: string): void {
    if (this.#noted === undefined) return
    const site = siteOf(url)
    if (this.#tabs.get(tabId)?.site === site) return
    const { high, low } = hashOf(this.#noted.salt, site)
    const first = !this.#noted.filter.mightContainHash(high, low)
    this.#tabs.set(tabId, { site, first })
    if (!first) return
    this.#noted.filter.addHash(high, low)
    this.#unwritten = true
    void this.#next(() => this.#write())
  }

  /** Whether the tab's page was the first of its site; undefined where nobody knows. */
  firstVisitOf(tabId: number): boolean | undefined {
    return this.#tabs.get(tabId)?.first
  }

  /** Whether a page that has not opened would be the first of its site; undefined where nobody knows. */
  wouldBeFirst(url: string): boolean | undefined {
    if (this.#noted === undefined) return undefined
    const { high, low } = hashOf(this.#noted.salt, siteOf(url))
    return !this.#noted.filter.mightContainHash(high, low)
  }

  forgetTab(tabId: number): void {
    this.#tabs.delete(tabId)
  }

  async #write(): Promise<void> {
    // An earlier turn has written this change too.
    if (!this.#unwritten || this.#noted === undefined) return
    this.#unwritten = false
    const { salt, filter } = this.#noted
    await this.#area.set({ [KEY]: { salt: toHex(salt), filter: toHex(filter.toBytes()) } })
  }

  /** Undefined for nothing, and for what is damaged: then it begins anew, and a site may be called new that is not. */
  #read(kept: unknown): Noted | undefined {
    if (typeof kept !== 'object' || kept === null || !('salt' in kept) || !('filter' in kept)) return undefined
    const { salt, filter } = kept
    if (typeof salt !== 'string' || typeof filter !== 'string') return undefined
    try {
      return { salt: fromHex(salt), filter: ScalableBloomFilter.verified(fromHex(filter)) }
    } catch (error) {
      this.#logger.warn('visited-sites', asWaryError(error))
      return undefined
    }
  }

  #empty(): Noted {
    return { salt: this.#randomBytes(SALT_BYTES), filter: ScalableBloomFilter.create(SHAPE) }
  }

  #next(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work).catch((error: unknown) => this.#logger.warn('visited-sites', asWaryError(error, 'storage-failed')))
    return this.#turn
  }
}

function siteOf(url: string): string {
  const { host } = canonicalize(url)
  return registrableDomain(host) ?? host
}

function hashOf(salt: Uint8Array, site: string): { readonly high: number; readonly low: number } {
  const bytes = hmacSha256(salt, new TextEncoder().encode(site))
  const view = new DataView(bytes.buffer)
  return { high: view.getInt32(0), low: view.getInt32(4) }
}
