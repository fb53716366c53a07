import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface PackedLibrary {
  /** What is in the package. */
  readonly folder: string
  readonly tarball: string
}

/**
 * Makes the package `wary` with its one entry, `wary/filter`, in `outDir`/library, and a tarball of it in `outDir`. It needs nothing but the
 * language and TextEncoder: no package, no Node.js, no page.
 */
export function packLibrary(outDir: string): PackedLibrary {
  const folder = resolve(outDir, 'library')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.library.json', '--outDir', folder])
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.d.ts')) nameDeclarations(join(folder, path))
  }
  const manifest = libraryManifest(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  writeFileSync(join(folder, 'README.md'), excerpt(readFileSync(join(ROOT, 'docs/examples/README.md'), 'utf8')))
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  const packed: [{ filename: string }] = JSON.parse(run('npm', ['pack', folder, '--pack-destination', resolve(outDir), '--json']))
  return { folder, tarball: join(resolve(outDir), packed[0].filename) }
}

/** The compiler renames what modules import, but not what declarations do; not every version of it finds `x.d.ts` by `x.ts`. */
function nameDeclarations(path: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace(/(from |import\()(['"])(\.{1,2}\/[^'"]+)\.ts\2/g, '$1$2$3.js$2'))
}

function libraryManifest({ version, license, engines }: { version: string; license: string; engines: object }): object {
  return {
    name: 'wary',
    version,
    description: 'Membership filters: Bloom and its kin, cuckoo, quotient and binary fuse filters, in one file format.',
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: { './filter': { types: './filter/index.d.ts', default: './filter/index.js' } },
  }
}

/** The part of a page that is the package's own README. */
function excerpt(page: string): string {
  const part = /<!-- package -->\n(.*?)<!-- end of package -->/s.exec(page)?.[1]
  if (part === undefined) throw new Error('docs/examples/README.md does not say which part of it goes into the package')
  return part.trimStart()
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout ?? ''}${stderr ?? ''}`, { cause: error })
  return stdout
}
