import type { Command } from 'commander'
import type { CliContext, Finish } from './context.ts'
import { describeFilter } from './filter-facts.ts'
import { lookAtFilter } from './filter-file.ts'

export function addFilterInfo(filter: Command, { output }: CliContext, finish: Finish): void {
  filter
    .command('info')
    .summary('describe a filter file')
    .description(
      'Describes a filter file: its kind and size, how full it is, the false positive rate to expect, and whether its checksum holds. Of ' +
        'a standard Bloom filter, "kept size" is what the file has, by Wary\'s rule: the fewest bits that keep the rate with a whole k. ' +
        '"Textbook size" is what the formula with a rounded k gives.',
    )
    .argument('<FILE>', 'filter file')
    .option('--json', 'print facts as one line of JSON')
    .addHelpText('after', '\nExample:\n  wary filter info wary-data/versions/000001/se-4b.filter')
    .action((file: string, { json = false }: { json?: boolean }) => {
      const { filter, version, damage } = lookAtFilter(file)
      const { facts, rows } = describeFilter(filter, version)
      if (json) output.json({ file, ...facts, formatVersion: version, holds: damage === undefined })
      else {
        output.line(file)
        output.table([...rows, ['checksum', damage === undefined ? 'holds' : `DAMAGED: ${damage}`]])
      }
      finish(damage === undefined ? 0 : 1)
    })
}
