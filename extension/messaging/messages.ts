import type { Counters } from '../../src/check/counters.ts'
import type { Hit, Verdict } from '../../src/check/verdict.ts'
import type { ErrorCode } from '../../src/errors.ts'
import type { UpdateStatus } from '../../src/update/update-status.ts'
import type { Settings, SettingsSources } from '../settings/settings.ts'
import type { SourceKind } from '../settings/source-setting.ts'

/** What stands between the person and the page that the warning page shows. */
export interface WarningView {
  readonly url: string
  /** Registrable domain of `url`, or its host where it has none. */
  readonly domain: string
  /** `threat`: listed. `unverified`: a local hit that could not be verified (soft interstitial, one ordinary Continue). */
  readonly kind: 'threat' | 'unverified'
  readonly hits: readonly Hit[]
  /** For `unverified`: why, as a code for the page's own text. */
  readonly reason?: 'contradiction' | ErrorCode
  /** Nothing of this site was opened before; missing where visits are not noted. */
  readonly firstVisit?: boolean
  /** A hit is of Google's lists, whose terms ask for a notice. */
  readonly advisory?: 'google'
  /** Sequence number and issue time of the list that holds the first hit, if it is still in force. */
  readonly list?: { readonly name: string; readonly sequence: number; readonly issuedAt: number }
}

/** Everything the popup shows about one list in force. Times are milliseconds since 1970. */
export interface ListView {
  readonly name: string
  readonly entries: number
  readonly entryLength: number
  /** The entries themselves are not on the device. */
  readonly filterOnly: boolean
  readonly updatedAt: number
  /** What its publisher signed; undefined for sources that sign nothing. */
  readonly signed?: { readonly sequence: number; readonly issuedAt: number; readonly expiresAt: number }
  readonly filter: { readonly bits: number; readonly hashes: number; readonly fillRatio: number; readonly expectedRate: number }
}

/**
 * One sentence of state for popup and badge, from what is really loaded.
 * `starting`: no list yet. `damaged`: stored pages are unusable until the next update. `off`: nothing to download from.
 */
export type Protection =
  | { readonly state: 'protected' }
  /** `clockSkewMs`: this device's clock differs by so much from the servers', which may be the only reason. */
  | { readonly state: 'stale'; readonly since: number; readonly clockSkewMs?: number | undefined }
  | { readonly state: 'starting' }
  | { readonly state: 'damaged' }
  | { readonly state: 'off'; readonly reason: 'not-configured' | 'no-permission' }

/** One place that lists come from, and how it fares. */
export interface SourceView {
  readonly id: string
  readonly kind: SourceKind
  /** Address for people: a host, or a feed's URL. */
  readonly address: string
  readonly lists: readonly ListView[]
  readonly update: UpdateStatus
}

export interface Status {
  readonly protection: Protection
  /** Last verdict of the tab that was asked about; undefined for a tab not seen since the browser started. */
  readonly tab: Verdict | undefined
  /** Whether that tab's page is the first of its site; undefined where visits are not noted. */
  readonly firstVisit: boolean | undefined
  /** Frames that were blocked in the page of that tab, and the address of the last of them; undefined: none. */
  readonly frames?: { readonly count: number; readonly url: string } | undefined
  readonly sources: readonly SourceView[]
  /** All sources as one. */
  readonly update: UpdateStatus
  readonly counters: Counters
  /** Whether the browser lets the extension into private windows: a person has to allow it there. */
  readonly privateWindows: boolean
}

export interface SettingsView {
  readonly settings: Settings
  /** Where each value comes from; a managed one cannot be changed on the page. */
  readonly sources: SettingsSources
}

/** What the checking page does next: it replaces itself by the warning page, or leaves for the page that was asked for. */
export type CheckingAnswer =
  | { readonly next: 'warning' }
  | { readonly next: 'leave'; readonly target: string }
  /** Nothing is pending in this tab (restored session, typed address): the page offers to close itself. */
  | { readonly next: 'none' }

/** Every message that a page may send to the background: what it carries and what comes back. */
export interface MessageMap {
  'status:get': { readonly request: { readonly tabId: number | undefined }; readonly answer: Status }
  /** Starts an update unless one runs or the server's minimum wait forbids; answers at once, progress is in `status:get`. */
  'update:now': {
    readonly request: { readonly source?: string | undefined }
    readonly answer: { readonly started: boolean; readonly notBefore?: number }
  }
  /** For the tab that asks. Undefined: nothing is being warned about in this tab. */
  'warning:get': { readonly request: Record<never, never>; readonly answer: WarningView | undefined }
  /** Leads to the page before; closes the tab where there is none. */
  'warning:back': { readonly request: Record<never, never>; readonly answer: Record<never, never> }
  /** Allows the pending page of this tab once. The page then leaves for `target` through the sandboxed frame. */
  'warning:proceed': { readonly request: Record<never, never>; readonly answer: { readonly target: string } | undefined }
  /** Answers when the verdict of this tab's pending navigation is there. */
  'checking:wait': { readonly request: Record<never, never>; readonly answer: CheckingAnswer }
  /** What a subscribe link leads to, for the person to confirm before it is added. */
  'source:preview': {
    readonly request: { readonly link: string }
    readonly answer:
      | { readonly ok: true; readonly server: string; readonly fingerprint: string; readonly lists: readonly string[] }
      | { readonly ok: false; readonly error: ErrorCode; readonly message: string }
  }
  'settings:get': { readonly request: Record<never, never>; readonly answer: SettingsView }
  'settings:save': {
    /** Fields that are not named stay. */
    readonly request: { readonly settings: Partial<Settings> }
    readonly answer: SettingsView | { readonly error: ErrorCode; readonly message: string }
  }
  /** Fetches /healthz and the lists' names from a server that is not saved yet. */
  'settings:test': {
    readonly request: { readonly server: string }
    readonly answer:
      | { readonly ok: true; readonly lists: readonly string[] }
      | { readonly ok: false; readonly error: ErrorCode; readonly message: string }
  }
  /** The link that the page's address names a check of, and the verdict once it is there. Undefined: there is no such check. */
  'link:get': {
    readonly request: Record<never, never>
    readonly answer: { readonly url: string; readonly verdict: Verdict } | undefined
  }
  /** Asks the browser again which host permission we hold (Firefox), after the popup has requested one. */
  'permission:changed': { readonly request: Record<never, never>; readonly answer: Record<never, never> }
}

export type MessageType = keyof MessageMap
export type PageName = 'popup' | 'options' | 'warning' | 'checking' | 'welcome' | 'link'

/** The pages that may send each message; all others are refused. Paths are those of the built extension. */
export const SENDERS: { readonly [T in MessageType]: readonly PageName[] } = {
  'status:get': ['popup', 'options', 'welcome'],
  'update:now': ['popup', 'options', 'welcome'],
  'warning:get': ['warning'],
  'warning:back': ['warning', 'checking'],
  'warning:proceed': ['warning'],
  'checking:wait': ['checking'],
  'source:preview': ['options'],
  'settings:get': ['options'],
  'settings:save': ['options'],
  'settings:test': ['options'],
  'link:get': ['link'],
  'permission:changed': ['popup', 'options', 'welcome'],
}

export const PAGE_PATHS: { readonly [P in PageName]: string } = {
  popup: '/extension/popup/index.html',
  options: '/extension/options/index.html',
  warning: '/extension/warning/index.html',
  checking: '/extension/checking/index.html',
  welcome: '/extension/welcome/index.html',
  link: '/extension/link/index.html',
}
/** The framed, sandboxed exit (extension/leave). */
export const LEAVE_PATH = '/extension/leave/index.html'
