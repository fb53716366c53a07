import type { Command } from 'commander'
import type { CliContext, Finish } from './context.ts'
import { addFilterBuild } from './filter-build.ts'
import { addFilterInfo } from './filter-info.ts'
import { addFilterQuery } from './filter-query.ts'

export function addFilter(program: Command, context: CliContext, finish: Finish): void {
  const filter = program
    .command('filter')
    .summary('build, describe and query Bloom filters')
    .description('Builds, describes and queries Bloom filters in the file format of LIST.filter.')
    .helpCommand(false)
    .addHelpText('after', '\nExample:\n  wary filter build names.txt --out names.filter\n  wary filter query names.filter evil.test')
  addFilterBuild(filter, context)
  addFilterInfo(filter, context)
  addFilterQuery(filter, context, finish)
}
