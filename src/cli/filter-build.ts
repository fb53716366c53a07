import type { Command } from 'commander'
import { BloomFilter } from '../filter/bloom.ts'
import { addEntries } from '../filter/ready-hash.ts'
import { HashList } from '../lists/hash-list.ts'
import { applyUpdate } from '../lists/list-update.ts'
import { decodeHashList } from '../protocol/hash-list-message.ts'
import type { CliContext } from './context.ts'
import { usageError } from './failure.ts'
import { filterFacts, filterRows } from './filter-facts.ts'
import { readInput, textOf } from './input-file.ts'
import { rate, wholeNumber } from './option-values.ts'
import { writeOutput } from './output-file.ts'

interface BuildFlags {
  readonly out: string
  readonly rate: number
  readonly capacity?: number
  readonly hashList?: string
  readonly json?: true
}

export function addFilterBuild(filter: Command, context: CliContext): void {
  const { output } = context
  filter
    .command('build')
    .summary('build a filter of keys')
    .description(
      'Builds a Bloom filter of keys, one a line, from FILE or standard input. A repeated line counts once, an empty one not at all. With ' +
        '--hash-list the keys are the entries of a published list, as in its LIST.filter.',
    )
    .argument('[FILE]', 'keys, one a line; "-" or nothing is standard input')
    .requiredOption('--out <FILE>', 'where to write the filter')
    .option('--rate <P>', 'false positive rate to keep at most', rate, 0.001)
    .option('--capacity <N>', 'keys to make room for (default: as many as there are)', wholeNumber(1))
    .option('--hash-list <FILE>', 'take the entries of a LIST.hashlist file as keys')
    .option('--json', 'print facts as one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wary filter build names.txt --rate 1e-4 --out names.filter\n' +
        '  wary filter build --hash-list wary-data/versions/000001/se-4b.hashlist --out se-4b.filter',
    )
    .action(async (file: string | undefined, flags: BuildFlags) => {
      if (file !== undefined && flags.hashList !== undefined) throw usageError('give either FILE or --hash-list')
      const keys = flags.hashList === undefined ? await textKeys(file, context) : listOf(readInput(flags.hashList))
      const count = keys instanceof HashList ? keys.count : keys.length
      const built = BloomFilter.create({ capacity: flags.capacity ?? Math.max(1, count), rate: flags.rate })
      if (keys instanceof HashList) addEntries(built, keys.entries, keys.entryLength)
      else for (const key of keys) built.add(key)
      writeOutput(flags.out, built.toBytes())
      if (count > built.capacity)
        output.note(`note: ${count} keys in room for ${built.capacity}; there will be more false positives than ${flags.rate}`)
      if (flags.json) return output.json({ file: flags.out, ...filterFacts(built) })
      output.line(`Wrote ${flags.out}`)
      output.table(filterRows(filterFacts(built)))
    })
}

async function textKeys(file: string | undefined, context: CliContext): Promise<readonly string[]> {
  const bytes = file === undefined || file === '-' ? await context.stdin() : readInput(file)
  return [...new Set(textOf(bytes).split(/\r?\n/))].filter((key) => key !== '')
}

/** The checksum that the list itself carries is looked at; its signature is the clients' business. */
function listOf(file: Uint8Array): HashList {
  return applyUpdate(undefined, decodeHashList(file))
}
