import type { Command } from 'commander'
import { WaryError } from '../errors.ts'
import type { CliContext } from './context.ts'
import { usageError } from './failure.ts'
import { readFilter } from './filter-file.ts'
import type { AnyFilter } from './filter-kinds.ts'
import { writeFilter } from './filter-output.ts'

interface MergeFlags {
  readonly out: string
  readonly json?: boolean
}

export function addFilterMerge(filter: Command, { output }: CliContext): void {
  filter
    .command('merge')
    .summary('make one filter of several')
    .description(
      'Makes one filter that answers "maybe" for every key of the given ones, without the keys. Bloom filters, paged ones too, must have the same size, ' +
        'hash functions and seed; the outcome errs as one with all their keys would. Quotient filters must have the same seed and the ' +
        'same bits of fingerprints; the outcome is as large as it needs to be. The others cannot be merged: build one of all keys.',
    )
    .argument('<FILE...>', 'filter files, two or more')
    .requiredOption('--out <FILE>', 'where to write the filter')
    .option('--json', 'print facts as one line of JSON')
    .addHelpText('after', '\nExample:\n  wary filter merge monday.filter tuesday.filter --out both.filter')
    .action((files: readonly string[], { out, json = false }: MergeFlags) => {
      const [first, ...others] = files
      if (first === undefined || others.length === 0) throw usageError('give two filter files or more')
      let merged = readFilter(first)
      for (const path of others) {
        try {
          merged = union(merged, readFilter(path))
        } catch (error) {
          if (error instanceof WaryError && error.code === 'filter-parameter')
            throw new WaryError('filter-mismatch', `${path} cannot be merged with ${first}: ${error.message}`, { cause: error })
          throw error
        }
      }
      writeFilter(merged, { output, out, json })
    })
}

function union(a: AnyFilter, b: AnyFilter): AnyFilter {
  if (a.kind !== b.kind) throw new WaryError('filter-parameter', `one is a ${a.kind} filter, the other a ${b.kind} filter`)
  if (a.kind === 'bloom' && b.kind === 'bloom') return a.union(b)
  if (a.kind === 'paged-bloom' && b.kind === 'paged-bloom') return a.union(b)
  if (a.kind === 'quotient' && b.kind === 'quotient') return a.merge(b)
  throw new WaryError(
    'filter-parameter',
    `${a.kind} filters cannot be merged without their keys: build one filter of all keys (wary filter build)`,
  )
}
