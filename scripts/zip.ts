/** `npm run zip`: dist/wary-TARGET-VERSION.zip of both builds, the same bytes for the same files, and their sizes. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zipSync } from 'fflate'
import { BUILD_TARGETS } from './build-settings.ts'

/** The earliest time that a zip can hold. Local time, as zip has it. */
const MTIME = new Date(1980, 0, 1)

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const { version }: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

for (const target of BUILD_TARGETS) {
  const folder = join(dist, target)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const contents = files.map((file) => [relative(folder, file).replaceAll('\\', '/'), new Uint8Array(readFileSync(file))] as const)
  const zip = zipSync(Object.fromEntries(contents), { level: 9, mtime: MTIME })
  const path = join(dist, `wary-${target}-${version}.zip`)
  writeFileSync(path, zip)
  console.log(`${relative(process.cwd(), path)}  ${(zip.length / 1000).toFixed(1)} kB, ${files.length} files`)
}
