import type { Command } from 'commander'
import type { CliContext, Finish } from './context.ts'
import { addListDiff } from './list-diff.ts'
import { addListEncode } from './list-encode.ts'
import { addListFetch } from './list-fetch.ts'
import { addListShow } from './list-show.ts'

export function addList(program: Command, context: CliContext, finish: Finish): void {
  const list = program
    .command('list')
    .summary('describe, make, download and compare hash list files')
    .description('Describes, makes, downloads and compares hash lists in the form of Safe Browsing v5 (protobuf), as in LIST.hashlist.')
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nExample:\n  wary list show se-4b.hashlist\n  wary list encode --name se-4b --size 4 --out se-4b.hashlist hashes.txt',
    )
  addListShow(list, context, finish)
  addListEncode(list, context)
  addListFetch(list, context)
  addListDiff(list, context)
}
