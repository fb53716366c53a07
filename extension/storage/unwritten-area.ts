interface ReadableArea {
  get(key?: string | string[] | null): Promise<Record<string, unknown>>
}

/**
 * `browser.storage.local` as a private window may use it: what all windows share is read, and nothing is written, since whatever is written there
 * stays on the disk. Code that counts on its own writes must not be given this.
 */
export class UnwrittenArea {
  readonly #area: ReadableArea

  constructor(area: ReadableArea) {
    this.#area = area
  }

  get(key?: string | string[] | null): Promise<Record<string, unknown>> {
    return this.#area.get(key)
  }

  async set(_items: Record<string, unknown>): Promise<void> {
    // Dropped, by the promise above.
  }

  async remove(_keys: string | string[]): Promise<void> {
    // Dropped, by the promise above.
  }
}
