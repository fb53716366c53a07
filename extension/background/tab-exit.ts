/** The part of `browser.tabs` with which a tab is led away from our page. */
export interface TabsApi {
  goBack(tabId: number): Promise<void>
  remove(tabId: number): Promise<void>
  create(properties: Record<never, never>): Promise<unknown>
  get(tabId: number): Promise<{ windowId?: number | undefined; incognito: boolean; status?: string | undefined }>
  query(query: { windowId: number }): Promise<unknown[]>
}

/** One step back in the tab's history. False where there is no step: Chrome rejects then, Firefox does nothing and says nothing. */
export async function stepBack(tabs: Pick<TabsApi, 'goBack'>, tabId: number): Promise<boolean> {
  try {
    await tabs.goBack(tabId)
    return true
  } catch {
    // Chrome's only reason to reject for a tab that exists, and it names no code.
    return false
  }
}

/** Closes the tab. A window never closes with its last tab: it gets a new one first. */
export async function closeTab(tabs: TabsApi, tabId: number): Promise<void> {
  const { windowId } = await tabs.get(tabId)
  if (windowId !== undefined && (await tabs.query({ windowId })).length < 2) await tabs.create({})
  await tabs.remove(tabId)
}
