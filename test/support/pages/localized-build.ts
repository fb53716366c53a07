import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The languages of public/_locales, English first. */
export const LANGUAGES: readonly string[] = readdirSync(new URL('../../../public/_locales', import.meta.url)).sort(
  (a, b) => Number(b === 'en') - Number(a === 'en') || (a < b ? -1 : 1),
)

/**
 * A copy of a build, in `folder`, that speaks one language whatever the browser's own is: the others are taken out, and what is left is its
 * default. Browsers of test machines come in English alone.
 */
export function localizedBuild(extensionDir: string, language: string, folder: string): string {
  cpSync(extensionDir, folder, { recursive: true })
  const locales = join(folder, '_locales')
  for (const each of readdirSync(locales)) if (each !== language) rmSync(join(locales, each), { recursive: true })
  const path = join(folder, 'manifest.json')
  const manifest: Record<string, unknown> = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...manifest, default_locale: language }, null, 2))
  return folder
}
