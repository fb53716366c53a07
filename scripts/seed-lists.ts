import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { asWaryError, WaryError } from '../src/errors.ts'
import { updatedList } from '../src/lists/list-update.ts'
import { decodeHashList } from '../src/protocol/hash-list-message.ts'
import { parseListName } from '../src/protocol/threat-type.ts'

/** Where a build keeps the lists that it carries; extension/platform/seed.ts reads them. */
export const SEED_FOLDER = 'seed'

export interface SeedList {
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * Published lists (LIST.hashlist) to be carried by a build. The extension verifies signature and checksum when it takes them; here only a file
 * of another kind is found out, before anybody ships it.
 * @throws {WaryError} `file-failed`, `list-format`
 */
export function readSeeds(files: readonly string[]): readonly SeedList[] {
  const seeds = files.map((file): SeedList => {
    let bytes: Uint8Array
    try {
      bytes = new Uint8Array(readFileSync(file))
    } catch (error) {
      throw new WaryError('file-failed', `the seed ${file} cannot be read: ${asWaryError(error).message}`, { cause: error })
    }
    const update = decodeHashList(bytes)
    if (parseListName(update.name) === undefined || update.partial || update.signed === undefined)
      throw new WaryError('list-format', `${file} is no whole signed list, as "wary publish" makes it`)
    updatedList(undefined, update)
    return { name: update.name, bytes }
  })
  const twice = seeds.find(({ name }, i) => seeds.findIndex((other) => other.name === name) !== i)
  if (twice) throw new WaryError('list-format', `two seeds are the list ${twice.name}`)
  return seeds
}

/** Puts the lists into the build. */
export function seedPlugin(seeds: readonly SeedList[]): Plugin {
  return {
    name: 'wary-seed',
    generateBundle() {
      for (const { name, bytes } of seeds) this.emitFile({ type: 'asset', fileName: `${SEED_FOLDER}/${name}.hashlist`, source: bytes })
    },
  }
}
