import type { PendingNavigation } from './pending-navigations.ts'

/** How one browser is kept from opening a page: registers its listeners in the constructor, synchronously. */
export interface Hold {
  /** Lets the page of `record` load in its tab: the person proceeds, or the verdict is safe. Resolves when nothing blocks it any more. */
  release(record: PendingNavigation): Promise<void>
  /** Leads the tab to the page before the one that was held, past entries of listed pages; closes the tab where there is none. */
  back(tabId: number): Promise<void>
  /** Checks the pages that are open already, where the browser does not hold them by itself. */
  sweep(): Promise<void>
  forgetTab(tabId: number): void
  /** Lists changed: blocks of entries that are gone must go. */
  reconcile(): Promise<void>
}
