/** `npm run check:imports`: every import of every source against scripts/import-rules.ts. Exit code 1 if one is forbidden. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { forbiddenImports } from './import-check.ts'
import { IMPORT_RULES } from './import-rules.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?[tj]sx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('src/protocol/gen/'))
}

const paths = [...['src', 'extension', 'scripts', 'test'].flatMap(sources), 'vite.config.ts', 'vitest.config.ts'].sort()
const forbidden = paths.flatMap((path) => forbiddenImports(path, readFileSync(path, 'utf8'), IMPORT_RULES))
for (const line of forbidden) console.error(line)
console.log(`${paths.length} files, ${forbidden.length} forbidden imports`)
process.exitCode = forbidden.length > 0 ? 1 : 0
