import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crx, type ManifestV3Export } from '@crxjs/vite-plugin'
import type { InlineConfig } from 'vite'
import { parseLists, parseRootKey, parseServer } from '../extension/settings/setting-values.ts'
import { WaryError } from '../src/errors.ts'
import { type BuildSettings, type BuildTarget, definedSettings } from './build-settings.ts'
import { classicScript } from './classic-script.ts'
import { firefoxManifest } from './firefox-manifest.ts'
import { readSeeds, seedPlugin } from './seed-lists.ts'
import { singleWorker } from './single-worker.ts'
import { suffixPlugin } from './suffix-plugin.ts'

export interface ExtensionBuild extends BuildSettings {
  /** Folder that gets a folder named after the target; default `dist`. */
  readonly outDir?: string | undefined
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGES = ['popup', 'options', 'warning', 'checking', 'leave', 'welcome', 'link'] as const
/** The oldest versions that the manifests allow. */
const ENGINES: { readonly [T in BuildTarget]: string } = { chrome: 'chrome137', firefox: 'firefox142' }

/**
 * The settings of a build, refused by the same rules as those that a person enters: a build with a typing error would protect nobody.
 * @throws {WaryError} `setting-invalid`
 */
function checked(options: ExtensionBuild): ExtensionBuild {
  const server = parseServer(options.server ?? '')
  const rootKey = parseRootKey(options.rootKey ?? '')
  if ((server === '') !== (rootKey === ''))
    throw new WaryError('setting-invalid', 'WARY_SERVER and WARY_ROOT_KEY go together: set both or none')
  const lists = options.lists ? parseLists(options.lists).join(',') : ''
  return { ...options, server, rootKey, lists }
}

/** Vite's configuration for one browser. Both are built from the one manifest.json. */
export function extensionConfig(options: ExtensionBuild): InlineConfig {
  const { target } = options
  const outDir = join(resolve(ROOT, options.outDir ?? 'dist'), target)
  const seeds = readSeeds(options.seeds ?? [])
  const chrome: ManifestV3Export = JSON.parse(readFileSync(join(ROOT, 'manifest.json'), 'utf8'))
  return {
    root: ROOT,
    // Only the variables that vite.config.ts names reach a build, no .env file.
    envDir: false,
    define: definedSettings({ ...checked(options), seedLists: seeds.map(({ name }) => name) }),
    plugins: [
      crx({ manifest: target === 'chrome' ? chrome : firefoxManifest(chrome), browser: target }),
      classicScript('extension/leave/index.html'),
      seedPlugin(seeds),
      suffixPlugin(),
      singleWorker({ outDir, target: ENGINES[target] }),
    ],
    build: {
      outDir,
      emptyOutDir: true,
      target: ENGINES[target],
      sourcemap: false,
      modulePreload: false,
      // An asset as a data: URL would be refused by `img-src 'self'`.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: { input: Object.fromEntries(PAGES.map((page) => [page, join(ROOT, 'extension', page, 'index.html')])) },
    },
  }
}
