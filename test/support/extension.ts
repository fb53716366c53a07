import type { MessageMap, MessageType, Protection, Status } from '../../extension/messaging/messages.ts'
import { PAGE_PATHS } from '../../extension/messaging/messages.ts'
import type { Verdict } from '../../src/check/verdict.ts'
import type { BrowserUnderTest, TabUnderTest } from './browsers/browser-under-test.ts'
import { until } from './until.ts'

/**
 * What the extension says of itself, asked by real messages from a page of its own: the settings, which ask once (the popup asks again and
 * again, and would wake a background that was just stopped).
 */
export class Extension {
  readonly #browser: BrowserUnderTest

  constructor(browser: BrowserUnderTest) {
    this.#browser = browser
  }

  async ask<T extends MessageType>(type: T, request: MessageMap[T]['request']): Promise<MessageMap[T]['answer']> {
    return this.#onPage(async (page) => {
      const reply = await page.evaluate(
        async (message: { type: string; request: unknown }) => {
          const api = (globalThis as unknown as { browser?: typeof chrome }).browser ?? chrome
          return (await api.runtime.sendMessage(message)) as { ok: boolean; answer?: unknown; error?: string; message?: string }
        },
        { type, request },
      )
      if (!reply?.ok) throw new Error(`${type}: ${reply?.error}: ${reply?.message}`)
      return reply.answer as MessageMap[T]['answer']
    })
  }

  status(tabId?: number): Promise<Status> {
    return this.ask('status:get', { tabId })
  }

  async protection(): Promise<Protection> {
    return (await this.status()).protection
  }

  async untilProtected(): Promise<void> {
    await until('the extension protects', async () => (await this.protection()).state === 'protected', 20_000)
  }

  /** The last verdict on `url` of any tab; undefined where no tab has one. */
  async verdictOf(url: string): Promise<Verdict | undefined> {
    return (await this.#lastOf(url))?.verdict
  }

  /** Id of the tab whose last verdict is on `url`. */
  async tabOf(url: string): Promise<number | undefined> {
    return (await this.#lastOf(url))?.tabId
  }

  async #lastOf(url: string): Promise<{ readonly tabId: number; readonly verdict: Verdict } | undefined> {
    const ids = await this.#onPage((page) =>
      page.evaluate(async () => {
        const api = (globalThis as unknown as { browser?: typeof chrome }).browser ?? chrome
        return (await api.tabs.query({})).map((tab) => tab.id)
      }),
    )
    for (const tabId of ids) {
      const { tab } = await this.status(tabId)
      if (tabId !== undefined && tab?.url === url) return { tabId, verdict: tab }
    }
    return undefined
  }

  /**
   * Back as the browser's own button goes, in the tab whose last verdict is on `url`: Chromium's button passes over entries that came without
   * a gesture of the person, which a raw step in history does not.
   */
  async pressBack(url: string): Promise<void> {
    const tabId = await this.tabOf(url)
    if (tabId === undefined) throw new Error(`no tab has a verdict on ${url}`)
    await this.#onPage((page) =>
      page.evaluate(async (id: number) => {
        const api = (globalThis as unknown as { browser?: typeof chrome }).browser ?? chrome
        await api.tabs.goBack(id)
      }, tabId),
    )
  }

  /** Updates now; rejects with the named reason when it fails. */
  async update(): Promise<void> {
    const before = (await this.status()).update.lastAttemptAt
    await this.ask('update:now', {})
    const { update } = await until('the update to end', async () => {
      const status = await this.status()
      return status.update.progress === undefined &&
        status.update.lastAttemptAt !== before &&
        !status.update.lastError?.message.includes('interrupted')
        ? status
        : undefined
    })
    if (update.lastError !== undefined) throw new Error(`${update.lastError.code}: ${update.lastError.message}`)
  }

  /** Hosts and patterns of Chromium's standing blocks; empty in Firefox, which needs none. */
  async standing(): Promise<readonly string[]> {
    if (this.#browser.name === 'firefox') return []
    const conditions = await this.#onPage((page) =>
      page.evaluate(async () => (await chrome.declarativeNetRequest.getDynamicRules()).map((rule) => rule.condition)),
    )
    return conditions.flatMap(({ requestDomains, regexFilter }) => [
      ...(requestDomains ?? []),
      ...(regexFilter === undefined ? [] : [regexFilter]),
    ])
  }

  /** Waits until Chromium blocks this host, or a path whose pattern contains it. */
  async untilStanding(text: string): Promise<void> {
    if (this.#browser.name === 'firefox') return
    const pattern = text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    await until(`a rule against ${text}`, async () => (await this.standing()).some((rule) => rule === text || rule.includes(pattern)))
  }

  /** Forgets the server's answers, as after their expiry, and any pause that the search client keeps. */
  forgetAnswers(): Promise<void> {
    return this.#emptyStore('answers')
  }

  /** Loses the pages of lists and filters, as a browser that clears a database half-way. */
  damage(): Promise<void> {
    return this.#emptyStore('pages')
  }

  async #emptyStore(store: string): Promise<void> {
    await this.#onPage((page) =>
      page.evaluate(
        (name: string) =>
          new Promise<void>((resolve, reject) => {
            const opening = indexedDB.open('wary')
            opening.onerror = () => reject(opening.error)
            opening.onsuccess = () => {
              const transaction = opening.result.transaction(name, 'readwrite')
              transaction.objectStore(name).clear()
              transaction.oncomplete = () => {
                opening.result.close()
                resolve()
              }
            }
          }),
        store,
      ),
    )
    await this.#browser.stopBackground({ keepPages: true })
  }

  async #onPage<R>(run: (page: TabUnderTest) => Promise<R>): Promise<R> {
    const page = await this.#browser.openExtensionPage(PAGE_PATHS.options)
    try {
      return await run(page)
    } finally {
      await page.close()
    }
  }
}
