import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { instrument } from './instrument.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Bundle {
  /** A module that needs nothing else and exports the `fuzz` of its target. */
  readonly file: string
  /** worker.ts for plain Node: a thread of it has no TypeScript. */
  readonly worker: string
  readonly counters: number
  readonly dictionary: readonly Uint8Array[]
}

/** Bundles a target with the code that it tests into `folder`; blocks of src/ are counted. */
export async function bundle(target: string, folder: string): Promise<Bundle> {
  let counters = 0
  const literals = new Set<string | number>()
  const counting: Plugin = {
    name: 'count-blocks',
    enforce: 'post',
    transform(code, id) {
      if (!id.startsWith(join(root, 'src'))) return null
      const made = instrument(code, this.parse(code), counters)
      counters = made.counters
      for (const literal of made.literals) literals.add(literal)
      return { code: made.code, map: null }
    },
  }
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [counting],
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      rolldownOptions: {
        input: { [target]: join(root, 'scripts/fuzz/targets', `${target}.ts`), worker: join(root, 'scripts/fuzz/worker.ts') },
        output: { entryFileNames: '[name].mjs' },
      },
    },
    ssr: { noExternal: true },
  })
  return {
    file: join(folder, `${target}.mjs`),
    worker: join(folder, 'worker.mjs'),
    counters,
    dictionary: [...literals].flatMap(words),
  }
}

/** A literal as an input may hold it: text in UTF-8; numbers in one, two or four bytes of either order. */
function words(literal: string | number): Uint8Array[] {
  if (typeof literal === 'string') return literal.length > 0 && literal.length <= 32 ? [new TextEncoder().encode(literal)] : []
  if (!Number.isInteger(literal) || literal < 0 || literal >= 2 ** 32) return []
  if (literal < 256) return [new Uint8Array([literal])]
  const size = literal < 65_536 ? 2 : 4
  const big = new Uint8Array(4)
  new DataView(big.buffer).setUint32(0, literal)
  const bytes = big.slice(4 - size)
  return [bytes, bytes.slice().reverse()]
}
