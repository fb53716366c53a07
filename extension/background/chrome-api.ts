import type { TabsApi } from './tab-exit.ts'

/** What Chrome says of a navigation; `documentLifecycle` is missing in no version that we support. */
export interface NavigationDetails {
  readonly tabId: number
  readonly frameId: number
  readonly url: string
  readonly documentLifecycle?: string
}

interface NavigationEvent<D> {
  addListener(listener: (details: D) => void): void
}

export interface ChromeApi {
  readonly webNavigation: {
    readonly onBeforeNavigate: NavigationEvent<NavigationDetails>
    readonly onCommitted: NavigationEvent<NavigationDetails>
    readonly onErrorOccurred: NavigationEvent<NavigationDetails & { readonly error: string }>
    readonly onHistoryStateUpdated: NavigationEvent<NavigationDetails>
    getFrame(details: { tabId: number; frameId: number }): Promise<{ url: string } | null | undefined>
  }
  readonly tabs: TabsApi & {
    update(tabId: number, properties: { url: string }): Promise<unknown>
    query(query: Record<never, never>): Promise<{ id?: number | undefined }[]>
  }
  readonly runtime: { getURL(path: string): string }
}
