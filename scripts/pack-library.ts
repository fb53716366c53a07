/** `npm run pack:library`: the membership filters as a package of their own, dist/wary-VERSION.tgz, and its size. */
import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packLibrary } from './library-package.ts'

const { tarball } = packLibrary(fileURLToPath(new URL('../dist', import.meta.url)))
console.log(`${relative(process.cwd(), tarball)}  ${(statSync(tarball).size / 1000).toFixed(1)} kB`)
