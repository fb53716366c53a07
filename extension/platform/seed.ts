import { browser } from './browser.ts'

/**
 * A list that this build carries (scripts/seed-lists.ts), as a published LIST.hashlist.
 * @param names of the lists that the build carries
 */
export async function bundledList(name: string, names: readonly string[]): Promise<Uint8Array | undefined> {
  if (!names.includes(name)) return undefined
  const response = await fetch(browser.runtime.getURL(`seed/${name}.hashlist`))
  return new Uint8Array(await response.arrayBuffer())
}
