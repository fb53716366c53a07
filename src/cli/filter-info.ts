import type { Command } from 'commander'
import type { CliContext } from './context.ts'
import { filterFacts, filterRows } from './filter-facts.ts'
import { readFilter } from './filter-file.ts'

export function addFilterInfo(filter: Command, { output }: CliContext): void {
  filter
    .command('info')
    .summary('describe a filter file')
    .description(
      'Describes a filter file: its size, how full it is, and the false positive rate to expect. "Kept size" is what the file has, by ' +
        'Wary\'s rule: the fewest bits that keep the rate with a whole k. "Textbook size" is what the formula with a rounded k gives.',
    )
    .argument('<FILE>', 'filter file')
    .option('--json', 'print facts as one line of JSON')
    .addHelpText('after', '\nExample:\n  wary filter info wary-data/versions/000001/se-4b.filter')
    .action((file: string, { json = false }: { json?: boolean }) => {
      const facts = filterFacts(readFilter(file))
      if (json) return output.json({ file, ...facts })
      output.line(file)
      output.table(filterRows(facts))
    })
}
