import type { Command } from 'commander'
import type { CliContext, Finish } from './context.ts'
import { addFilterBuild } from './filter-build.ts'
import { addFilterInfo } from './filter-info.ts'
import { addFilterMerge } from './filter-merge.ts'
import { addFilterQuery } from './filter-query.ts'
import { addFilterSize } from './filter-size.ts'

export function addFilter(program: Command, context: CliContext, finish: Finish): void {
  const filter = program
    .command('filter')
    .summary('build, describe, query and merge filters')
    .description('Builds, describes, queries and merges membership filters in the file format of LIST.filter, and says how large they are.')
    .helpCommand(false)
    .addHelpText('after', '\nExample:\n  wary filter build names.txt --out names.filter\n  wary filter query names.filter evil.test')
  addFilterBuild(filter, context)
  addFilterInfo(filter, context, finish)
  addFilterQuery(filter, context, finish)
  addFilterMerge(filter, context)
  addFilterSize(filter, context)
}
