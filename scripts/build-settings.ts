export const BUILD_TARGETS = ['chrome', 'firefox'] as const
export type BuildTarget = (typeof BUILD_TARGETS)[number]

/** What a build fixes; the code reads it as `import.meta.env.WARY_*` through extension/settings/build-settings.ts. */
export interface BuildSettings {
  readonly target: BuildTarget
  /** Origin of the verification server; default empty. */
  readonly server?: string | undefined
  /** 64 hexadecimal digits; default empty. */
  readonly rootKey?: string | undefined
  /** Names of hash lists, separated by commas; default empty. */
  readonly lists?: string | undefined
  /** Files of lists that the build carries; default none. */
  readonly seeds?: readonly string[] | undefined
}

/** Vite's `define` for these settings. The tests get the same with nothing set (vitest.config.ts). */
export function definedSettings(
  settings: Omit<BuildSettings, 'seeds'> & { readonly seedLists?: readonly string[] },
): Record<string, string> {
  return {
    'import.meta.env.WARY_TARGET': JSON.stringify(settings.target),
    'import.meta.env.WARY_SERVER': JSON.stringify(settings.server ?? ''),
    'import.meta.env.WARY_ROOT_KEY': JSON.stringify(settings.rootKey ?? ''),
    'import.meta.env.WARY_LISTS': JSON.stringify(settings.lists ?? ''),
    'import.meta.env.WARY_SEED_LISTS': JSON.stringify((settings.seedLists ?? []).join(',')),
  }
}
