import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { SUFFIX_RULES } from '../src/url/suffix-rules.ts'

/** From the root of the package; extension/platform/suffix-rules.ts reads it. */
const FILE = 'public-suffixes.txt'
const MODULE = fileURLToPath(new URL('../src/url/suffix-rules.ts', import.meta.url))

/** Takes the Public Suffix List out of the scripts and puts it beside them: it is read while the worker's other preparations go on. */
export function suffixPlugin(): Plugin {
  return {
    name: 'wary-suffixes',
    enforce: 'pre',
    load: (id) => (id === MODULE ? 'export const SUFFIX_RULES = undefined' : undefined),
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: FILE, source: SUFFIX_RULES as string })
    },
  }
}
