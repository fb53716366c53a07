import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createKeyFile } from '../../src/publisher/key-file.ts'
import { temporaryFolder } from './publisher.ts'

/** Key files by name in a folder of their own, each with its public half beside it. */
export function keyFiles<N extends string>(...names: readonly N[]) {
  const folder = temporaryFolder()
  const path = (name: N): string => join(folder, `${name}.key`)
  const keys = new Map(names.map((name) => [name, createKeyFile(path(name))]))
  const key = (name: N) => {
    const found = keys.get(name)
    if (!found) throw new Error(`there is no key ${name}`)
    return found
  }
  return { path, key, publicKeys: (...some: readonly N[]) => some.map((name) => key(name).publicKey) }
}

/** Paths of the statements in a folder. */
export function statementsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.statement'))
    .sort()
    .map((name) => join(folder, name))
}
