import type { Settings } from '../settings/settings.ts'

/** Chrome gives the policy to an extension some seconds after the policy has installed it. */
const POLICY_MS = 5000

/** Opens the first-run page, unless a policy or the build says no. */
export async function openWelcome(options: {
  readonly settings: { readonly ready: Promise<void>; readonly settings: Pick<Settings, 'firstRun'> }
  /** Whether a policy has installed the extension. */
  readonly administered: () => Promise<boolean>
  readonly open: () => Promise<unknown>
}): Promise<void> {
  const { settings, administered, open } = options
  await settings.ready
  if (await administered()) await new Promise((resolve) => setTimeout(resolve, POLICY_MS))
  if (settings.settings.firstRun) await open()
}
