/**
 * One interface over both browsers, with the extension installed. chromium.ts and firefox.ts implement it, launch.ts picks one.
 * What stands behind each method differs a lot; what a test may rely on is written here.
 */
export const BROWSER_NAMES = ['chromium', 'firefox'] as const
export type BrowserName = (typeof BROWSER_NAMES)[number]

export interface LaunchOptions {
  /** Folder with the extension's manifest.json; for Chromium with a `key`, for Firefox with a gecko id. */
  readonly extensionDir: string
  /**
   * Profile folder, created if missing and kept after `close`; one that has been used before starts as after `restart`. Default: a temporary
   * one, removed by `close`.
   */
  readonly profileDir?: string
  /** Default true. */
  readonly headless?: boolean
  /**
   * Names that lead to this device: `test` (default) is all of *.test (Firefox: every name), `everything` also names of the Internet, so that
   * listed ones can be opened without a request to anybody, `wary` only the test entries, for a person who browses.
   */
  readonly resolve?: 'test' | 'everything' | 'wary'
  /** Origins of plain HTTP that count as secure contexts, for service workers: `http://HOST:PORT`. */
  readonly secure?: readonly string[]
  /** Leaves the first-run page open that a new installation brings; else it is waited for and closed. */
  readonly keepWelcome?: boolean
  /** Path of the browser's program; default: WARY_CHROMIUM or WARY_FIREFOX, else what scripts/find-browsers.mjs finds. */
  readonly executable?: string
}

export interface BrowserUnderTest {
  readonly name: BrowserName
  /** As the browser names itself, such as `Chrome/156.0.8078.114`. */
  version(): Promise<string>
  /** `chrome-extension://ID` or `moz-extension://UUID`, without a slash at the end. Stays the same over `restart`. */
  readonly extensionOrigin: string
  /** A new tab at about:blank. */
  newPage(): Promise<TabUnderTest>
  /** A new tab with the extension's page at `path` (with a slash at its start), loaded. */
  openExtensionPage(path: string): Promise<TabUnderTest>
  /** Every open tab, also those that pages or the extension opened. */
  tabs(): Promise<TabUnderTest[]>
  /**
   * Stops the service worker or event page as the browser does when it is idle, and answers when it is gone. Closes the extension's
   * own tabs first, since they keep its process alive and would make the next start warmer than a real one; `keepPages` leaves them.
   */
  stopBackground(options?: { readonly keepPages?: boolean }): Promise<void>
  wakeState(): Promise<'running' | 'stopped'>
  /** Tells the extension that its entry in the context menu of a link was chosen: no driver can click into the menu of the system. */
  chooseLinkEntry(entry: string, linkUrl: string): Promise<void>
  /** Ends the browser in an orderly way and starts it again with the same profile. Tabs of before are gone. Does not wait for the background. */
  restart(): Promise<void>
  /** As `restart`; `between` runs while the browser is down. */
  restartAfter(between: () => void): Promise<void>
  /** As `restart`, but the browser's processes are killed (SIGKILL) in the middle of whatever they do. */
  crash(): Promise<void>
  /** Lets the extension into private windows, as a person does in the browser's list of extensions; the extension is reloaded by that. */
  allowInPrivate(): Promise<void>
  /** A new tab in a new private window. */
  newPrivatePage(): Promise<TabUnderTest>
  /** `prefers-color-scheme` of every tab from now on. */
  setDark(dark: boolean): Promise<void>
  /** Resolves when the browser has ended by itself, as when a person closes its last window. */
  ended(): Promise<void>
  /** Ends the browser's processes; removes the profile if it was a temporary one. Never rejects because the browser is gone already. */
  close(): Promise<void>
}

export interface MediaFeatures {
  /** Colours of the system in place of the page's. */
  readonly forcedColors?: boolean
  readonly reducedMotion?: boolean
}

export interface TabUnderTest {
  /**
   * Navigates as a typed address does, and answers when a document has loaded or the navigation has ended in another way (blocked,
   * redirected to the extension, still held after 15 s): it does not reject for these, so ask `url` or `waitForUrl` what came of it.
   */
  goto(url: string): Promise<void>
  url(): Promise<string>
  /** Polls; answers the URL. Rejects after `timeoutMs` (default 10,000) with the URL that was there instead. */
  waitForUrl(expected: string | RegExp | ((url: string) => boolean), timeoutMs?: number): Promise<string>
  /** Polls until an element that matches is displayed. */
  waitForSelector(selector: string, timeoutMs?: number): Promise<void>
  /** Displayed text of the first element that matches, default the body. */
  text(selector?: string): Promise<string>
  /** A real pointer click in the middle of the first element that matches, once it is displayed. */
  click(selector: string): Promise<void>
  /** Presses and releases a key: a character, or `Tab`, `Shift+Tab`, `Enter`, `Escape`, `Space`. */
  press(key: string): Promise<void>
  /** Sets a form field's value and fires `input` and `change`. */
  fill(selector: string, value: string): Promise<void>
  /**
   * Runs a function in the page and answers what it returns, as JSON carries it. The function sees nothing of the test's scope; `args` are
   * passed as JSON.
   */
  evaluate<A extends readonly unknown[], R>(run: (...args: A) => R, ...args: A): Promise<Awaited<R>>
  /** Runs a script's text in the page, which its content security policy does not see. For what a test brings along. */
  runScript(text: string): Promise<void>
  /** Media features of this tab (Firefox: of every tab) from now on, until they are set to undefined. */
  setMedia(features: MediaFeatures): Promise<void>
  /** One step back in this tab's history. Rejects where there is none. Answers when the step has begun. */
  back(): Promise<void>
  /** This tab's session history, oldest first. */
  history(): Promise<{ readonly index: number; readonly urls: readonly string[] }>
  /** PNG of the viewport. `dark` sets `prefers-color-scheme` for this picture only. */
  screenshot(path: string, options?: { readonly dark?: boolean }): Promise<void>
  setViewport(width: number, height: number): Promise<void>
  bringToFront(): Promise<void>
  close(): Promise<void>
}
