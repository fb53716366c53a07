/** How long the load waits for the event that woke the worker, in milliseconds. */
const GRACE_MS = 40

/**
 * Lets checks of a cold start go before the load of the lists, which takes thread and disk for a second where there are ten million entries: it
 * begins when none is under way, and stands aside between two reads for those that come.
 */
export class ColdTraffic {
  readonly #running = new Set<Promise<unknown>>()
  readonly #grace: Promise<void>

  constructor({ pause }: { readonly pause: (ms: number) => Promise<void> }) {
    this.#grace = pause(GRACE_MS)
  }

  /** Counts `check` as under way until it settles; answers it. */
  during<T>(check: Promise<T>): Promise<T> {
    const ended: Promise<unknown> = check.then(
      () => this.#running.delete(ended),
      () => this.#running.delete(ended),
    )
    this.#running.add(ended)
    return check
  }

  /** Resolves when no check is under way. */
  async clear(): Promise<void> {
    await this.#grace
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}
