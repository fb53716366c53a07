import type { SourceSetting } from './source-setting.ts'

/** What a person or a policy decides. Version 1; later versions add a migration from every older one. */
export interface Settings {
  readonly version: 1
  /** Origin of the verification server, such as `https://lists.example`; empty when none is configured. */
  readonly server: string
  /** Ed25519 public key that signs the server's lists, 64 hexadecimal digits; empty when none is configured. */
  readonly rootKey: string
  /** Names of the hash lists to hold. */
  readonly lists: readonly string[]
  /** Other prefixes that are asked about beside one that was hit (src/check/decoys.ts), 0 to 8. */
  readonly decoys: number
  /** Whether to note which sites were visited, so as to tell a first visit (extension/background/visited-sites.ts). */
  readonly firstVisits: boolean
  /** Whether a new installation introduces itself (extension/welcome). Of use to policies. */
  readonly firstRun: boolean
  /** Beside the server above. */
  readonly sources: readonly SourceSetting[]
}

export type SettingOrigin = 'default' | 'build' | 'user' | 'policy'
export type SettingsSources = { readonly [K in Exclude<keyof Settings, 'version'>]: SettingOrigin }
