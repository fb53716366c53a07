import type { Verdict } from '../../src/check/verdict.ts'
import { asWaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'

const ENTRY = 'check-link'
/** Windows that anybody may still look at. */
const MOST_KEPT = 8

/** The part of `browser.contextMenus` that this needs. */
export interface MenusApi {
  create(entry: { id: string; title: string; contexts: ['link']; targetUrlPatterns: string[] }): unknown
  removeAll(): Promise<void>
  readonly onClicked: {
    addListener(
      listener: (info: { menuItemId: string | number; linkUrl?: string | undefined }, tab?: { incognito: boolean } | undefined) => void,
    ): void
  }
}

/**
 * "Check this link" in a link's context menu: the cascade for an address that nobody opens. The answer is shown in a small window; it
 * marks no tab and leaves nothing behind.
 */
export class LinkChecks {
  readonly #menus: MenusApi
  readonly #title: () => string
  readonly #kept = new Map<string, { readonly url: string; readonly verdict: Promise<Verdict> }>()

  constructor(options: {
    readonly menus: MenusApi
    readonly title: () => string
    readonly judge: (url: string, incognito: boolean) => Promise<Verdict>
    /** Opens the window. @param search of its address: names the check, never the link */
    readonly show: (search: string, incognito: boolean) => Promise<unknown>
    readonly createId: () => string
    readonly logger: Logger
  }) {
    this.#menus = options.menus
    this.#title = options.title
    const { judge, show, createId, logger } = options
    this.#menus.onClicked.addListener(({ menuItemId, linkUrl }, tab) => {
      if (menuItemId !== ENTRY || linkUrl === undefined) return
      const id = createId()
      const incognito = tab?.incognito === true
      this.#kept.set(id, { url: linkUrl, verdict: judge(linkUrl, incognito) })
      for (const oldest of this.#kept.keys()) if (this.#kept.size > MOST_KEPT) this.#kept.delete(oldest)
      show(`?r=${id}`, incognito).catch((error: unknown) => logger.warn('link-not-shown', asWaryError(error)))
    })
  }

  /** Puts the entry into the menu, where the browser keeps it: once after each installation, whose language may be another. */
  async install(): Promise<void> {
    await this.#menus.removeAll()
    this.#menus.create({ id: ENTRY, title: this.#title(), contexts: ['link'], targetUrlPatterns: ['http://*/*', 'https://*/*'] })
  }

  async outcome(id: string | undefined): Promise<{ url: string; verdict: Verdict } | undefined> {
    const kept = id === undefined ? undefined : this.#kept.get(id)
    return kept && { url: kept.url, verdict: await kept.verdict }
  }
}
