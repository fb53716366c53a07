/** Who may import whom (docs/architecture.md). Everything that is not named here is forbidden; a file always may import its own folder. */
export interface ImportRule {
  /** Path of a file, or of a folder with a slash at its end. The first rule that fits a file counts. */
  readonly from: string
  /** Paths that may be imported, as `from`; `*` is everything. */
  readonly may: readonly string[]
  /** Paths of which only types may be imported. */
  readonly types?: readonly string[]
  /** npm packages; `*` is every declared one. */
  readonly packages?: readonly string[]
  /** npm packages of which only types may be imported. */
  readonly packageTypes?: readonly string[]
  /** Whether `node:` modules may be imported. */
  readonly node?: boolean
}

const COMMON = ['src/bytes.ts', 'src/errors.ts', 'src/ports.ts', 'src/steps.ts']
const PURE = [...COMMON, 'src/url/', 'src/hash/', 'src/filter/', 'src/lists/', 'src/protocol/']
const CORE = [...PURE, 'src/check/', 'src/update/']
/** What pages show: words and shapes, no work. */
const SHOWN = [
  'src/errors.ts',
  'src/check/verdict.ts',
  'src/check/counters.ts',
  'src/protocol/threat-type.ts',
  'src/update/update-status.ts',
]
const PAGE = [...SHOWN, 'extension/messaging/', 'extension/platform/', 'extension/page/']

export const IMPORT_RULES: readonly ImportRule[] = [
  { from: 'src/bytes.ts', may: [] },
  { from: 'src/errors.ts', may: [] },
  { from: 'src/steps.ts', may: [] },
  { from: 'src/ports.ts', may: [], types: ['src/errors.ts', 'src/filter/', 'src/lists/', 'src/protocol/'] },
  { from: 'src/url/', may: COMMON, packages: ['tldts-icann'] },
  { from: 'src/hash/', may: COMMON },
  { from: 'src/filter/', may: [...COMMON, 'src/hash/'] },
  { from: 'src/lists/', may: [...COMMON, 'src/hash/', 'src/protocol/threat-type.ts'] },
  { from: 'src/protocol/', may: [...COMMON, 'src/hash/', 'src/lists/'], packages: ['@bufbuild/protobuf'] },
  { from: 'src/check/', may: PURE },
  // Sources read feeds by the reader that they are given.
  { from: 'src/update/', may: PURE, types: ['src/feeds/'] },
  { from: 'src/feeds/', may: [...COMMON, 'src/url/', 'src/protocol/threat-type.ts'] },
  { from: 'src/publisher/', may: [...PURE, 'src/feeds/'], node: true },
  { from: 'src/server/', may: [...PURE, 'src/publisher/'], packages: ['hono', '@hono/node-server'], node: true },
  { from: 'src/cli/', may: [...CORE, 'src/feeds/', 'src/publisher/', 'src/server/'], packages: ['commander'], node: true },

  { from: 'extension/platform/', may: COMMON, packages: ['webextension-polyfill'] },
  { from: 'extension/messaging/', may: COMMON, types: [...SHOWN, 'extension/settings/'], packageTypes: ['webextension-polyfill'] },
  { from: 'extension/settings/', may: [...COMMON, 'src/protocol/'], packageTypes: ['webextension-polyfill'] },
  { from: 'extension/storage/', may: CORE, packages: ['idb'], packageTypes: ['webextension-polyfill'] },
  {
    from: 'extension/background/',
    may: [...CORE, 'src/feeds/', 'extension/messaging/', 'extension/platform/', 'extension/settings/', 'extension/storage/'],
    packageTypes: ['webextension-polyfill'],
  },
  // One classic script: what it imported at run time would not load in its sandboxed frame.
  { from: 'extension/leave/', may: [] },
  { from: 'extension/popup/', may: PAGE, types: ['extension/settings/'], packages: ['preact'] },
  { from: 'extension/options/', may: [...PAGE, 'extension/settings/'], packages: ['preact'] },
  { from: 'extension/warning/', may: PAGE, types: ['extension/settings/'], packages: ['preact'] },
  { from: 'extension/checking/', may: PAGE, types: ['extension/settings/'], packages: ['preact'] },
  { from: 'extension/link/', may: PAGE, types: ['extension/settings/'], packages: ['preact'] },
  { from: 'extension/blocked-frame/', may: PAGE, types: ['extension/settings/'], packages: ['preact'] },
  { from: 'extension/welcome/', may: PAGE, types: ['extension/settings/'], packages: ['preact'] },
  {
    from: 'extension/page/',
    may: [...SHOWN, 'extension/messaging/', 'extension/platform/'],
    types: ['extension/settings/', 'public/_locales/'],
    packages: ['preact'],
  },

  { from: 'scripts/', may: ['*'], packages: ['*'], node: true },
  // As other programs do it: by the package's name.
  { from: 'docs/examples/', may: [], packages: ['wary'], node: true },
  { from: 'test/', may: ['*'], packages: ['*'], node: true },
  { from: 'vite.config.ts', may: ['scripts/'], packages: ['*'], node: true },
  { from: 'vitest.config.ts', may: ['scripts/'], packages: ['*'], node: true },
]
