import { type Command, Option } from 'commander'
import type { HashList } from '../lists/hash-list.ts'
import { applyUpdate } from '../lists/list-update.ts'
import { decodeHashList } from '../protocol/hash-list-message.ts'
import type { CliContext } from './context.ts'
import { usageError } from './failure.ts'
import { FilterBuilder } from './filter-builder.ts'
import { type AnyKind, KIND_NAMES } from './filter-kinds.ts'
import { entryCount } from './filter-option-values.ts'
import { writeFilter } from './filter-output.ts'
import { readInput } from './input-file.ts'
import { rate, wholeNumber } from './option-values.ts'

interface BuildFlags {
  readonly out: string
  readonly kind: AnyKind
  readonly rate: number
  readonly capacity?: number
  readonly seed: number
  readonly hashList?: string
  readonly json?: boolean
}

export function addFilterBuild(filter: Command, context: CliContext): void {
  const { output } = context
  filter
    .command('build')
    .summary('build a filter of keys')
    .description(
      'Builds a filter of keys, one a line, from FILE or standard input. A repeated line counts once, an empty one not at all. Takes ' +
        '8 to 16 bytes of memory a key until all are counted; with --capacity, a bloom, paged-bloom or scalable-bloom filter ' +
        'takes the keys as they come, needs no more memory than itself, and counts a repeated line again. With --hash-list the keys are the entries of a published list, as ' +
        'in its LIST.filter.',
    )
    .argument('[FILE]', 'keys, one a line; "-" or nothing is standard input')
    .requiredOption('--out <FILE>', 'where to write the filter')
    .addOption(new Option('--kind <KIND>', 'kind of filter').choices(KIND_NAMES).default('bloom'))
    .option('--rate <P>', 'false positive rate to keep at most', rate, 0.001)
    .option('--capacity <N>', 'keys to make room for, such as 1e6 (default: as many as there are)', entryCount(Number.MAX_SAFE_INTEGER))
    .option('--seed <N>', 'filters of different seeds err about different keys', wholeNumber(0, 2 ** 32 - 1), 0)
    .option('--hash-list <FILE>', 'take the entries of a LIST.hashlist file as keys')
    .option('--json', 'print facts as one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wary filter build names.txt --rate 1e-4 --out names.filter\n' +
        '  wary filter build --kind cuckoo --capacity 2000000 --out names.filter < names.txt\n' +
        '  wary filter build --hash-list wary-data/versions/000001/se-4b.hashlist --out se-4b.filter',
    )
    .action(async (file: string | undefined, flags: BuildFlags) => {
      if (file !== undefined && flags.hashList !== undefined) throw usageError('give either FILE or --hash-list')
      if (flags.kind === 'binary-fuse' && flags.capacity !== undefined)
        throw usageError('a binary-fuse filter takes no key later, so it has no --capacity')
      const builder = new FilterBuilder(context, flags)
      const built = flags.hashList === undefined ? await builder.ofLines(file) : builder.ofList(listOf(readInput(flags.hashList)))
      writeFilter(built, { output, out: flags.out, json: flags.json ?? false, rate: flags.rate, capacity: flags.capacity })
    })
}

/** The checksum that the list itself carries is looked at; its signature is the clients' business. */
function listOf(file: Uint8Array): HashList {
  return applyUpdate(undefined, decodeHashList(file))
}
